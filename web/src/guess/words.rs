//! What is said of a guess, from `text/en/guess.txt`.

use std::sync::LazyLock;

use goodput_charts::{Phrases, format, text_file};

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(text_file!("../../text/en/guess.txt")));

/// A goodput this near to the truth was well guessed [requests/s].
const NEAR: f64 = 0.35;

/// A line within this factor of the truth was well drawn.
const CLOSE: f64 = 1.5;

/// On a yes or no that was said with or without being sure; `p99_s` is the truth [s].
pub(crate) fn late(said: bool, sure: Option<bool>, is: bool, p99_s: f64) -> String {
    let key = match (said == is, said) {
        (true, true) => "late.right.yes",
        (true, false) => "late.right.no",
        (false, true) => "late.wrong.yes",
        (false, false) => "late.wrong.no",
    };
    let how = match sure {
        Some(true) => ENGLISH.say("late.sure", &[]),
        Some(false) => ENGLISH.say("late.unsure", &[]),
        None => String::new(),
    };
    ENGLISH.say(key, &[("how", &how), ("p99", &format::time(p99_s))])
}

/// On a goodput [requests/s].
pub(crate) fn goodput(said: f64, is: f64) -> String {
    let key = if (said - is).abs() <= NEAR { "goodput.near" } else { "goodput.far" };
    ENGLISH.say(key, &[("said", &format::rate(said)), ("is", &format::per_s(is))])
}

/// On the line, at the rate at which it is farthest off; `ratio` is guess over truth.
pub(crate) fn line(rate: f64, ratio: f64) -> String {
    let factor = ratio.max(1.0 / ratio);
    let key = match ratio {
        _ if factor <= CLOSE => "line.close",
        1.0.. => "line.high",
        _ => "line.low",
    };
    // Two digits: a hand is no finer.
    let unit = if factor >= 100.0 {
        10.0
    } else if factor >= 10.0 {
        1.0
    } else {
        0.1
    };
    let factor = format::count((factor / unit).round() * unit);
    ENGLISH.say(key, &[("factor", &factor), ("rate", &format::rate(rate))])
}

/// The name of the reader's own line in a chart, and shorter for narrow charts.
#[must_use]
pub fn line_name() -> (String, String) {
    (ENGLISH.say("line.name", &[]), ENGLISH.say("line.short", &[]))
}

/// Where a point of the line stands: at a time [s], or nowhere yet.
#[must_use]
pub fn point(rate: f64, seconds: Option<f64>) -> String {
    let rate = format::rate(rate);
    match seconds {
        Some(seconds) => ENGLISH.say("point", &[("rate", &rate), ("time", &format::time(seconds))]),
        None => ENGLISH.say("point.none", &[("rate", &rate)]),
    }
}

/// What the slider of a point is called.
#[must_use]
pub fn point_name(rate: f64) -> String {
    ENGLISH.say("point.name", &[("rate", &format::rate(rate))])
}

/// The answer to the second question as it is chosen [tenths of a request/s].
#[must_use]
pub fn chosen(tenths: Option<u8>) -> String {
    match tenths {
        Some(tenths) => ENGLISH.say("chosen", &[("value", &format!("{}.{}", tenths / 10, tenths % 10))]),
        None => ENGLISH.say("chosen.none", &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_is_told_in_one_sentence() {
        assert_eq!(late(false, None, true, 1.232), "You said no; the p99 was 1.23 s.");
        assert_eq!(late(true, Some(true), true, 1.232), "You said yes, and were sure; so it is: the p99 was 1.23 s.");
        assert_eq!(late(true, Some(false), false, 0.5), "You said yes, but were not sure; the p99 was only 500 ms.");
        assert_eq!(late(false, None, false, 0.5), "You said no; so it is: the p99 was 500 ms.");
        assert_eq!(goodput(4.2, 0.0), "You expected 4.2; it was 0.00.");
        assert_eq!(goodput(0.2, 0.0), "You expected 0.2; it was 0.00. Well guessed.");
        assert_eq!(line(6.0, 0.0249), "Your line was 40 times too low at 6.");
        assert_eq!(line(5.5, 2.345), "Your line was 2.3 times too high at 5.5.");
    }

    #[test]
    fn what_is_drawn_by_keys_is_heard() {
        assert_eq!(point(5.5, Some(0.3)), "at 5.5 requests/s: 300 ms");
        assert_eq!(point(5.5, None), "at 5.5 requests/s: not drawn yet");
        assert_eq!(point_name(5.5), "p99 at 5.5 requests/s");
        assert_eq!(
            [chosen(Some(42)), chosen(Some(0)), chosen(None)],
            ["4.2 requests/s", "0.0 requests/s", "not chosen yet"]
        );
        assert_eq!(line_name(), ("your guess".into(), "guess".into()));
    }
}
