//! The learner's page: what was predicted, found, written and ticked, as titles with lines.

use crate::journal::{Journal, Kind};
use crate::say::checklist::Checklist;
use crate::say::quiz::Quiz;
use crate::say::words;

/// The page, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummarySheet {
    /// Title and lines of each section, in order.
    pub sections: Vec<(String, Vec<String>)>,
}

impl SummarySheet {
    /// Adds a section; one without lines says so.
    pub fn add(&mut self, title: String, mut lines: Vec<String>) {
        if lines.is_empty() {
            lines.push(words::nothing_yet());
        }
        self.sections.push((title, lines));
    }

    /// As plain text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = words::sheet_title();
        text.push('\n');
        for (title, lines) in &self.sections {
            text.push('\n');
            text.push_str(title);
            text.push('\n');
            for line in lines {
                text.push_str("- ");
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }
}

/// What the learner's own runs showed.
#[must_use]
pub fn found(journal: &Journal) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in Kind::ALL {
        if let Some(run) = journal.own(kind) {
            lines.push(words::found(kind, run));
        }
    }
    lines
}

/// How many points are ticked, then each that is, then what is left; nothing while none is.
#[must_use]
pub fn ticked(list: &Checklist, labels: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    if list.covered() == 0 {
        return lines;
    }
    lines.push(words::covered(list.covered(), list.points()));
    for wanted in [true, false] {
        for (ticked, label) in list.ticks().zip(labels) {
            if ticked == wanted {
                lines.push(words::point(ticked, label));
            }
        }
    }
    lines
}

/// What came of the quiz.
#[must_use]
pub fn sums(quiz: &Quiz) -> Option<String> {
    (quiz.tried > 0).then(|| words::sums(quiz.right, quiz.tried))
}

#[cfg(test)]
mod tests {
    use goodput_sim::{ValidScenario, run};
    use goodput_summary::Summary;

    use super::*;

    #[test]
    fn the_text_has_every_section_and_says_where_nothing_is() {
        let mut sheet = SummarySheet::default();
        sheet.add("Predicted".into(), vec!["p99 at 5: 300 ms".into(), "sure".into()]);
        sheet.add("Found".into(), Vec::new());
        assert_eq!(
            sheet.text(),
            "How do you measure LLM serving? My page\n\nPredicted\n- p99 at 5: 300 ms\n- sure\n\nFound\n- nothing yet\n"
        );
    }

    #[test]
    fn findings_are_those_of_ones_own_runs() {
        let mut journal = Journal::default();
        assert!(found(&journal).is_empty());
        for rate in [4.0, 5.0, 6.0] {
            let scenario = ValidScenario::default().at_rate(rate).expect("valid");
            journal.note(&Summary::new(&scenario, &run(&scenario)));
        }
        assert_eq!(
            found(&journal),
            [
                "At 5 requests/s (the lesson’s draw) the median TTFT was 81 ms, and p99 was 1.23 s.",
                "At 6 requests/s (the lesson’s draw) the server reached 1,142 tokens/s, my highest, and 0 % met the SLO.",
                "At 4 requests/s (the lesson’s draw) 100 % met the SLO: my highest rate with 99 % or more.",
            ]
        );
    }

    #[test]
    fn ticked_points_come_first() {
        let labels = ["a", "b", "c"].map(String::from);
        let names = || ["x", "y", "z"].map(String::from);
        assert!(ticked(&Checklist::new(names(), ""), &labels).is_empty());
        assert_eq!(
            ticked(&Checklist::new(names(), "y"), &labels),
            ["1 of 3 covered", "✓ b", "left out: a", "left out: c"]
        );
    }

    #[test]
    fn sums_are_told_once_one_was_tried() {
        let mut quiz = Quiz::default();
        assert_eq!(sums(&quiz), None);
        quiz.answer(Some(9.4));
        quiz.another();
        quiz.answer(Some(1.0));
        assert_eq!(sums(&quiz).as_deref(), Some("End-to-end sums: 1 right of 2 tried"));
    }
}
