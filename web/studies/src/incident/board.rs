//! The dashboard as it is shown: small charts over one axis of time, each with its words and values.

use goodput_charts::{Axis, Unit, format};
use goodput_incidents::{BUCKET_S, Dashboard, Diagnosis, Game, Signal};

use crate::exhibit::Table;
use crate::words::say;

/// A small chart: one or two signals of the same unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What it shows, with the unit.
    pub title: String,
    /// Its lines, the more important one first.
    pub lines: Vec<Line>,
    /// Its y axis.
    pub axis: Axis,
    /// A limit in it, with its words.
    pub limit: Option<(f64, String)>,
}

/// A signal in a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Which one.
    pub signal: Signal,
    /// Its name where there are two; else empty.
    pub name: String,
    /// Its values over time.
    pub values: Vec<Option<f64>>,
}

/// A question that leads to the cause, and the signals of the panels that answer it.
type Question = (fn() -> String, &'static [&'static [Signal]]);

const QUESTIONS: [Question; 3] = [
    (|| say("incident.ask.users", &[]), &[&[Signal::TtftP99, Signal::TtftP50], &[Signal::Tpot], &[Signal::Waiting]]),
    (
        || say("incident.ask.load", &[]),
        &[&[Signal::Requests, Signal::NewRequests], &[Signal::Repeated], &[Signal::PromptTokens], &[Signal::CacheHits]],
    ),
    (
        || say("incident.ask.servers", &[]),
        &[
            &[Signal::TokensOfFirst, Signal::TokensOfSecond],
            &[Signal::Batch],
            &[Signal::StepTime],
            &[Signal::KvUsed],
            &[Signal::Preemptions],
            &[Signal::GpuBusy],
            &[Signal::Rejections],
        ],
    ),
];

/// The panels of an incident, by the question that each answers.
#[must_use]
pub fn board(game: &Game, dashboard: &Dashboard) -> Vec<(String, Vec<Panel>)> {
    let panels =
        |panels: &[&[Signal]]| panels.iter().map(|signals| panel(signals, game, dashboard)).collect::<Vec<Panel>>();
    QUESTIONS.iter().map(|(question, signals)| (question(), panels(signals))).collect()
}

fn panel(signals: &[Signal], game: &Game, dashboard: &Dashboard) -> Panel {
    let line = |&signal: &Signal| {
        let name = if signals.len() > 1 { name(signal) } else { String::new() };
        Line { signal, name, values: dashboard.series(signal).to_vec() }
    };
    let lines: Vec<Line> = signals.iter().map(line).collect();
    let limit_s = match signals[0] {
        Signal::TtftP99 => Some(game.scenario().get().slo_ttft_ms / 1000.0),
        Signal::Tpot => Some(game.scenario().get().slo_tpot_ms / 1000.0),
        _ => None,
    };
    let limit = limit_s.map(|seconds| (seconds, say("incident.slo", &[("time", &format::latency_tick(seconds))])));
    let values = lines.iter().flat_map(|line| line.values.iter().flatten());
    let most = values.copied().chain(limit_s).fold(0.0, f64::max);
    let axis = match signals[0] {
        Signal::TtftP99 => Axis::decades(0.01, most, Unit::Latency),
        Signal::Tpot | Signal::StepTime => Axis::coarse(most, Unit::Latency),
        Signal::Repeated | Signal::CacheHits | Signal::KvUsed | Signal::GpuBusy => Axis::linear(0.0, 1.0, Unit::Share),
        // At least one: so that next to nothing looks like it.
        _ => Axis::coarse(most.max(1.0), Unit::Count),
    };
    Panel { title: title(signals[0]), lines, axis, limit }
}

