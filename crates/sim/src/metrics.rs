//! From the records of a run to its metrics, as section 2 of MODEL.md defines them.

use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use crate::cost::CostModel;
use crate::distribution::Distribution;
use crate::limits::Limits;
use crate::little::LittlesLaw;
use crate::report::Report;
use crate::scenario::Scenario;
use crate::server::Records;
use crate::units::SimTime;
use crate::work::Work;

/// The span in which requests are measured: from the end of the warm-up to the horizon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) from: SimTime,
    pub(crate) to: SimTime,
}

impl Window {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        Self { from: SimTime::from_secs(scenario.warmup), to: SimTime::from_secs(scenario.horizon) }
    }

    /// Length of the window [s].
    pub(crate) fn length_s(self) -> f64 {
        (self.to - self.from).as_secs()
    }

    /// Whether an instant lies in the window, both ends included.
    pub(crate) fn holds(self, at: SimTime) -> bool {
        self.from <= at && at <= self.to
    }

    /// The part of rising `times` that lies in the window, both ends included, as a range of indices.
    fn range(self, times: &[SimTime]) -> Range<usize> {
        let first = times.partition_point(|&at| at < self.from);
        first..times.partition_point(|&at| at <= self.to).max(first)
    }

    /// The measured requests, in order of arrival: arrived at or after the warm-up, finished at or before the horizon.
    pub(crate) fn measured(self, records: &Records) -> impl Iterator<Item = usize> {
        self.arrived(records).filter(move |&request| self.finished(records, request))
    }

    /// Whether a request finished at or before the horizon.
    #[inline(always)]
    pub(crate) fn finished(self, records: &Records, request: usize) -> bool {
        records.departures.of(request).is_some_and(|finish| finish <= self.to)
    }

    /// The requests that arrived in the window and were let in.
    pub(crate) fn arrived(self, records: &Records) -> Range<usize> {
        self.range(&records.arrivals)
    }

    /// How many arrived in the window and were turned away.
    pub(crate) fn rejected(self, records: &Records) -> usize {
        self.range(&records.rejections).len()
    }

    /// Tokens that left the server in the window, whoever they belong to.
    ///
    /// Every decode step gives each running sequence a token, but for a sequence's last step, which closes its stream.
    pub(crate) fn tokens(self, records: &Records, costs: CostModel) -> u64 {
        let mut tokens = self.range(&records.first_tokens).len() as u64;
        for stretch in &records.stretches {
            let step = costs.decode_step(stretch.running);
            tokens += u64::from(stretch.running) * self.step_ends(stretch.decode_from, step, u64::from(stretch.steps));
        }
        tokens - self.range(records.departures.times()).len() as u64
    }

    /// How many of `steps` equal steps that start at `start` end in the window.
    pub(crate) fn step_ends(self, start: SimTime, step: SimTime, steps: u64) -> u64 {
        let end = start + step * steps;
        if self.from <= start && end <= self.to {
            return steps;
        }
        let before = if self.from <= start { 0 } else { ((self.from - start).steps_of(step) - 1).min(steps) };
        let after = if end <= self.to { 0 } else { (end - self.to).steps_of(step).min(steps) };
        steps - before - after
    }
}

/// Time that the server spends inside a step before the horizon [ns].
pub(crate) fn busy(records: &Records, horizon: SimTime, costs: CostModel) -> SimTime {
    let mut busy = SimTime::ZERO;
    for stretch in &records.stretches {
        let decode = costs.decode_step(stretch.running) * u64::from(stretch.steps);
        let length = stretch.decode_from - stretch.start + decode;
        busy += length.min(horizon.saturating_sub(stretch.start));
    }
    busy
}

/// The times of the measured requests, one of each kind for each.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// [ns]
    ttft: Vec<u64>,
    /// First token to end [ns]; where answers vary, what that is for each later token, as the bits of a number of [ns].
    streaming: Vec<u64>,
    /// [ns]
    e2e: Vec<u64>,
    /// Output tokens of them all.
    tokens: u64,
    /// How many met every SLO.
    good: u64,
}

