//! The whole of a fleet from instant to instant.

use alloc::vec;
use alloc::vec::Vec;

use super::autoscaler::Autoscaler;
use super::clients::{Clients, Marks};
use super::life::{Life, Progress};
use super::prefill_pool::PrefillPool;
use super::replica::Replica;
use super::router::Router;
use super::rules::Rules;
use super::{FleetRecords, ReplicaRecords};
use crate::lengths::Lengths;
use crate::scenario::{Scenario, ValidScenario};
use crate::server::{Offered, Stop};
use crate::units::SimTime;

/// How far a way shifts when a request has to go another one: the fraction of the golden ratio, which spreads best.
const ANOTHER_WAY: f64 = 0.618_033_988_749_894_9;

/// Simulates a fleet. All that is in `records` is overwritten; its memory is kept.
pub(crate) fn simulate(
    scenario: &ValidScenario,
    stop: Stop,
    offered: Offered<'_>,
    marks: &[Marks],
    records: &mut FleetRecords,
) {
    Simulation::new(scenario.get(), stop, offered, marks, records).run();
}

struct Simulation<'r> {
    rules: Rules,
    usual: Lengths,
    high_share: f64,
    offered: Offered<'r>,
    marks: &'r [Marks],
    /// How many of those that are offered were wanted so far.
    wanted: usize,
    /// When the next of them is wanted; [`SimTime::MAX`] for never.
    next_want: SimTime,
    clients: Clients,
    pool: Option<PrefillPool>,
    router: Router,
    autoscaler: Autoscaler,
    replicas: Vec<Replica>,
    /// When the stretch under way at each replica ends; [`SimTime::MAX`] between steps. Side by side, because all of them
    /// are looked at whenever one ends.
    ends: Vec<SimTime>,
    /// The first of these.
    first_end: SimTime,
    /// Replicas that may begin a step at this instant.
    between_steps: Vec<u32>,
    records: &'r mut FleetRecords,
    now: SimTime,
    /// When the incident sets in, until it has.
    incident: Option<SimTime>,
    /// When the incident sets in, the autoscaler looks, or an order is ready.
    next_turn: SimTime,
    /// The first replica holds requests that it will not serve.
    must_abandon: bool,
}

impl<'r> Simulation<'r> {
    fn new(
        scenario: &Scenario,
        stop: Stop,
        offered: Offered<'r>,
        marks: &'r [Marks],
        records: &'r mut FleetRecords,
    ) -> Self {
        let rules = Rules::of(scenario, stop);
        let autoscaler = Autoscaler::of(scenario);
        records.restart(offered.arrivals.len(), autoscaler.most());
        let replicas: Vec<_> = (0..)
            .zip(&mut records.replicas)
            .map(|(index, records)| Replica::new(index, &rules, core::mem::take(&mut records.stretches)))
            .collect();
        let mut simulation = Self {
            usual: Lengths { prompt: scenario.prompt, cached: 0, output: scenario.output },
            high_share: scenario.high_share,
            offered,
            marks,
            wanted: 0,
            next_want: SimTime::MAX,
            clients: Clients::of(scenario),
            pool: (scenario.prefill_replicas > 0).then(|| PrefillPool::of(scenario.prefill_replicas)),
            router: Router::new(scenario.routing),
            autoscaler,
            ends: vec![SimTime::MAX; replicas.len()],
            first_end: SimTime::MAX,
            between_steps: Vec::new(),
            replicas,
            records,
            now: SimTime::ZERO,
            incident: scenario.incident.map(|incident| SimTime::from_secs(incident.from)),
            next_turn: SimTime::MAX,
            must_abandon: false,
            rules,
        };
        simulation.plan_want();
        simulation.plan_turn();
        simulation
    }

    /// From instant to instant, until nothing more happens.
    fn run(mut self) {
        loop {
            self.now = self.next_instant();
            if self.now == SimTime::MAX {
                break;
            }
            self.end_steps();
            if self.now == self.next_turn {
                self.turn();
            }
            if self.now < self.rules.stop_at {
                if self.must_abandon {
                    self.abandon_what_is_lost();
                }
                self.come();
                self.begin_steps();
            }
        }
        self.close();
    }