fn title(signal: Signal) -> String {
    match signal {
        Signal::TtftP99 | Signal::TtftP50 => say("incident.title.ttft", &[]),
        Signal::Tpot => say("incident.title.tpot", &[]),
        Signal::Waiting => say("incident.title.waiting", &[]),
        Signal::Requests | Signal::NewRequests => say("incident.title.requests", &[]),
        Signal::Repeated => say("incident.title.repeated", &[]),
        Signal::PromptTokens => say("incident.title.prompt", &[]),
        Signal::CacheHits => say("incident.title.hits", &[]),
        Signal::TokensOfFirst | Signal::TokensOfSecond => say("incident.title.tokens", &[]),
        Signal::Batch => say("incident.title.batch", &[]),
        Signal::StepTime => say("incident.title.step", &[]),
        Signal::KvUsed => say("incident.title.kv", &[]),
        Signal::KvPerRequest => say("incident.title.kv_each", &[]),
        Signal::Preemptions => say("incident.title.preemptions", &[]),
        Signal::GpuBusy => say("incident.title.busy", &[]),
        Signal::Rejections => say("incident.title.rejections", &[]),
    }
}

/// The name of a line that shares its panel.
fn name(signal: Signal) -> String {
    match signal {
        Signal::TtftP99 => say("incident.line.p99", &[]),
        Signal::TtftP50 => say("incident.line.p50", &[]),
        Signal::Requests => say("incident.line.all", &[]),
        Signal::NewRequests => say("incident.line.new", &[]),
        Signal::TokensOfFirst => say("incident.line.first", &[]),
        Signal::TokensOfSecond => say("incident.line.second", &[]),
        alone => title(alone),
    }
}

/// A value as its panel's unit is written.
#[must_use]
pub fn figure(signal: Signal, value: f64) -> String {
    match signal {
        Signal::Requests | Signal::NewRequests | Signal::Preemptions | Signal::Rejections => format::rate(tenth(value)),
        Signal::PromptTokens | Signal::TokensOfFirst | Signal::TokensOfSecond => format::count(whole(value)),
        Signal::Waiting | Signal::Batch => format::count(tenth(value)),
        Signal::Repeated | Signal::CacheHits | Signal::KvUsed | Signal::GpuBusy => format::percent(value),
        // Small, and read against each other.
        Signal::KvPerRequest => say("incident.percent", &[("value", &format::count(tenth(100.0 * value)))]),
        Signal::TtftP50 | Signal::TtftP99 | Signal::Tpot | Signal::StepTime => format::time(value),
    }
}

fn tenth(value: f64) -> f64 {
    f64::from((value * 10.0 + 0.5) as u32) / 10.0
}

fn whole(value: f64) -> f64 {
    f64::from((value + 0.5) as u32)
}

impl Line {
    /// Its classes in the style sheet: which of the lines of a panel it is, and whose colour it wears.
    #[must_use]
    pub fn classes(&self) -> &'static str {
        match self.signal {
            Signal::TtftP99 => "first p99",
            Signal::TtftP50 => "second p50",
            Signal::TokensOfFirst => "first tokens",
            Signal::TokensOfSecond => "second tokens",
            Signal::NewRequests => "second",
            _ => "first",
        }
    }
}

impl Panel {
    /// What it shows now, in one line: the range of the ten minutes and where they end. When something changed is for the
    /// reader to see.
    #[must_use]
    pub fn caption(&self) -> String {
        let parts = self.lines.iter().map(|line| {
            let values = || line.values.iter().flatten().copied();
            let low = values().fold(f64::INFINITY, f64::min);
            let high = values().fold(0.0, f64::max);
            let Some(last) = values().last() else { return String::new() };
            let [low, high, last] = [low, high, last].map(|value| figure(line.signal, value));
            let values = [("name", &line.name[..]), ("low", &low), ("high", &high), ("last", &last)];
            match line.name.is_empty() {
                true => say("incident.caption", &values),
                false => say("incident.caption.named", &values),
            }
        });
        parts.collect::<Vec<_>>().join("; ")
    }

