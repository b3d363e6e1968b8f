//! Inter-token latency: the gaps between consecutive tokens, pooled over all tokens of all measured requests.

use alloc::vec::Vec;
use core::ops::Range;

use crate::cost::CostModel;
use crate::distribution::Distribution;
use crate::metrics::Window;
use crate::quantile::Weighted;
use crate::server::Records;
use crate::units::{SimTime, count_upto};

/// Which requests are measured.
struct Measured<'r> {
    records: &'r Records,
    window: Window,
    /// Where requests leave in order of arrival the measured ones are neighbours, and counting them is subtracting.
    in_order: bool,
    /// All measured requests are among these; if `in_order`, these are they.
    among: Range<usize>,
}

impl<'r> Measured<'r> {
    fn of(records: &'r Records, window: Window) -> Self {
        let in_order = records.departures.in_order();
        let mut among = window.arrived(records);
        if in_order {
            among.end = count_upto(records.departures.times(), window.to).max(among.start);
        }
        Self { records, window, in_order, among }
    }

    /// Those of some requests among whom the measured ones are.
    #[inline(always)]
    fn clip(&self, requests: &Range<usize>) -> Range<usize> {
        let start = requests.start.max(self.among.start);
        start..requests.end.min(self.among.end).max(start)
    }

    /// Whether a request that was not clipped is measured.
    #[inline(always)]
    fn includes(&self, request: usize) -> bool {
        self.in_order || self.window.finished(self.records, request)
    }

    /// How many are measured of those that left at some places of the order of leaving.
    fn count_leavers(&self, places: &Range<usize>) -> u64 {
        if self.in_order {
            return self.clip(places).len() as u64;
        }
        let departures = &self.records.departures;
        let is_measured = |request: &usize| self.among.contains(request) && self.includes(*request);
        places.clone().map(|place| departures.who(place)).filter(is_measured).count() as u64
    }
}

/// A time between two tokens.
#[derive(Clone, Copy)]
struct Gap {
    /// The batch in the decode step that ends it.
    running: u32,
    /// Prefills in it.
    prefills: u32,
    /// How long it is [ns].
    length: SimTime,
}

/// Where all prefills are equal, gaps across fewer prefills than this are counted by batch size. All others are listed.
const COUNTED_PREFILLS: u32 = 8;

/// How often each gap of the measured requests occurred.
///
/// All gaps of a stretch but those across its prefills are equal, so they are counted, not listed:
/// the cost grows with requests, not with tokens.
#[derive(Debug, Default)]
pub(crate) struct Gaps {
    /// Gaps across fewer prefills than this are counted.
    counted_prefills: u32,
    /// One of the prefills that are counted.
    prefill: SimTime,
    /// Counts at `running * COUNTED_PREFILLS + prefills`.
    counted: Vec<u64>,
    listed: Vec<Weighted>,
    samples: Vec<Weighted>,
}

impl Gaps {
    /// Forgets everything, with room for the batches of these servers.
    pub(crate) fn restart(&mut self, max_batch: u32, servers: &[Records]) {
        let equal_prefills = servers.iter().all(|records| records.works.are_equal());
        self.counted_prefills = if equal_prefills { COUNTED_PREFILLS } else { 1 };
        self.prefill = servers.first().map_or(SimTime::ZERO, |records| records.works.of(0).prefill);
        self.counted.clear();
        self.counted.resize((max_batch as usize + 1) * COUNTED_PREFILLS as usize, 0);
        self.listed.clear();
    }

    /// Counts the gaps of one server.
    pub(crate) fn count(&mut self, records: &Records, window: Window, costs: CostModel) {
        let measured = Measured::of(records, window);
        let (mut admitted, mut left) = (0, 0);
        // Measured sequences in the batch before the stretch.
        let mut continuing = 0;
        for stretch in &records.stretches {
            let newcomers = admitted..admitted + stretch.admitted as usize;
            let leavers = left..left + stretch.finished as usize;
            (admitted, left) = (newcomers.end, leavers.end);
            let step = costs.decode_step(stretch.running);
            let gap = |prefills, stall| Gap { running: stretch.running, prefills, length: stall + step };
            let mut running = continuing;
            // A sequence's last decode step closes its stream and gives no token; of a one-token answer that is the first one.
            let mut one_token = 0;
            for request in measured.clip(&newcomers).filter(|&request| measured.includes(request)) {
                running += 1;
                if records.works.of(request).later_tokens() == 0 {
                    one_token += 1;
                } else {
                    let prefills_after_own = (newcomers.end - 1 - request) as u32;
                    self.add(gap(prefills_after_own, stretch.decode_from - records.first_tokens[request]), 1);
                }
            }
            let leaving = measured.count_leavers(&leavers);
            let (leave_first_step, leave_later) = if stretch.steps == 1 { (leaving, 0) } else { (0, leaving) };
            let across_all = continuing + one_token - leave_first_step;
            self.add(gap(stretch.admitted, stretch.decode_from - stretch.start), across_all);
            self.add(gap(0, SimTime::ZERO), running * u64::from(stretch.steps - 1) - leave_later);
            continuing = running - leaving;
        }
    }

    /// Of all of them; `None` when no request has two tokens.
    pub(crate) fn distribution(&mut self, costs: CostModel) -> Option<Distribution> {
        Distribution::of_weighted(self.weighted(costs))
    }

    #[inline(always)]
    fn add(&mut self, gap: Gap, times: u64) {
        if gap.prefills < self.counted_prefills {
            self.counted[(gap.running * COUNTED_PREFILLS + gap.prefills) as usize] += times;
        } else if times > 0 {
            self.list(gap.length, times);
        }
    }

    #[inline(never)]
    fn list(&mut self, length: SimTime, times: u64) {
        self.listed.push(Weighted { value: length.as_nanos(), weight: times });
    }

    /// The gaps in nanoseconds, each with the number of times it occurred.
    fn weighted(&mut self, costs: CostModel) -> &mut [Weighted] {
        let prefill = self.prefill;
        let counted =
            (0..).zip(&self.counted).map(|(at, &times)| (at / COUNTED_PREFILLS, at % COUNTED_PREFILLS, times));
        let counted = counted.filter(|&(_, _, times)| times > 0).map(|(running, prefills, weight)| {
            let gap = prefill * u64::from(prefills) + costs.decode_step(running);
            Weighted { value: gap.as_nanos(), weight }
        });
        self.samples.clear();
        self.samples.extend(self.listed.iter().copied().chain(counted));
        &mut self.samples
    }
}