    /// The next instant at which something happens; [`SimTime::MAX`] for none.
    fn next_instant(&mut self) -> SimTime {
        let next = self.next_want.min(self.next_turn).min(self.first_end);
        if self.clients.next() <= next {
            self.clients.forget_answered(&self.records.lives);
        }
        let next = next.min(self.clients.next());
        match &self.pool {
            Some(pool) => next.min(pool.next(self.rules.stop_at)),
            None => next,
        }
    }

    fn plan_want(&mut self) {
        self.next_want = match self.offered.arrivals.get(self.wanted) {
            Some(&at) if at < self.rules.horizon => at,
            _ => SimTime::MAX,
        };
    }

    fn plan_turn(&mut self) {
        let turns = self.incident.into_iter().chain(self.autoscaler.next());
        self.next_turn = turns.filter(|&at| at < self.rules.horizon).min().unwrap_or(SimTime::MAX);
    }

    fn end_steps(&mut self) {
        if self.first_end == self.now {
            self.first_end = SimTime::MAX;
            for place in 0..self.ends.len() {
                let end = self.ends[place];
                if end == self.now {
                    self.ends[place] = SimTime::MAX;
                    self.end_step(place);
                } else {
                    self.first_end = self.first_end.min(end);
                }
            }
        }
        if let Some(pool) = &mut self.pool {
            pool.complete(self.now, &mut self.records.lives, &self.rules);
        }
    }

    fn end_step(&mut self, place: usize) {
        self.between_steps.push(place as u32);
        let replica = &mut self.replicas[place];
        let finished = replica.complete(&mut self.records.lives, &mut self.records.stints);
        for _ in 0..finished {
            self.records.finishes.push(self.now);
        }
        self.clients.answered(finished, self.now, &self.records.lives);
        if replica.is_empty() {
            self.autoscaler.switch_off_if_draining(place, self.now);
        }
    }

    /// The incident sets in, the autoscaler looks, and what it ordered is ready.
    fn turn(&mut self) {
        if self.incident == Some(self.now) {
            self.incident = None;
            if self.rules.first_is_lost(self.now) {
                self.autoscaler.lose_first();
                self.must_abandon = true;
            }
        }
        self.records.scaling.extend(self.autoscaler.tick(self.now, &self.replicas));
        self.autoscaler.make_ready(self.now);
        self.plan_turn();
    }

    /// What a lost server holds goes to the others, between two of its steps: also after the horizon.
    fn abandon_what_is_lost(&mut self) {
        if self.ends[0] != SimTime::MAX {
            return;
        }
        self.must_abandon = false;
        let FleetRecords { lives, stints, .. } = &mut *self.records;
        let all = self.replicas[0].abandon(self.now, lives, stints);
        self.autoscaler.switch_off_if_draining(0, self.now);
        for request in all {
            let progress = &mut self.records.lives[request as usize].progress;
            progress.route = another_way(progress.route);
            self.route(request as u32);
        }
    }

    /// Requests come: those whose clients are back, those that are wanted, those sent again, those delivered; and once more
    /// while that makes others come at the same instant.
    fn come(&mut self) {
        while self.next_want.min(self.clients.next()) <= self.now {
            while let Some(drawn) = self.clients.pop_returning(self.now, &self.records.lives) {
                self.send(drawn);
            }
            while self.next_want == self.now {
                let drawn = self.wanted;
                self.wanted += 1;
                self.plan_want();
                if self.clients.want(drawn) {
                    self.send(drawn);
                }
            }
            while let Some(request) = self.clients.pop_impatient(self.now, &self.records.lives) {
                if !self.records.lives[request as usize].has_token_at(self.now) {
                    self.send_again(request);
                }
            }
        }
        while let Some(request) = self.pool.as_mut().and_then(|pool| pool.pop_delivered(self.now)) {
            self.route(request);
        }
    }

    fn send(&mut self, drawn: usize) {
        let Marks { route, priority } = self.marks[drawn];
        self.send_life(drawn, route, priority < self.high_share, 0);
    }

