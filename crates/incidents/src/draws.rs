//! Where the luck of a game comes from.

/// Draws from a number: SplitMix64 (Steele, Lea and Flood, 2014), whose neighbouring numbers give unlike draws.
#[derive(Clone, Debug)]
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(number: u64) -> Self {
        Self(number)
    }

    /// Uniform in [0, 1).
    fn unit(&mut self) -> f64 {
        const PER_U53: f64 = 1.0 / (1_u64 << 53) as f64;
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 * PER_U53
    }

    /// Uniform from `from` up to `to`.
    pub(crate) fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.unit()
    }

    /// A multiple of `step` from `from` to `to`, both included.
    pub(crate) fn whole(&mut self, from: u32, to: u32, step: u32) -> u32 {
        from + step * self.below((to - from) / step + 1)
    }

    /// A whole number below `count`.
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        (self.unit() * f64::from(count)) as u32
    }
}
