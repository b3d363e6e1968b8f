//! A plain twin of the whole wider model: one decode step at a time, one entry per sequence, every token written down,
//! blocks counted by looking at every sequence.
//!
//! It shares nothing with the engine but the scenario and what was drawn. It is slow and obvious on purpose.

mod clients;
mod line;
mod prefill;
mod replica;
mod report;
mod request;
mod scaler;
mod terms;

use goodput_sim::{Autoscale, Cause, Lengths, Routing, Scenario, SimTime, Stop};

use crate::twin::{self, Life};
use clients::{Clients, Letter};
use prefill::PrefillStage;
use replica::Replica;
pub use replica::{Boundary, State};
pub use report::fleet_report;
pub use request::Request;
use request::next_unit;
use scaler::Scaler;
pub use scaler::Tick;
use terms::Terms;

/// One offered request as it was drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// When its client wants it.
    pub at: SimTime,
    /// Its lengths, before any incident.
    pub lengths: Lengths,
    /// Uniform in [0, 1): random routing reads it.
    pub unit_route: f64,
    /// Whether it has the high priority.
    pub high: bool,
}

/// How long a server existed and worked before the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerTime {
    /// From ordering until it is off.
    pub existed: SimTime,
    /// Inside steps and prefills.
    pub busy: SimTime,
}

/// Everything that happened.
#[derive(Clone, Debug)]
pub struct FleetLife {
    /// In order of sending, those included that were turned away.
    pub requests: Vec<Request>,
    /// Of each replica, in order of time.
    pub boundaries: Vec<Vec<Boundary>>,
    /// Of the autoscaler, in order of time.
    pub ticks: Vec<Tick>,
    /// Of each replica.
    pub replicas: Vec<ServerTime>,
    /// Of each server that only prefills.
    pub prefill_servers: Vec<ServerTime>,
}

impl FleetLife {
    /// The same life in the words of the plain twin: all servers as one.
    #[must_use]
    pub fn as_one(&self) -> Life {
        let let_in = self.requests.iter().filter(|request| !request.rejected);
        let servers = self.replicas.iter().chain(&self.prefill_servers);
        Life {
            requests: let_in
                .map(|request| twin::Request {
                    arrival: request.sent,
                    lengths: request.lengths,
                    tokens: request.tokens.clone(),
                    finish: request.finish,
                })
                .collect(),
            rejections: self.requests.iter().filter(|request| request.rejected).map(|request| request.sent).collect(),
            boundaries: self
                .boundaries
                .iter()
                .flatten()
                .map(|boundary| twin::Boundary {
                    at: boundary.at,
                    waiting: boundary.waiting,
                    running: boundary.filling + boundary.running,
                })
                .collect(),
            existed: servers.clone().fold(SimTime::ZERO, |sum, server| sum + server.existed),
            busy: servers.fold(SimTime::ZERO, |sum, server| sum + server.busy),
        }
    }
}

/// Lives through a scenario, one instant at a time, with requests that are wanted as they were drawn.
#[must_use]
pub fn live(scenario: &Scenario, offered: &[Drawn], stop: Stop) -> FleetLife {
    let mut fleet = Fleet::new(scenario, offered, stop);
    while let Some(now) = fleet.next_instant() {
        fleet.end_steps(now);
        if fleet.is_over(now) {
            continue;
        }
        fleet.meet_incident(now);
        fleet.scale(now);
        fleet.leave_lost_replica(now);
        while fleet.clients_or_deliveries_act(now) {}
        fleet.start_steps(now);
    }
    fleet.into_life()
}

struct Fleet<'s> {
    terms: Terms<'s>,
    stop: Stop,
    requests: Vec<Request>,
    clients: Clients,
    prefill: PrefillStage,
    replicas: Vec<Replica>,
    /// Requests that were routed so far.
    routed: usize,
    scaler: Scaler,
    /// When the incident is due, until then.
    incident: Option<SimTime>,
}

impl<'s> Fleet<'s> {
    fn new(scenario: &'s Scenario, offered: &[Drawn], stop: Stop) -> Self {
        let ready = scenario.replicas as usize;
        let most = if scenario.autoscale == Autoscale::Off { ready } else { scenario.max_replicas as usize };
        Self {
            terms: Terms { scenario },
            stop,
            requests: Vec::new(),
            clients: Clients::new(scenario, offered),
            prefill: PrefillStage::new(scenario.prefill_replicas as usize),
            replicas: (0..most).map(|index| Replica::new(index, index < ready)).collect(),
            routed: 0,
            scaler: Scaler::new(scenario),
            incident: scenario.incident.map(|incident| SimTime::from_secs(incident.from)),
        }
    }

    /// Whether nothing may start any more.
    fn is_over(&self, now: SimTime) -> bool {
        self.stop == Stop::AtHorizon && now >= self.terms.horizon()
    }

    /// The next instant at which something happens.
    fn next_instant(&self) -> Option<SimTime> {
        let ends = self.replicas.iter().filter_map(Replica::ends).chain(self.prefill.ends()).min();
        let becomes_ready = self.replicas.iter().filter_map(Replica::becomes_ready);
        let others = becomes_ready
            .filter(|&at| at < self.terms.horizon())
            .chain(self.prefill.next_delivery())
            .chain(self.clients.next_act(self.terms.horizon()))
            .chain(self.incident)
            .chain(self.scaler.next_tick(self.terms.horizon()))
            .filter(|&at| !self.is_over(at))
            .min();
        ends.into_iter().chain(others).min()
    }

