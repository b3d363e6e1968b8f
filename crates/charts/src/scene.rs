//! The view model of the moving picture: the server at an instant, in values, not in pixels.

use goodput_sim::{Fate, Run, SimTime, Snapshot, Stage};

/// An instant of the lesson's run that shows all there is to see: a long queue, full slots, a prefill [s].
pub const STILL_S: f64 = 170.2;

/// For how long those who left stay in the picture [s of simulated time].
pub const LEAVING_S: f64 = 10.0;

/// Most of those who wait that are looked at one by one; the others are counted.
const WAITING_SHOWN: usize = 600;

/// How the running requests are laid into the slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Each keeps its slot from its admission to its end.
    #[default]
    Slot,
    /// The oldest last, next to the way out. At high speed each slot would flicker; so the picture stays calm.
    Age,
}

/// A request that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which one, in order of arrival.
    pub request: usize,
    /// Whether it will meet the SLO.
    pub fate: Fate,
}

/// A request in a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Running {
    /// Which one, in order of arrival.
    pub request: usize,
    /// Whether it will meet the SLO.
    pub fate: Fate,
    /// Its place among the slots, from zero.
    pub slot: usize,
    /// Tokens of its whole answer.
    pub output: u32,
    /// What happens to it.
    pub stage: Stage,
}

/// A request that left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaving {
    /// Which one, in order of arrival.
    pub request: usize,
    /// Whether it met the SLO.
    pub fate: Fate,
    /// How long ago it left, as a share of [`LEAVING_S`] (0..=1).
    pub age: f64,
}

/// The server at an instant, as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The instant [ns].
    pub at: SimTime,
    /// How many slots there are.
    pub slots: usize,
    /// The head of the line, the first one first.
    pub waiting: Vec<Waiting>,
    /// How many wait in all.
    pub waiting_count: usize,
    /// Those in the slots, the oldest first.
    pub running: Vec<Running>,
    /// Those that left within [`LEAVING_S`].
    pub leaving: Vec<Leaving>,
    /// How long the prefill takes that stops everyone, if one does [ns].
    pub prefill: Option<SimTime>,
    /// How long a decode step of this batch takes [ns].
    pub step: SimTime,
    /// The request whose autopsy is open.
    pub selected: Option<usize>,
    /// Whether those that are stopped are drawn pale. Not while the picture runs: it would flash.
    pub pale: bool,
}

impl Scene {
    /// The scene of a run at an instant, up to its horizon.
    #[must_use]
    pub fn of(run: &Run<'_>, at: SimTime, order: Order) -> Self {
        let Snapshot { waiting, running, left, step, .. } = run.snapshot(at);
        let scenario = run.scenario();
        let slots = scenario.max_batch as usize;
        let records = run.records();
        let departures = &records.departures;
        let ago = |place: usize| (at - departures.times()[place]).as_secs() / LEAVING_S;
        let leaving =
            (0..left).rev().map(|place| (departures.who(place), ago(place))).take_while(|&(_, age)| age <= 1.0);
        let prefill = running.iter().find_map(|sequence| match sequence.stage {
            Stage::Prefill { length, .. } => Some(length),
            _ => None,
        });
        let shown = waiting.clone().take(WAITING_SHOWN);
        Self {
            at,
            slots,
            waiting: shown.map(|request| Waiting { request, fate: run.fate(request) }).collect(),
            waiting_count: waiting.len(),
            running: running
                .iter()
                .enumerate()
                .map(|(age, sequence)| Running {
                    request: sequence.request,
                    fate: run.fate(sequence.request),
                    slot: match order {
                        Order::Slot => departures.slot(sequence.request, slots),
                        Order::Age => slots - 1 - age,
                    },
                    output: records.works.of(sequence.request).output,
                    stage: sequence.stage,
                })
                .collect(),
            leaving: leaving.map(|(request, age)| Leaving { request, fate: run.fate(request), age }).collect(),
            prefill,
            step,
            selected: None,
            pale: true,
        }
    }

    /// The first and the last of the requests in the picture. With answers of one length they are neighbours in the order
    /// of arrival; with others some in between may have left.
    #[must_use]
    pub fn requests(&self) -> Option<(usize, usize)> {
        let leaving = self.leaving.iter().map(|leaving| leaving.request);
        let running = self.running.iter().map(|running| running.request);
        let shown = || leaving.clone().chain(running.clone()).chain(self.waiting.iter().map(|waiting| waiting.request));
        shown().min().zip(shown().max())
    }

    /// How many of those that left met the SLO, and how many missed it.
    #[must_use]
    pub fn left(&self) -> (usize, usize) {
        let met = self.leaving.iter().filter(|leaving| leaving.fate == Fate::Meets).count();
        (met, self.leaving.len() - met)
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Fate, Scenario, SimTime, ValidScenario};

    use super::{LEAVING_S, Order, STILL_S, Scene};

    #[test]
    fn the_still_shows_all_there_is() {
        let scenario = ValidScenario::default();
        let mut engine = Engine::new();
        let scene = Scene::of(&engine.run(&scenario), SimTime::from_secs(STILL_S), Order::Slot);
        assert_eq!((scene.waiting_count, scene.running.len(), scene.slots), (14, 64, 64));
        assert_eq!(scene.prefill, Some(SimTime::from_millis(60.0)));
        let fates: Vec<_> = scene.running.iter().map(|running| running.fate).collect();
        assert!(fates.contains(&Fate::Misses) && scene.left().0 > 0 && scene.left().1 > 0, "{:?}", scene.left());
    }

    #[test]
    fn no_two_share_a_slot_and_all_are_neighbours() {
        let mut engine = Engine::new();
        for (rate, max_batch) in [(1.0, 64), (6.0, 64), (8.0, 3), (5.0, 200)] {
            let scenario = Scenario { rate, max_batch, ..Scenario::default() }.validate().expect("valid");
            let run = engine.run(&scenario);
            for second in 0..600 {
                for order in [Order::Slot, Order::Age] {
                    let scene = Scene::of(&run, SimTime::from_secs(f64::from(second)), order);
                    let mut taken = vec![false; scene.slots];
                    for running in &scene.running {
                        assert!(!std::mem::replace(&mut taken[running.slot], true), "{rate} {second}");
                    }
                    let shown = scene.leaving.len() + scene.running.len() + scene.waiting.len();
                    let (first, last) = scene.requests().unwrap_or((1, 0));
                    assert_eq!(last + 1 - first, shown, "{rate} {second}");
                    assert!(scene.leaving.iter().all(|leaving| (0.0..=1.0).contains(&leaving.age)));
                }
            }
        }
        assert_eq!(LEAVING_S, 10.0, "the page's words say ten seconds");
    }
}