    fn send_again(&mut self, request: u32) {
        let &Life { high, attempt, progress: Progress { drawn, route, .. }, .. } =
            &self.records.lives[request as usize];
        self.send_life(drawn as usize, another_way(route), high, attempt + 1);
    }

    fn send_life(&mut self, drawn: usize, route: f64, high: bool, attempt: u32) {
        let lengths = self.offered.lengths.get(drawn).copied().unwrap_or(self.usual);
        let lengths = self.rules.lengths(self.now, lengths);
        let request = self.records.lives.len() as u32;
        // Only who waited for an answer wanted to send earlier.
        let intended = if attempt == 0 { self.offered.arrivals[drawn] } else { self.now };
        self.records.lives.push(Life {
            sent: self.now,
            intended,
            lengths,
            attempt,
            high,
            rejected: false,
            replica: None,
            admitted: None,
            first_token: None,
            finish: None,
            preemptions: 0,
            progress: Progress { drawn: drawn as u32, route, ..Progress::default() },
        });
        self.clients.sent(&self.records.lives);
        if !self.rules.can_ever_fit(lengths) {
            self.reject(request);
        } else if let Some(pool) = &mut self.pool {
            if self.rules.door.is_open_to(high, pool.waiting()) {
                pool.receive(request, &self.records.lives);
            } else {
                self.reject(request);
            }
        } else {
            let place = self.way(route);
            if self.rules.door.is_open_to(high, self.replicas[place].waiting()) {
                self.join(request, place);
            } else {
                self.reject(request);
            }
        }
    }

    fn reject(&mut self, request: u32) {
        self.records.lives[request as usize].rejected = true;
        self.clients.answered(1, self.now, &self.records.lives);
    }

    /// To a replica, past the door.
    fn route(&mut self, request: u32) {
        let place = self.way(self.records.lives[request as usize].progress.route);
        self.join(request, place);
    }

    /// The place of the replica for a request with this uniform draw.
    fn way(&mut self, draw: f64) -> usize {
        self.router.route(self.autoscaler.ready(), &self.replicas, draw) as usize
    }

    fn join(&mut self, request: u32, place: usize) {
        let replica = &mut self.replicas[place];
        replica.receive(request, &mut self.records.lives[request as usize], self.now, &self.rules);
        let end = replica.end();
        if end == SimTime::MAX {
            self.between_steps.push(place as u32);
        }
        self.ends[place] = end;
        self.first_end = self.first_end.min(end);
    }

    /// Prefills first: what one of no length leads to at this very instant comes before the steps that begin here.
    fn begin_steps(&mut self) {
        if let Some(pool) = &mut self.pool {
            pool.begin(self.now, &mut self.records.lives, &self.rules);
            if pool.next_end() == Some(self.now) {
                return;
            }
        }
        while let Some(place) = self.between_steps.pop() {
            let place = place as usize;
            let replica = &mut self.replicas[place];
            replica.begin(self.now, &self.rules, &mut self.records.lives, &mut self.records.stints);
            self.ends[place] = replica.end();
            self.first_end = self.first_end.min(self.ends[place]);
        }
    }

    fn close(self) {
        let records = self.records;
        let pool_existed = self.pool.as_ref().map_or(SimTime::ZERO, |pool| self.rules.horizon * u64::from(pool.size()));
        records.prefill_busy = self.pool.as_ref().map_or(SimTime::ZERO, PrefillPool::busy);
        records.existed = pool_existed;
        let servers = self.replicas.into_iter().zip(self.autoscaler.existed());
        for (records_of, (replica, existed)) in records.replicas.iter_mut().zip(servers) {
            records_of.stretches = replica.into_stretches();
            records_of.existed = existed;
            records.existed += existed;
        }
    }
}

fn another_way(route: f64) -> f64 {
    let shifted = route + ANOTHER_WAY;
    shifted - libm::floor(shifted)
}

impl FleetRecords {
    fn restart(&mut self, requests: usize, replicas: usize) {
        self.lives.clear();
        self.lives.reserve(requests);
        self.replicas.resize_with(replicas, ReplicaRecords::default);
        self.scaling.clear();
        self.stints.clear();
        self.finishes.clear();
    }
}
