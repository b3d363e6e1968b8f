//! The standard normal distribution by its quantile, so that one uniform draw gives one normal draw.
//!
//! M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics 37(3), 1988:
//! three pairs of polynomials, right to about one part in 10^16. The coefficients are the paper's.
#![expect(clippy::excessive_precision, reason = "as printed, so that they can be compared with the paper")]

use crate::math;

/// The least draw that is looked up: below lies what 53 random bits cannot tell from zero.
pub(crate) const LEAST: f64 = 1.0 / (1_u64 << 54) as f64;

/// Half the width of the middle, in which the quantile is nearly straight.
const MIDDLE: f64 = 0.425;

/// Where the far tail begins, as the root of minus the logarithm of the tail's probability.
const FAR: f64 = 5.0;

/// Coefficients of a numerator and a denominator, the highest power first.
type Ratio = ([f64; 8], [f64; 8]);

const IN_THE_MIDDLE: Ratio = (
    [
        2.509_080_928_730_122_672_7e3,
        3.343_057_558_358_812_810_5e4,
        6.726_577_092_700_870_085_3e4,
        4.592_195_393_154_987_145_7e4,
        1.373_169_376_550_946_112_5e4,
        1.971_590_950_306_551_442_7e3,
        1.331_416_678_917_843_774_5e2,
        3.387_132_872_796_366_608_0,
    ],
    [
        5.226_495_278_852_854_561_0e3,
        2.872_908_573_572_194_267_4e4,
        3.930_789_580_009_271_061_0e4,
        2.121_379_430_158_659_586_7e4,
        5.394_196_021_424_751_107_7e3,
        6.871_870_074_920_579_083_0e2,
        4.231_333_070_160_091_125_2e1,
        1.0,
    ],
);

const IN_THE_TAIL: Ratio = (
    [
        7.745_450_142_783_414_076_40e-4,
        2.272_384_498_926_918_458_33e-2,
        2.417_807_251_774_506_117_70e-1,
        1.270_458_252_452_368_382_58,
        3.647_848_324_763_204_605_04,
        5.769_497_221_460_691_405_50,
        4.630_337_846_156_545_295_90,
        1.423_437_110_749_683_577_34,
    ],
    [
        1.050_750_071_644_416_843_24e-9,
        5.475_938_084_995_344_946_00e-4,
        1.519_866_656_361_645_719_66e-2,
        1.481_039_764_274_800_745_90e-1,
        6.897_673_349_851_000_045_50e-1,
        1.676_384_830_183_803_849_40,
        2.053_191_626_637_758_821_87,
        1.0,
    ],
);

const IN_THE_FAR_TAIL: Ratio = (
    [
        2.010_334_399_292_288_132_65e-7,
        2.711_555_568_743_487_578_15e-5,
        1.242_660_947_388_078_438_60e-3,
        2.653_218_952_657_612_309_30e-2,
        2.965_605_718_285_048_912_30e-1,
        1.784_826_539_917_291_335_80,
        5.463_784_911_164_114_369_90,
        6.657_904_643_501_103_777_20,
    ],
    [
        2.044_263_103_389_939_785_64e-15,
        1.421_511_758_316_445_888_70e-7,
        1.846_318_317_510_054_681_80e-5,
        7.868_691_311_456_132_591_00e-4,
        1.487_536_129_085_061_485_25e-2,
        1.369_298_809_227_358_053_10e-1,
        5.998_322_065_558_879_376_90e-1,
        1.0,
    ],
);

/// The value below which a standard normal variable lies with probability `unit` (0..1).
pub(crate) fn quantile(unit: f64) -> f64 {
    let unit = unit.max(LEAST);
    let from_middle = unit - 0.5;
    if (-MIDDLE..=MIDDLE).contains(&from_middle) {
        return from_middle * ratio(&IN_THE_MIDDLE, MIDDLE * MIDDLE - from_middle * from_middle);
    }
    let depth = math::sqrt(-math::ln(unit.min(1.0 - unit)));
    let away = if depth <= FAR { ratio(&IN_THE_TAIL, depth - 1.6) } else { ratio(&IN_THE_FAR_TAIL, depth - FAR) };
    if from_middle < 0.0 { -away } else { away }
}

fn ratio((above, below): &Ratio, at: f64) -> f64 {
    let value = |coefficients: &[f64; 8]| coefficients.iter().fold(0.0, |sum, coefficient| sum * at + coefficient);
    value(above) / value(below)
}

#[cfg(test)]
mod tests {
    use super::{LEAST, quantile};

    /// Reference values: the tables of Wichura's paper and of any textbook.
    #[test]
    fn quantiles_are_the_textbooks() {
        let close = |unit, value: f64| {
            let found = quantile(unit);
            assert!((found - value).abs() <= 1e-14 * value.abs().max(1.0), "{found} at {unit}, not {value}");
        };
        close(0.5, 0.0);
        close(0.25, -0.674_489_750_196_081_7);
        close(0.975, 1.959_963_984_540_054);
        close(0.001, -3.090_232_306_167_813_5);
        close(1e-20_f64.max(LEAST), quantile(LEAST));
        assert!((quantile(1e-12) + 7.034_483_825_301_131).abs() < 1e-12);
        assert!(quantile(0.0).is_finite() && quantile(1.0 - f64::EPSILON / 2.0).is_finite());
    }
}
