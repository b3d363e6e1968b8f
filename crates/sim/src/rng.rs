//! The streams of random numbers: which generator, which purpose, and how bits become a unit draw.
//!
//! The only module that knows the crates `rand` and `rand_chacha`.

use alloc::boxed::Box;
use core::convert::Infallible;

use rand::{Rng, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;

use crate::scenario::Seed;

/// The lesson's generator: mulberry32, 32 bits of state, 32 bits a draw.
///
/// It is here because the lesson's published figures were made with it; every other seed uses ChaCha8.
#[derive(Clone, Debug)]
pub struct Mulberry32 {
    state: u32,
}

impl Mulberry32 {
    /// The seed behind the lesson's published figures.
    pub const LESSON_SEED: u32 = 3;
}

impl TryRng for Mulberry32 {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.state = self.state.wrapping_add(0x6D2B_79F5);
        let s = self.state;
        let mut t = (s ^ (s >> 15)).wrapping_mul(s | 1);
        t ^= t.wrapping_add((t ^ (t >> 7)).wrapping_mul(t | 61));
        Ok(t ^ (t >> 14))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        rand::rand_core::utils::next_u64_via_u32(self)
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        rand::rand_core::utils::fill_bytes_via_next_word(dst, || self.try_next_u32())
    }
}

impl SeedableRng for Mulberry32 {
    type Seed = [u8; 4];

    fn from_seed(seed: [u8; 4]) -> Self {
        Self { state: u32::from_le_bytes(seed) }
    }
}

/// What a stream is for. One stream per purpose, so that a change in one draw never shifts another.
/// The numbers are part of the format: they never change.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub(crate) enum Purpose {
    /// Gaps between arrivals.
    Arrivals = 1,
    /// Lengths of the prompts.
    PromptLengths = 2,
    /// Lengths of the answers.
    OutputLengths = 3,
    /// Who finds something in the prefix cache.
    CacheHits = 4,
    /// Which replica a request goes to.
    Routes = 5,
    /// Who has the high priority.
    Priorities = 6,
}

/// Uniform draws in [0, 1) from one seed for one purpose.
#[derive(Clone, Debug)]
pub(crate) enum UnitStream {
    /// The lesson's arrivals: 32 bits each.
    Lesson(Mulberry32),
    /// Everything else: 53 bits each.
    Numbered(Box<ChaCha8Rng>),
}

impl UnitStream {
    pub(crate) fn new(seed: Seed, purpose: Purpose) -> Self {
        let mut key = [0; 32];
        match (seed, purpose) {
            (Seed::Lesson, Purpose::Arrivals) => {
                return Self::Lesson(Mulberry32::from_seed(Mulberry32::LESSON_SEED.to_le_bytes()));
            }
            // Past the bytes of a number, so that no numbered seed has this key.
            (Seed::Lesson, _) => key[8..14].copy_from_slice(b"lesson"),
            (Seed::Number(number), _) => key[..8].copy_from_slice(&number.to_le_bytes()),
        }
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(purpose as u64);
        Self::Numbered(Box::new(rng))
    }

    /// The next draw, uniform in [0, 1).
    pub(crate) fn next_unit(&mut self) -> f64 {
        const PER_U32: f64 = 1.0 / (1_u64 << 32) as f64;
        const PER_U53: f64 = 1.0 / (1_u64 << 53) as f64;
        match self {
            Self::Lesson(rng) => f64::from(rng.next_u32()) * PER_U32,
            Self::Numbered(rng) => (rng.next_u64() >> 11) as f64 * PER_U53,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Value stability: these draws are behind the published figures.
    #[test]
    fn the_lessons_first_draws() {
        let mut stream = UnitStream::new(Seed::Lesson, Purpose::Arrivals);
        let draws = [(); 4].map(|()| stream.next_unit());
        assert_eq!(
            draws,
            [0.720_226_783_771_067_9, 0.038_662_160_513_922_57, 0.456_192_192_621_529_1, 0.074_928_009_649_738_67]
        );
    }

    /// Value stability: a permalink with a numbered seed must reproduce its run for ever.
    #[test]
    fn a_numbered_seeds_first_draws() {
        let mut stream = UnitStream::new(Seed::Number(7), Purpose::Arrivals);
        let bits = [(); 3].map(|()| stream.next_unit().to_bits());
        assert_eq!(bits, [4_606_591_240_495_239_114, 4_598_744_870_032_186_160, 4_606_849_360_389_708_648]);
    }

    #[test]
    fn mulberry_fills_bytes_from_the_same_words() {
        let seed = Mulberry32::LESSON_SEED.to_le_bytes();
        let (mut words, mut bytes) = (Mulberry32::from_seed(seed), Mulberry32::from_seed(seed));
        let mut filled = [0; 8];
        bytes.fill_bytes(&mut filled);
        assert_eq!(u64::from_le_bytes(filled), words.next_u64());
    }
}
