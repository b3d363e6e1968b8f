//! The state of the moving picture: which instant it shows, and how it moves. It knows no browser.

use goodput_charts::{Order, STILL_S};
use goodput_sim::SimTime;

/// Most real time between two frames that counts [ms]: after a pause of the page itself nothing jumps.
const MOST_FRAME_MS: f64 = 100.0;

/// From this speed on the slots are laid by age: each by itself would flicker.
const FAST: f64 = 30.0;
/// Up to this speed a stop of some hundredth seconds can be seen without a flash.
const SLOW: f64 = 0.2;

/// What can happen to the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Act {
    /// Play or pause was pressed.
    Toggle,
    /// One event further, which is at this instant; none is left.
    Step(Option<SimTime>),
    /// To this instant.
    Seek(SimTime),
    /// Play at this many times the simulated clock.
    Speed(f64),
    /// A frame, at this time of the page's clock [ms].
    Frame(f64),
    /// The picture went out of sight or came back: the clock starts anew.
    Sight,
}

/// The state of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    at: SimTime,
    end: SimTime,
    playing: bool,
    speed: f64,
    /// The last frame's time of the page's clock [ms].
    last_ms: Option<f64>,
}

impl Player {
    /// A picture that stands still, of a run up to `horizon_s` [s].
    #[must_use]
    pub fn new(horizon_s: f64) -> Self {
        let end = SimTime::from_secs(horizon_s);
        Self { at: SimTime::from_secs(STILL_S).min(end), end, playing: false, speed: 10.0, last_ms: None }
    }

    /// The only place where the state changes. Playing ends at the end of the run; what is sought stands still.
    pub fn act(&mut self, act: Act) {
        match act {
            Act::Toggle if self.playing => self.playing = false,
            Act::Toggle => {
                // At the end there is nothing left to play but all of it.
                if self.at >= self.end {
                    self.at = SimTime::ZERO;
                }
                self.playing = true;
                self.last_ms = None;
            }
            Act::Step(next) => {
                self.playing = false;
                self.at = next.unwrap_or(self.end).min(self.end);
            }
            Act::Seek(at) => {
                self.at = at.min(self.end);
                self.last_ms = None;
            }
            Act::Speed(speed) if speed > 0.0 && speed.is_finite() => self.speed = speed,
            Act::Speed(_) => {}
            Act::Frame(now_ms) if self.playing => {
                let passed_ms = self.last_ms.map_or(0.0, |last_ms| (now_ms - last_ms).clamp(0.0, MOST_FRAME_MS));
                self.last_ms = Some(now_ms);
                self.at = (self.at + SimTime::from_millis(passed_ms * self.speed)).min(self.end);
                self.playing = self.at < self.end;
            }
            Act::Frame(_) => {}
            Act::Sight => self.last_ms = None,
        }
    }

    /// The instant shown [ns].
    #[must_use]
    pub fn at(&self) -> SimTime {
        self.at
    }

    /// Whether time passes.
    #[must_use]
    pub fn playing(&self) -> bool {
        self.playing
    }

    /// How the slots are laid at this speed.
    #[must_use]
    pub fn order(&self) -> Order {
        if self.speed >= FAST { Order::Age } else { Order::Slot }
    }

    /// Whether those whom a prefill stops are drawn pale: not at a speed at which that would flash.
    #[must_use]
    pub fn pale(&self) -> bool {
        !self.playing || self.speed <= SLOW
    }
}

#[cfg(test)]
mod tests {
    use super::{Act, Order, Player, SimTime};

    fn playing(speed: f64) -> Player {
        let mut player = Player::new(600.0);
        player.act(Act::Speed(speed));
        player.act(Act::Seek(SimTime::from_secs(100.0)));
        player.act(Act::Toggle);
        player
    }

    #[test]
    fn it_starts_still_and_frames_move_nothing_then() {
        let mut player = Player::new(600.0);
        let still = player.clone();
        player.act(Act::Frame(0.0));
        player.act(Act::Frame(50.0));
        assert_eq!(player, still);
        assert!(!player.playing() && player.pale());
    }

    #[test]
    fn time_passes_at_the_speed_chosen() {
        let mut player = playing(10.0);
        for ms in [5000.0, 5016.0, 5032.0] {
            player.act(Act::Frame(ms));
        }
        assert_eq!(player.at(), SimTime::from_secs(100.32));
        player.act(Act::Toggle);
        player.act(Act::Frame(5048.0));
        assert_eq!(player.at(), SimTime::from_secs(100.32), "paused");
        player.act(Act::Toggle);
        player.act(Act::Frame(9000.0));
        assert_eq!(player.at(), SimTime::from_secs(100.32), "the pause itself does not count");
    }

    #[test]
    fn a_page_that_slept_does_not_jump() {
        let mut player = playing(1.0);
        player.act(Act::Frame(0.0));
        player.act(Act::Frame(60_000.0));
        assert_eq!(player.at(), SimTime::from_secs(100.1));
        player.act(Act::Sight);
        player.act(Act::Frame(90_000.0));
        assert_eq!(player.at(), SimTime::from_secs(100.1));
        player.act(Act::Frame(80_000.0));
        assert_eq!(player.at(), SimTime::from_secs(100.1), "a clock that goes back is not followed");
    }

    #[test]
    fn it_stops_at_the_end_and_plays_again_from_the_start() {
        let mut player = playing(60.0);
        player.act(Act::Seek(SimTime::from_secs(599.0)));
        player.act(Act::Frame(0.0));
        player.act(Act::Frame(100.0));
        assert_eq!((player.at(), player.playing()), (SimTime::from_secs(600.0), false));
        player.act(Act::Toggle);
        assert_eq!((player.at(), player.playing()), (SimTime::ZERO, true));
    }

    #[test]
    fn a_step_is_exact_and_pauses_and_seeking_stays_inside() {
        let mut player = playing(10.0);
        player.act(Act::Step(Some(SimTime::from_nanos(100_000_000_001))));
        assert_eq!((player.at().as_nanos(), player.playing()), (100_000_000_001, false));
        player.act(Act::Step(None));
        assert_eq!(player.at(), SimTime::from_secs(600.0), "after the last event comes the end");
        player.act(Act::Seek(SimTime::MAX));
        assert_eq!(player.at(), SimTime::from_secs(600.0));
    }

    #[test]
    fn nothing_flashes_while_it_runs() {
        assert!(playing(0.1).pale() && !playing(1.0).pale() && !playing(60.0).pale());
        assert_eq!([1.0, 10.0, 60.0].map(|speed| playing(speed).order()), [Order::Slot, Order::Slot, Order::Age]);
        let mut player = playing(10.0);
        let before = player.clone();
        for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            player.act(Act::Speed(speed));
        }
        assert_eq!(player, before);
    }
}