    /// The picture in words: each line minute by minute.
    #[must_use]
    pub fn description(&self) -> String {
        let parts = self.lines.iter().map(|line| {
            let figures: Vec<String> = minutes(&line.values).map(|value| in_words(line.signal, value)).collect();
            let name = if line.name.is_empty() { &self.title } else { &line.name };
            say("incident.description", &[("name", name), ("figures", &figures.join("; "))])
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    /// The words at the ends of its y axis, the lower one first.
    #[must_use]
    pub fn ends(&self) -> [String; 2] {
        [self.axis.lo(), self.axis.hi()].map(|value| self.axis.unit().tick(value))
    }

    /// Whether it is the one that gives a cause away.
    #[must_use]
    pub fn tells(&self, truth: Diagnosis) -> bool {
        let shown = match truth.signature() {
            // A share of the memory for each is no panel: it is read off the memory and the batch.
            Signal::KvPerRequest => Signal::KvUsed,
            signal => signal,
        };
        self.lines.iter().any(|line| line.signal == shown)
    }
}

/// The mean of each minute.
fn minutes(values: &[Option<f64>]) -> impl Iterator<Item = Option<f64>> {
    values.chunks((60.0 / BUCKET_S) as usize).map(|minute| {
        let count = minute.iter().flatten().count();
        (count > 0).then(|| minute.iter().flatten().sum::<f64>() / count as f64)
    })
}

fn in_words(signal: Signal, value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| figure(signal, value))
}

/// The same as a table: a row for each minute.
#[must_use]
pub fn table(board: &[(String, Vec<Panel>)]) -> Table {
    let panels = || board.iter().flat_map(|(_, panels)| panels);
    let lines = || panels().flat_map(|panel| panel.lines.iter().map(move |line| (panel, line)));
    let column = |(panel, line): (&Panel, &Line)| match line.name.is_empty() {
        true => panel.title.clone(),
        false => say("incident.column", &[("title", &panel.title), ("name", &line.name)]),
    };
    let head = std::iter::once(say("incident.minute", &[])).chain(lines().map(column)).collect();
    let columns: Vec<Vec<String>> =
        lines().map(|(_, line)| minutes(&line.values).map(|value| in_words(line.signal, value)).collect()).collect();
    let count = columns.iter().map(Vec::len).min().unwrap_or(0);
    let row = |minute: usize| {
        let head = std::iter::once((minute + 1).to_string());
        head.chain(columns.iter().map(|column| column[minute].clone())).collect()
    };
    Table { caption: say("incident.table", &[]), head, rows: (0..count).map(row).collect() }
}

#[cfg(test)]
mod tests {
    use goodput_incidents::{Diagnosis, Signal};

    use super::{Panel, board, table};
    use crate::incident::play::Play;

    fn panels(play: &Play) -> Vec<Panel> {
        board(&play.game, &play.dashboard).into_iter().flat_map(|(_, panels)| panels).collect()
    }

    #[test]
    fn every_panel_has_its_words_and_every_value_its_place() {
        for number in 0..14 {
            let play = Play::new(number);
            let panels = panels(&play);
            for panel in &panels {
                let values = panel.lines.iter().flat_map(|line| line.values.iter().flatten());
                assert!(values.copied().all(|value| panel.axis.contains(value)), "{number}: {}", panel.title);
                assert!(panel.caption().contains("highest"), "{}", panel.caption());
                assert_eq!(panel.description().matches("; ").count(), 9 * panel.lines.len(), "{}", panel.description());
            }
            let table = table(&board(&play.game, &play.dashboard));
            assert_eq!(table.rows.len(), 10);
            assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
        }
    }

    /// The words under the charts name ends and ranges; neither a cause nor when it set in.
    #[test]
    fn no_panel_names_a_cause() {
        let play = Play::new(11);
        let panels = panels(&play);
        let onset = play.game.onset_s().to_string();
        for panel in &panels {
            let words = format!("{} {} {}", panel.title, panel.caption(), panel.description()).to_lowercase();
            for cause in ["burst", "long", "cleared", "lost", "pressure", "slow", "storm", "retry", "before", &onset] {
                assert!(!words.contains(cause), "{cause}: {words}");
            }
        }
    }

    #[test]
    fn every_cause_has_one_panel_that_tells() {
        let play = Play::new(0);
        let panels = panels(&play);
        for truth in Diagnosis::ALL {
            assert_eq!(panels.iter().filter(|panel| panel.tells(truth)).count(), 1, "{truth:?}");
        }
        assert!(panels[0].lines[0].signal == Signal::TtftP99, "what users feel comes first");
    }
}
