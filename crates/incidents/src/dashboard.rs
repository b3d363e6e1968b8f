//! What operations would see of a run: from its records alone, never from what was simulated.

use alloc::vec::Vec;

use goodput_sim::{Distribution, FleetRecords, FleetStretch, Life, SimTime};

use crate::buckets::Buckets;
use crate::signal::Signal;

/// Length of the parts of time that a dashboard shows a value for [s].
pub const BUCKET_S: f64 = 10.0;

/// Every [`Signal`] of a run, a value for each [`BUCKET_S`]; none where there was nothing to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Dashboard {
    series: Vec<Vec<Option<f64>>>,
}

impl Dashboard {
    /// What the records of a fleet show up to the horizon [s].
    #[must_use]
    pub fn of(records: &FleetRecords, horizon_s: f64) -> Self {
        let mut sums = Sums::new((horizon_s / BUCKET_S) as usize);
        for life in &records.lives {
            sums.take_life(life);
        }
        for (place, replica) in records.replicas.iter().enumerate() {
            for stretch in &replica.stretches {
                sums.take_stretch(place, stretch);
            }
            for pair in replica.stretches.windows(2) {
                sums.preemptions.add(pair[1].start.as_secs(), preempted(&pair[0], &pair[1]));
            }
        }
        let replicas = records.replicas.len() as f64;
        Self { series: Signal::ALL.map(|signal| sums.series(signal, replicas)).into() }
    }

    /// A signal over time: the value of each [`BUCKET_S`], from time zero on.
    #[must_use]
    pub fn series(&self, signal: Signal) -> &[Option<f64>] {
        &self.series[signal as usize]
    }

    /// The mean of a signal over the parts of time that lie between two instants [s]; `None` without a value.
    #[must_use]
    pub fn level(&self, signal: Signal, from_s: f64, to_s: f64) -> Option<f64> {
        let is_between = |place: usize| from_s <= place as f64 * BUCKET_S && (place + 1) as f64 * BUCKET_S <= to_s;
        let series = self.series(signal).iter().enumerate();
        let values = || series.clone().filter(|&(place, _)| is_between(place)).filter_map(|(_, value)| *value);
        let count = values().count();
        (count > 0).then(|| values().sum::<f64>() / count as f64)
    }
}

/// How many gave way at the boundary between two stretches of a replica. Nobody is admitted at such a boundary, so the
/// batch tells.
fn preempted(earlier: &FleetStretch, later: &FleetStretch) -> f64 {
    let is_boundary = earlier.end() == later.start;
    let stayed = earlier.running - earlier.finished;
    if is_boundary { f64::from(stayed.saturating_sub(later.running)) } else { 0.0 }
}

/// What is added up, each in its part of the time.
struct Sums {
    received: Buckets,
    repeated: Buckets,
    rejected: Buckets,
    prompt_tokens: Buckets,
    cached_tokens: Buckets,
    ttft_nanos: Vec<Vec<u64>>,
    tpot_s: Buckets,
    finished: Buckets,
    waiting_s: Buckets,
    tokens: [Buckets; 2],
    batch_s: Buckets,
    step_s: Buckets,
    decoding_s: Buckets,
    kv_used_s: Buckets,
    working_s: Buckets,
    preemptions: Buckets,
}

impl Sums {
    fn new(count: usize) -> Self {
        let none = || Buckets::new(count, BUCKET_S);
        Self {
            received: none(),
            repeated: none(),
            rejected: none(),
            prompt_tokens: none(),
            cached_tokens: none(),
            ttft_nanos: alloc::vec![Vec::new(); count],
            tpot_s: none(),
            finished: none(),
            waiting_s: none(),
            tokens: [none(), none()],
            batch_s: none(),
            step_s: none(),
            decoding_s: none(),
            kv_used_s: none(),
            working_s: none(),
            preemptions: none(),
        }
    }

