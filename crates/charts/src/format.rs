//! Numbers as people read them. Three significant digits, or what the lesson's published figures show.

use crate::numerals::localized;

/// `digits` after the point, without trailing zeros.
fn trimmed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A comma before each group of three digits of the whole part.
fn grouped(text: &str) -> String {
    let (whole, rest) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let mut out = String::from(sign);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(rest) = rest {
        out.push('.');
        out.push_str(rest);
    }
    out
}

/// A latency, given in seconds: `81 ms`, `1.23 s`, `12.4 s`, `166 s`, `2,160 s`; below ten milliseconds `5.2 ms`, below one `520 µs`.
#[must_use]
pub fn time(seconds: f64) -> String {
    let fine = |value: f64| if value < 9.95 { format!("{value:.1}") } else { format!("{value:.0}") };
    localized(match seconds {
        0.0 => "0 ms".to_owned(),
        // The bounds are where rounding would carry to the next unit: nobody wants to read 1000 ms.
        ..0.000_999_5 => format!("{} µs", fine(seconds * 1e6)),
        ..0.9995 => format!("{} ms", fine(seconds * 1e3)),
        ..9.995 => format!("{seconds:.2} s"),
        ..99.95 => format!("{seconds:.1} s"),
        _ => format!("{} s", grouped(&format!("{seconds:.0}"))),
    })
}

/// A sentence in which no line ends between a figure and its unit.
#[must_use]
pub fn unbroken(sentence: &str) -> String {
    let mut words = sentence.split(' ');
    let mut text = words.next().unwrap_or_default().to_owned();
    for word in words {
        let unit = word.trim_end_matches(['.', ',', ';', ':']);
        let is_unit = ["µs", "ms", "s", "min", "h", "%"].contains(&unit);
        text.push(if is_unit && text.ends_with(|before: char| before.is_ascii_digit()) { '\u{a0}' } else { ' ' });
        text.push_str(word);
    }
    text
}

/// A round latency, at a tick or of an SLO, given in seconds: `10 ms`, `1 s`, `2.5 s`.
#[must_use]
pub fn latency_tick(seconds: f64) -> String {
    localized(match seconds {
        0.0 => "0 ms".to_owned(),
        ..0.000_999_5 => format!("{} µs", trimmed(seconds * 1e6, 3)),
        ..0.9995 => format!("{} ms", trimmed(seconds * 1e3, 2)),
        _ => format!("{} s", grouped(&trimmed(seconds, 2))),
    })
}

/// A length of simulated time, given in seconds, as words would have it: `90 s`, `10 min`, `2.5 h`.
#[must_use]
pub fn span(seconds: f64) -> String {
    localized(match seconds {
        ..120.0 => format!("{} s", trimmed(seconds, 1)),
        ..7200.0 => format!("{} min", trimmed(seconds / 60.0, 1)),
        _ => format!("{} h", grouped(&trimmed(seconds / 3600.0, 1))),
    })
}

/// A count, or an amount that is read like one: `1,004`; below ten with up to two digits after the point.
#[must_use]
pub fn count(value: f64) -> String {
    localized(if value.abs() < 10.0 { trimmed(value, 2) } else { grouped(&format!("{value:.0}")) })
}

/// A share (0..=1) in percent: `89 %`. It never rounds a miss away: only 1 is `100 %`, and only 0 is `0 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    localized(match percent {
        ..=0.0 => "0 %".to_owned(),
        ..0.05 => "< 0.1 %".to_owned(),
        ..0.95 => format!("{percent:.1} %"),
        // Near 100 a tenth decides whether a target is met.
        ..95.0 => format!("{percent:.0} %"),
        ..99.95 => format!("{percent:.1} %"),
        ..100.0 => "> 99.9 %".to_owned(),
        _ => "100 %".to_owned(),
    })
}

/// An arrival rate [requests/s]: `5`, `5.2`.
#[must_use]
pub fn rate(per_s: f64) -> String {
    localized(grouped(&trimmed(per_s, 2)))
}

/// A measured rate [requests/s]: `4.46`.
#[must_use]
pub fn per_s(value: f64) -> String {
    localized(match value {
        ..99.95 => format!("{value:.2}"),
        ..999.5 => format!("{value:.1}"),
        _ => grouped(&format!("{value:.0}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_like_the_published_figures() {
        let cases = [
            (0.0717, "72 ms"),
            (0.188_3, "188 ms"),
            (0.081, "81 ms"),
            (1.2345, "1.23 s"),
            (12.41, "12.4 s"),
            (29.96, "30.0 s"),
            (0.0246, "25 ms"),
            (0.0104, "10 ms"),
            (0.0099, "9.9 ms"),
            (0.009_96, "10 ms"),
            (0.999_6, "1.00 s"),
            (9.996, "10.0 s"),
            (99.96, "100 s"),
            (166.2, "166 s"),
            (2159.7, "2,160 s"),
            (0.000_52, "520 µs"),
            (0.0, "0 ms"),
        ];
        for (seconds, text) in cases {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn a_unit_stays_with_its_figure() {
        let said = "At 14 requests/s it is 53.6 s; of all, 7 % wait 126 ms. The first two s are";
        assert_eq!(
            unbroken(said),
            "At 14 requests/s it is 53.6\u{a0}s; of all, 7\u{a0}% wait 126\u{a0}ms. The first two s are"
        );
        assert_eq!(["", "6", "6 "].map(unbroken), ["", "6", "6 "]);
    }

    #[test]
    fn ticks_carry_no_needless_digit() {
        let cases = [(1.0, "1 s"), (0.05, "50 ms"), (2.5, "2.5 s"), (1000.0, "1,000 s"), (1e-4, "100 µs")];
        for (seconds, text) in cases {
            assert_eq!(latency_tick(seconds), text);
        }
    }

    #[test]
    fn spans_pick_the_unit() {
        assert_eq!([90.0, 600.0, 5400.0, 9000.0].map(span), ["90 s", "10 min", "90 min", "2.5 h"]);
    }

    #[test]
    fn a_miss_is_never_rounded_away() {
        let cases = [
            (0.8897, "89 %"),
            (1.0, "100 %"),
            (0.9988, "99.9 %"),
            (0.999_9, "> 99.9 %"),
            (0.996, "99.6 %"),
            (0.988, "98.8 %"),
            (0.0, "0 %"),
            (0.0001, "< 0.1 %"),
            (0.004, "0.4 %"),
            (0.0096, "1 %"),
        ];
        for (share, text) in cases {
            assert_eq!(percent(share), text, "{share}");
        }
    }

    #[test]
    fn counts_and_rates() {
        assert_eq!(
            [1004.0, 91.85, 1_234_567.0, 5.0, 0.5, 999.6].map(count),
            ["1,004", "92", "1,234,567", "5", "0.5", "1,000"]
        );
        assert_eq!([5.0, 5.2, 0.01, 1000.0].map(rate), ["5", "5.2", "0.01", "1,000"]);
        assert_eq!([4.4648, 0.0, 120.3].map(per_s), ["4.46", "0.00", "120.3"]);
    }
}
