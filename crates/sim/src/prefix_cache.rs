//! The prefix cache: some requests find the beginning of their prompt computed already.

/// How often something is found, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PrefixCache {
    /// Share of the requests that find something (0..=1).
    pub(crate) share: f64,
    /// Share of the prompt that they find (0..=1).
    pub(crate) prompt: f64,
}

impl PrefixCache {
    pub(crate) fn is_on(self) -> bool {
        self.share > 0.0 && self.prompt > 0.0
    }

    /// How much of a prompt is found by the request of this uniform draw [tokens].
    pub(crate) fn found(self, prompt: u32, unit: f64) -> u32 {
        if unit < self.share { (f64::from(prompt) * self.prompt + 0.5) as u32 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::PrefixCache;

    #[test]
    fn a_share_of_the_requests_finds_a_share_of_the_prompt() {
        let cache = PrefixCache { share: 0.25, prompt: 0.5 };
        assert_eq!([0.0, 0.249, 0.25, 0.9].map(|unit| cache.found(999, unit)), [500, 500, 0, 0]);
        let whole = PrefixCache { share: 1.0, prompt: 1.0 };
        assert_eq!(whole.found(999, 1.0 - f64::EPSILON / 2.0), 999, "all of it, for all");
        assert!(whole.is_on() && !PrefixCache { prompt: 0.0, ..whole }.is_on());
    }
}
