//! Digests of files, as people and browsers write them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha384};

/// Bytes in base 64, padded.
pub(crate) fn base64(bytes: impl AsRef<[u8]>) -> String {
    STANDARD.encode(bytes)
}

/// Bytes in small hexadecimal letters.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// As `sha256sum` prints it.
pub(crate) fn sha256(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

/// As an `integrity` attribute has it.
pub(crate) fn integrity(content: &[u8]) -> String {
    format!("sha384-{}", base64(Sha384::digest(content)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of FIPS 180-4 for "abc".
    #[test]
    fn digests_are_the_standards() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(integrity(b"abc"), "sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn");
    }
}