impl Samples {
    /// Forgets everything, with room for so many. Keeps its memory.
    pub(crate) fn restart(&mut self, room: usize) {
        for samples in [&mut self.ttft, &mut self.streaming, &mut self.e2e] {
            samples.clear();
            samples.reserve(room);
        }
        (self.tokens, self.good) = (0, 0);
    }

    /// Takes the times of the measured requests of one server.
    pub(crate) fn take(&mut self, records: &Records, window: Window, limits: Limits, outputs_vary: bool) {
        let admitted = iter::zip(&records.arrivals, &records.first_tokens);
        let lives = iter::zip(admitted, records.departures.by_request()).enumerate();
        for (request, ((&arrival, &first_token), &finish)) in lives.skip(window.arrived(records).start) {
            if finish <= window.to {
                self.add(records.works.of(request), [arrival, first_token, finish], limits, outputs_vary);
            }
        }
    }

    /// Takes the times of one measured request: its arrival, its first token, its end.
    #[inline(always)]
    pub(crate) fn add(&mut self, work: Work, times: [SimTime; 3], limits: Limits, outputs_vary: bool) {
        let [arrival, first_token, finish] = times;
        let ttft = first_token - arrival;
        let streaming = work.streaming(first_token, finish);
        self.good += u64::from(ttft <= limits.ttft && streaming <= limits.streaming(work));
        self.tokens += u64::from(work.output);
        self.ttft.push(ttft.as_nanos());
        self.e2e.push((finish - arrival).as_nanos());
        self.streaming.push(if outputs_vary {
            // Bits of numbers that are not negative have the order of the numbers.
            (streaming.as_nanos() as f64 / f64::from(work.later_tokens().max(1))).to_bits()
        } else {
            streaming.as_nanos()
        });
    }

    /// All metrics of the run that these are the samples of.
    pub(crate) fn report(&mut self, scenario: &Scenario, outputs_vary: bool, totals: &Totals) -> Report {
        let window_s = Window::of(scenario).length_s();
        let &Totals { let_in, rejected, .. } = totals;
        let (completed, good) = (self.ttft.len() as u64, self.good);
        // Whoever was turned away missed the SLO.
        let judged = completed + rejected;
        Report {
            rate_per_s: scenario.rate,
            busy_fraction: totals.busy_fraction,
            offered: let_in + rejected,
            completed,
            unfinished: let_in - completed,
            rejected,
            throughput_tokens_per_s: self.tokens as f64 / window_s,
            throughput_requests_per_s: completed as f64 / window_s,
            server_output_tokens_per_s: totals.emitted as f64 / window_s,
            ttft_s: Distribution::of_nanos(&mut self.ttft),
            tpot_s: self.tpot(scenario.output, outputs_vary),
            itl_s: totals.itl_s,
            e2e_s: Distribution::of_nanos(&mut self.e2e),
            good,
            slo_attainment: (judged > 0).then(|| good as f64 / judged as f64),
            goodput_requests_per_s: good as f64 / window_s,
            littles_law: totals.littles_law,
            n_steps: totals.steps,
        }
    }

    /// The time per output token. Answers of one length, `output`, share the divisor, so their times stay whole.
    fn tpot(&mut self, output: u32, outputs_vary: bool) -> Option<Distribution> {
        match outputs_vary {
            true => Distribution::of_numbers(&mut self.streaming),
            false => Distribution::of_shared_nanos(&mut self.streaming, (output - 1).max(1)),
        }
    }
}

/// What a run adds up to, whoever the requests are.
#[derive(Debug)]
pub(crate) struct Totals {
    pub(crate) busy_fraction: f64,
    /// Requests that came in the window and were not turned away.
    pub(crate) let_in: u64,
    /// Requests that came in the window and were.
    pub(crate) rejected: u64,
    /// Tokens that left the servers in the window.
    pub(crate) emitted: u64,
    pub(crate) itl_s: Option<Distribution>,
    pub(crate) littles_law: Option<LittlesLaw>,
    /// Steps with decodes, prompts, or both.
    pub(crate) steps: u64,
}
