//! Arrival rates as a lab has them, and which of them the slider offers.

use goodput_sim::{Scenario, theory};

/// An arrival rate of a lab [hundredths of a request/s]: whole, so that steps do not drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(i32);

impl Rate {
    /// The lowest rate that a lab takes: 0.01 requests/s.
    pub const MIN: Self = Self(1);
    /// The highest rate that a lab takes: 1,000 requests/s.
    pub const MAX: Self = Self(100_000);
    /// A tenth of a request/s.
    pub const TENTH: Self = Self(10);
    /// Where a lab starts: 5 requests/s.
    pub const START: Self = Self(500);
    /// Where a covered lab starts, and the highest rate that it shows: 4 requests/s.
    pub const COVER: Self = Self(400);

    /// The nearest rate that a lab takes.
    #[must_use]
    pub fn nearest(per_s: f64) -> Self {
        Self((per_s * 100.0).round() as i32).clamp(Self::MIN, Self::MAX)
    }

    /// The rate [requests/s].
    #[must_use]
    pub fn per_s(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The nearest whole tenth of a request/s, at least one.
    #[must_use]
    pub fn tenth(self) -> Self {
        Self((self.0 + 5) / 10 * 10).clamp(Self::TENTH, Self::MAX)
    }

    /// The rate some tenths of a request/s away.
    #[must_use]
    pub fn moved(self, tenths: i32) -> Self {
        Self(self.0.saturating_add(tenths.saturating_mul(10))).clamp(Self::MIN, Self::MAX)
    }

    /// As a field shows it: `5.0`, `5.84`.
    #[must_use]
    pub fn text(self) -> String {
        let (whole, hundredths) = (self.0 / 100, self.0 % 100);
        match hundredths % 10 {
            0 => format!("{whole}.{}", hundredths / 10),
            _ => format!("{whole}.{hundredths:02}"),
        }
    }
}

/// Where spans may end: a step [hundredths of a request/s], and how many of them. Each end is at most half as far again
/// as the one before, so that the capacity never stands far from the same place.
const ENDS: [(i32, i32); 8] = [(1, 80), (2, 60), (2, 80), (3, 80), (4, 80), (5, 80), (6, 80), (8, 80)];

/// So far beyond the capacity a span goes at least, as a factor: what lies past it has to be seen.
const BEYOND: f64 = 1.2;

/// What the slider offers: multiples of a step, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The lower end; below a step it is a rate on its own.
    pub from: Rate,
    /// The upper end.
    pub to: Rate,
    /// From one position of the slider to the next.
    pub step: Rate,
}

impl Span {
    /// The lesson's: 0.5 to 8 requests/s.
    pub const LESSON: Self = Self { from: Rate(50), to: Rate(800), step: Rate(10) };