    /// Steps and prefills that end now: tokens, finishes.
    fn end_steps(&mut self, now: SimTime) {
        for replica in &mut self.replicas {
            if replica.ends() == Some(now) {
                for _ in replica.end_step(&mut self.requests, now) {
                    self.clients.come_back_later(now);
                }
            }
        }
        self.prefill.end(&self.terms, &mut self.requests, now);
    }

    /// A replica that is lost takes nothing from now on. The other incidents act where lengths and costs are asked for.
    fn meet_incident(&mut self, now: SimTime) {
        if self.incident == Some(now) {
            self.incident = None;
            if self.terms.strength(Cause::LostReplica, now).is_some() {
                self.replicas[0].state = State::Lost;
            }
        }
    }

    fn scale(&mut self, now: SimTime) {
        if self.scaler.next_tick(self.terms.horizon()) == Some(now) {
            self.scaler.tick(&self.terms, &mut self.replicas, now);
        }
        for replica in &mut self.replicas {
            if replica.becomes_ready() == Some(now) {
                replica.state = State::Ready;
            }
        }
    }

    /// What clients do now, and deliveries from the prefill servers. Whether there were any.
    fn clients_or_deliveries_act(&mut self, now: SimTime) -> bool {
        if now >= self.terms.horizon() {
            return self.deliver(now);
        }
        let mut acted = false;
        while let Some(letter) = self.clients.back(now) {
            acted = true;
            if let Some(letter) = letter {
                self.send(letter, now);
            }
        }
        while let Some(letter) = self.clients.wanted(now) {
            acted = true;
            if let Some(letter) = letter {
                self.send(letter, now);
            }
        }
        while let Some(number) = self.clients.patience_ends(now) {
            acted = true;
            if self.requests[number].tokens.first().is_none_or(|&first| first > now) {
                self.send(Letter::retry(&self.requests[number]), now);
            }
        }
        self.deliver(now) || acted
    }

    fn deliver(&mut self, now: SimTime) -> bool {
        let due = self.prefill.due(now);
        for &number in &due {
            self.requests[number].delivered = true;
            self.go_to_a_replica(number);
        }
        !due.is_empty()
    }

    /// Sends a request; it is turned away, or joins a line.
    fn send(&mut self, letter: Letter, now: SimTime) {
        let number = self.requests.len();
        let lengths = self.terms.sent(self.clients.drawn(letter.drawn).lengths, now);
        self.requests.push(Request::new(&letter, self.clients.drawn(letter.drawn).high, lengths, now));
        self.clients.wait_for(number, letter.attempt, now);
        let turned_away = if self.terms.can_never_fit(lengths) {
            true
        } else if self.prefill.is_there() {
            !self.prefill.line.let_in(self.terms.scenario, number, self.requests[number].high)
        } else {
            let replica = self.route(number);
            !self.replicas[replica].line.let_in(self.terms.scenario, number, self.requests[number].high)
        };
        if turned_away {
            self.requests[number].rejected = true;
            self.clients.come_back_later(now);
        }
    }

    /// The replica that a request goes to.
    fn route(&mut self, number: usize) -> usize {
        let ready: Vec<&Replica> = self.replicas.iter().filter(|replica| replica.state == State::Ready).collect();
        let place = match self.terms.scenario.routing {
            Routing::RoundRobin => self.routed % ready.len(),
            Routing::Random => (self.requests[number].unit_route * ready.len() as f64) as usize,
            Routing::LeastOutstanding => {
                let outstanding: Vec<usize> = ready.iter().map(|replica| replica.outstanding()).collect();
                let fewest = outstanding.iter().min();
                outstanding.iter().position(|count| Some(count) == fewest).expect("somebody is ready")
            }
        };
        self.routed += 1;
        ready[place].index
    }

    /// Boundaries: whoever is between steps and has something to do begins it. Prefills of no length come first, with all
    /// that follows from them at this instant.
    fn start_steps(&mut self, now: SimTime) {
        self.prefill.start(&self.terms, &mut self.requests, now);
        if self.prefill.ends().any(|end| end == now) {
            return;
        }
        for index in 0..self.replicas.len() {
            if self.replicas[index].ends().is_none() && self.replicas[index].outstanding() > 0 {
                self.replicas[index].start_step(&self.terms, &mut self.requests, now);
            }
        }
    }

    /// Between two steps everything on a lost replica goes to the others.
    fn leave_lost_replica(&mut self, now: SimTime) {
        let Some(lost) = self.replicas.iter_mut().find(|replica| replica.state == State::Lost) else { return };
        if lost.ends().is_some() {
            return;
        }
        for number in lost.shut_down(&mut self.requests, now) {
            self.requests[number].unit_route = next_unit(self.requests[number].unit_route);
            self.go_to_a_replica(number);
        }
    }

    /// To the line of a replica, without a door.
    fn go_to_a_replica(&mut self, number: usize) {
        let replica = self.route(number);
        let request = &mut self.requests[number];
        if request.delivered {
            request.replica = Some(replica);
        }
        self.replicas[replica].line.join(number, request.high);
    }

    fn into_life(self) -> FleetLife {
        let horizon = self.terms.horizon();
        let (replicas, boundaries) =
            self.replicas.into_iter().map(|replica| (replica.time_before(horizon), replica.boundaries)).unzip();
        FleetLife {
            requests: self.requests,
            boundaries,
            ticks: self.scaler.ticks,
            replicas,
            prefill_servers: self.prefill.times_before(horizon),
        }
    }
}

/// The part of a span of time that lies between two instants.
fn overlap(span: (SimTime, SimTime), from: SimTime, to: SimTime) -> SimTime {
    span.1.min(to).saturating_sub(span.0.max(from))
}
