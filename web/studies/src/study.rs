//! What a study is, and which ones there are.

use goodput_sim::{Engine, ValidScenario};

use crate::attainment::Attainment;
use crate::autoscaler::Autoscaler;
use crate::closed_loop::ClosedLoop;
use crate::distribution::Distribution;
use crate::exhibit::Exhibit;
use crate::replicas::Replicas;

/// Looks closer at a scenario. It works in steps, so that the page answers in between.
pub trait Study {
    /// Simulates a little more, and says what was found once nothing is left to simulate.
    fn advance(&mut self, engine: &mut Engine) -> Option<Exhibit>;
}

/// The names of all studies, in the order of the page.
pub const STUDIES: [&str; 5] = ["distribution", "attainment", "closed-loop", "replicas", "autoscaler"];

/// The study of this name (`data-study` in the page) at its beginning; `None` if there is none.
#[must_use]
pub fn study(name: &str, scenario: ValidScenario) -> Option<Box<dyn Study>> {
    Some(match name {
        "distribution" => Box::new(Distribution::new(scenario)),
        "attainment" => Box::new(Attainment::new(scenario)),
        "closed-loop" => Box::new(ClosedLoop::new(scenario)),
        "replicas" => Box::new(Replicas::new(scenario)),
        "autoscaler" => Box::new(Autoscaler::new(&scenario)),
        _ => return None,
    })
}

/// What a study finds of a scenario, however many steps it takes.
#[must_use]
pub fn exhibit(mut study: Box<dyn Study>) -> Exhibit {
    let mut engine = Engine::new();
    loop {
        if let Some(exhibit) = study.advance(&mut engine) {
            return exhibit;
        }
    }
}