    /// The span for a scenario: it goes past the capacity, it holds the scenario's own rate, and every rate in it can be
    /// simulated, if that one can.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        let rate = Rate::nearest(scenario.rate);
        let wanted = Rate::nearest(BEYOND * theory::capacity(scenario)).max(rate);
        let spans: Vec<Self> = Self::all().collect();
        let [least, widest] = [rate, wanted].map(|rate| spans.partition_point(|span| span.to < rate));
        let can_run = |span: &Self| Scenario { rate: span.to.per_s(), ..scenario.clone() }.validate().is_ok();
        let runs = spans[least..=widest].iter().rfind(|span| can_run(span));
        let span = runs.unwrap_or(&spans[least]);
        span.down_to(span.round(rate))
    }

    /// Every span, the narrowest first. The widest ends at [`Rate::MAX`].
    fn all() -> impl Iterator<Item = Self> {
        let narrowest = [(1, 10), (1, 20), (1, 40)].into_iter();
        let others = [1, 10, 100].into_iter().flat_map(|times| ENDS.map(|(step, count)| (step * times, count)));
        narrowest.chain(others).chain([(1000, 80), (1250, 80)]).map(|(step, count)| Self {
            from: Rate(step * (count / 16).max(1)),
            to: Rate(step * count),
            step: Rate(step),
        })
    }

    /// The same span, begun low enough for a rate.
    fn down_to(self, rate: Rate) -> Self {
        let from = if rate < self.from { self.step.min(rate) } else { self.from };
        Self { from, ..self }
    }

    /// The nearest rate that can be asked for here: a tenth of a request/s, or a hundredth where the slider is finer than
    /// that.
    #[must_use]
    pub fn round(self, rate: Rate) -> Rate {
        if self.step < Rate::TENTH { rate } else { rate.tenth() }
    }

    /// The nearest rate between the ends.
    #[must_use]
    pub fn clamp(self, rate: Rate) -> Rate {
        rate.clamp(self.from, self.to)
    }

    /// The position of the slider after the one at or beside a rate, or the one before it.
    #[must_use]
    pub fn beside(self, rate: Rate, up: bool) -> Rate {
        let step = self.step.0;
        let steps = if up { rate.0.div_euclid(step) + 1 } else { -(-rate.0).div_euclid(step) - 1 };
        self.clamp(Rate(steps * step))
    }

    /// Every position of the slider.
    pub fn rates(self) -> impl Iterator<Item = Rate> {
        let Self { from, to, step: Rate(step) } = self;
        let below_a_step = (from.0 < step).then_some(from);
        let steps = ((from.0 + step - 1) / step..=to.0 / step).map(move |count| Rate(count * step));
        below_a_step.into_iter().chain(steps)
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Autoscale, FIELDS, Scenario, theory};

    use super::{Rate, Span};

    #[test]
    fn the_lessons_span_is_the_lessons() {
        let lesson = Scenario::default();
        for rate in [0.5, 5.0, 5.84, 8.0] {
            assert_eq!(Span::of(&Scenario { rate, ..lesson.clone() }), Span::LESSON);
        }
        let rates: Vec<f64> = Span::LESSON.rates().map(Rate::per_s).collect();
        assert_eq!((rates.len(), rates[0], rates[45], rates[75]), (76, 0.5, 5.0, 8.0));
    }

    #[test]
    fn a_span_goes_past_the_capacity_and_has_room_to_read() {
        let replicas = |replicas| Scenario { replicas, ..Scenario::default() };
        for (scenario, to) in [
            (replicas(2), 16.0),
            (replicas(8), 64.0),
            (replicas(64), 480.0),
            (Scenario { prefill_replicas: 1, ..Scenario::default() }, 12.0),
            (Scenario { cached_share: 0.7, cached_prompt: 0.8, ..Scenario::default() }, 12.0),
            (Scenario { rate: 0.3, max_batch: 1, ..Scenario::default() }, 0.8),
            (Scenario { rate: 3.0, max_batch: 32, ..Scenario::default() }, 6.4),
            (Scenario { autoscale: Autoscale::Queue, max_replicas: 4, ..Scenario::default() }, 32.0),
        ] {
            let span = Span::of(&scenario);
            let capacity = theory::capacity(&scenario);
            assert_eq!(span.to.per_s(), to, "{scenario:?}");
            assert!((1.2..=1.8).contains(&(to / capacity)), "{to} for {capacity}");
            assert!((57..=81).contains(&span.rates().count()), "{span:?}");
        }
    }

    #[test]
    fn no_rate_is_ever_outside_and_every_one_inside_can_be_simulated() {
        let mut servers = vec![
            Scenario::default(),
            Scenario { replicas: 64, horizon: 3600.0, ..Scenario::default() },
            Scenario { max_batch: 1, ..Scenario::default() },
            Scenario { step_ms: 1e4, ..Scenario::default() },
            Scenario { step_ms: 0.001, per_seq_ms: 0.0, prefill_ms_per_1k: 0.0, ..Scenario::default() },
            Scenario { spike_factor: 100.0, ..Scenario::default() },
        ];
        servers.extend(FIELDS.iter().filter(|field| field.name != "rate").flat_map(|field| {
            [field.min, field.max].into_iter().filter_map(|value| {
                let mut server = Scenario::default();
                server.set_number(field.name, value).ok()?;
                Some(server)
            })
        }));
        for server in servers {
            for rate in [0.01, 0.05, 0.3, 0.47, 1.0, 5.0, 5.84, 12.0, 41.5, 800.5, 1000.0] {
                let scenario = Scenario { rate, ..server.clone() };
                if scenario.clone().validate().is_err() {
                    continue;
                }
                let span = Span::of(&scenario);
                assert!((span.from..=span.to).contains(&span.round(Rate::nearest(rate))), "{rate} in {span:?}");
                let rates: Vec<Rate> = span.rates().collect();
                assert!(rates.is_sorted() && rates.len() <= 81, "{span:?}");
                assert_eq!((rates.first(), rates.last()), (Some(&span.from), Some(&span.to)));
                assert!(
                    Scenario { rate: span.to.per_s(), ..scenario }.validate().is_ok() || span.to > Rate::nearest(rate)
                );
            }
        }
    }

    #[test]
    fn the_buttons_go_from_position_to_position() {
        let beside = |rate, up| Span::LESSON.beside(Rate::nearest(rate), up).per_s();
        assert_eq!([5.0, 5.04, 7.95, 8.0].map(|rate| beside(rate, true)), [5.1, 5.1, 8.0, 8.0]);
        assert_eq!([5.0, 5.04, 0.55, 0.5].map(|rate| beside(rate, false)), [4.9, 5.0, 0.5, 0.5]);
    }

    #[test]
    fn a_rate_goes_in_tenths_unless_the_slider_is_finer() {
        let round = |span: Span, rate| span.round(Rate::nearest(rate)).per_s();
        assert_eq!([5.0, 5.04, 5.84, 7.95, 0.02].map(|rate| round(Span::LESSON, rate)), [5.0, 5.0, 5.8, 8.0, 0.1]);
        let lone = Span::of(&Scenario { rate: 0.43, max_batch: 1, ..Scenario::default() });
        assert_eq!([0.43, 0.434, 0.02].map(|rate| round(lone, rate)), [0.43, 0.43, 0.02]);
    }

    #[test]
    fn a_rate_reads_with_as_many_digits_as_it_has() {
        let text = |rate| Rate::nearest(rate).text();
        assert_eq!([5.0, 5.1, 5.84, 0.05, 1000.0].map(text), ["5.0", "5.1", "5.84", "0.05", "1000.0"]);
    }
}
