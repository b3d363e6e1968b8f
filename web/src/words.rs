//! The page's own words, from `text/en/lab.txt`: another language is another file.

use std::sync::LazyLock;

use goodput_charts::Phrases;
use goodput_sim::Seed;

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(include_str!("../text/en/lab.txt")));

/// How a value stands to its limit, by sign and word.
#[must_use]
pub fn check(passes: bool, limit: &str) -> String {
    let key = if passes { "check.within" } else { "check.over" };
    ENGLISH.say(key, &[("limit", limit)])
}

/// How the share of requests that meet the SLO stands to the planner's target.
#[must_use]
pub fn check_attainment(passes: bool, target: &str) -> String {
    let key = if passes { "check.attains" } else { "check.falls_short" };
    ENGLISH.say(key, &[("target", target)])
}

/// Which draw is in view.
#[must_use]
pub fn draw(seed: Seed) -> String {
    match seed {
        Seed::Lesson => ENGLISH.say("draw.lesson", &[]),
        Seed::Number(number) => ENGLISH.say("draw.number", &[("number", &number.to_string())]),
    }
}

/// What the table of the curves shows.
#[must_use]
pub fn table(seed: Seed) -> String {
    ENGLISH.say("table", &[("draw", &draw(seed))])
}

/// What a reader of values is called.
#[must_use]
pub fn reader(caption: &str) -> String {
    ENGLISH.say("reader", &[("caption", caption)])
}

#[cfg(test)]
mod tests {
    use goodput_sim::Seed;

    use super::{check, check_attainment, draw, reader, table};

    #[test]
    fn every_word_has_its_text() {
        assert_eq!(check(true, "1 s"), "✓ within 1 s");
        assert_eq!(check(false, "50 ms"), "✕ over 50 ms");
        assert_eq!(check_attainment(true, "99 %"), "✓ 99 % or more");
        assert_eq!(check_attainment(false, "99 %"), "✕ below 99 %");
        assert_eq!((draw(Seed::Lesson).as_str(), draw(Seed::Number(7)).as_str()), ("the lesson's draw", "draw 7"));
        assert_eq!(table(Seed::Number(7)), "Every tenth of a request/s, draw 7");
        assert_eq!(reader("Goodput"), "Read values: Goodput");
    }
}
