//! A length that ends after each token with the same chance: geometric, by its mean.

use crate::math;

/// The length that belongs to a uniform draw [tokens]: at least one, at most `most`.
pub(crate) fn tokens(mean: u32, unit: f64, most: f64) -> u32 {
    if mean <= 1 {
        return 1;
    }
    let log_of_going_on = math::ln(1.0 - 1.0 / f64::from(mean));
    let length = 1.0 + libm::floor(math::ln(1.0 - unit) / log_of_going_on);
    math::between(1.0, length, most) as u32
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn mean_and_chances_are_geometric() {
        let n = 1_000_000;
        let lengths = || (0..n).map(|i| tokens(20, (f64::from(i) + 0.5) / f64::from(n), 1e5));
        let mean = lengths().map(f64::from).sum::<f64>() / f64::from(n);
        assert!((mean / 20.0 - 1.0).abs() < 1e-3, "{mean}");
        let longer = |than| lengths().filter(|&length| length > than).count() as f64 / f64::from(n);
        for than in [1, 10, 40] {
            assert!((longer(than) - libm::pow(0.95, f64::from(than))).abs() < 1e-4, "{than}");
        }
        assert_eq!([tokens(1, 0.99, 1e5), tokens(200, 0.0, 1e5), tokens(200, 1.0 - 1e-16, 300.0)], [1, 1, 300]);
    }
}