    fn take_life(&mut self, life: &Life) {
        let sent_s = life.sent.as_secs();
        self.received.add(sent_s, 1.0);
        self.repeated.add(sent_s, if life.attempt > 0 { 1.0 } else { 0.0 });
        self.rejected.add(sent_s, if life.rejected { 1.0 } else { 0.0 });
        self.prompt_tokens.add(sent_s, f64::from(life.lengths.prompt));
        self.cached_tokens.add(sent_s, f64::from(life.lengths.cached));
        if !life.rejected {
            self.waiting_s.spread(sent_s, life.admitted.unwrap_or(SimTime::MAX).as_secs(), 1.0);
        }
        let Some(first_token) = life.first_token else { return };
        if let Some(times) = self.ttft_nanos.get_mut((first_token.as_secs() / BUCKET_S) as usize) {
            times.push((first_token - life.sent).as_nanos());
        }
        if let Some(finish) = life.finish
            && life.lengths.output > 1
        {
            let streaming_s = (finish - first_token).as_secs();
            self.tpot_s.add(finish.as_secs(), streaming_s / f64::from(life.lengths.output - 1));
            self.finished.add(finish.as_secs(), 1.0);
        }
    }

    fn take_stretch(&mut self, replica: usize, stretch: &FleetStretch) {
        let [start, decode, end] = [stretch.start, stretch.steps_from, stretch.end()].map(SimTime::as_secs);
        let (running, step_s) = (f64::from(stretch.running), stretch.step.as_secs());
        self.working_s.spread(start, end, 1.0);
        self.kv_used_s.spread(start, end, f64::from(stretch.used_blocks) / f64::from(stretch.total_blocks.max(1)));
        self.decoding_s.spread(decode, end, 1.0);
        self.batch_s.spread(decode, end, running);
        self.step_s.spread(decode, end, step_s);
        // The step that closes a stream gives it no token; it stands for the first one, which came before any step.
        if let Some(tokens) = self.tokens.get_mut(replica) {
            tokens.spread(decode, end, running / step_s);
        }
    }

    /// A signal of a fleet of so many replicas.
    fn series(&self, signal: Signal, replicas: f64) -> Vec<Option<f64>> {
        let per_s = |sums: &Buckets| sums.over(BUCKET_S);
        match signal {
            Signal::Requests => per_s(&self.received),
            Signal::NewRequests => both(&per_s(&self.received), &per_s(&self.repeated), |all, again| all - again),
            Signal::Repeated => self.repeated.per(&self.received),
            Signal::PromptTokens => self.prompt_tokens.per(&self.received),
            Signal::CacheHits => self.cached_tokens.per(&self.prompt_tokens),
            Signal::TtftP50 => self.ttft(|times| times.p50),
            Signal::TtftP99 => self.ttft(|times| times.p99),
            Signal::Tpot => self.tpot_s.per(&self.finished),
            Signal::Waiting => per_s(&self.waiting_s),
            Signal::Batch => self.batch_s.per(&self.decoding_s),
            Signal::TokensOfFirst => per_s(&self.tokens[0]),
            Signal::TokensOfSecond => per_s(&self.tokens[1]),
            Signal::KvUsed => self.kv_used_s.per(&self.working_s),
            Signal::KvPerRequest => {
                let [used, batch] = [Signal::KvUsed, Signal::Batch].map(|signal| self.series(signal, replicas));
                both(&used, &batch, |used, batch| used / batch)
            }
            Signal::Preemptions => per_s(&self.preemptions),
            Signal::StepTime => self.step_s.per(&self.decoding_s),
            Signal::GpuBusy => self.working_s.over(BUCKET_S * replicas),
            Signal::Rejections => per_s(&self.rejected),
        }
    }

    fn ttft(&self, which: fn(Distribution) -> f64) -> Vec<Option<f64>> {
        self.ttft_nanos.iter().map(|times| Distribution::of_nanos(&mut times.clone()).map(which)).collect()
    }
}

/// Two series made into one, where both have a value.
fn both(one: &[Option<f64>], other: &[Option<f64>], join: fn(f64, f64) -> f64) -> Vec<Option<f64>> {
    one.iter().zip(other).map(|(one, other)| Some(join((*one)?, (*other)?))).collect()
}
