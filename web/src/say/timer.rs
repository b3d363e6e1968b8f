//! A clock that counts up. It has a mark and no limit, can be stopped and goes on where it was.

/// Where the clock has its mark [s].
pub const MARK_S: u32 = 30;

/// The clock. Instants are the page's clock [ms], which never goes back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timer {
    /// What was counted before it last started [ms].
    counted_ms: f64,
    /// When it last started, while it runs [ms].
    since_ms: Option<f64>,
}

impl Timer {
    /// Starts it, or stops it.
    pub fn toggle(&mut self, now_ms: f64) {
        match self.since_ms.take() {
            Some(since_ms) => self.counted_ms += now_ms - since_ms,
            None => self.since_ms = Some(now_ms),
        }
    }

    /// Back to nothing, and at rest.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether it counts.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.since_ms.is_some()
    }

    /// Whether something was counted.
    #[must_use]
    pub fn has_counted(&self) -> bool {
        self.is_running() || self.counted_ms > 0.0
    }

    /// Whole milliseconds counted [ms].
    fn elapsed_ms(&self, now_ms: f64) -> u32 {
        (self.counted_ms + self.since_ms.map_or(0.0, |since_ms| now_ms - since_ms)) as u32
    }

    /// Whole seconds counted [s].
    #[must_use]
    pub fn seconds(&self, now_ms: f64) -> u32 {
        self.elapsed_ms(now_ms) / 1000
    }

    /// How long until the next whole second [ms]; at least 1.
    #[must_use]
    pub fn until_next_ms(&self, now_ms: f64) -> u32 {
        1000 - self.elapsed_ms(now_ms) % 1000
    }
}

/// Seconds as a clock shows them: `0:07`, `1:30`.
#[must_use]
pub fn clock(seconds: u32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_only_while_it_runs() {
        let mut timer = Timer::default();
        assert_eq!((timer.seconds(5e6), timer.is_running(), timer.has_counted()), (0, false, false));
        timer.toggle(1_000.0);
        assert_eq!((timer.seconds(1_999.0), timer.seconds(2_000.0), timer.is_running()), (0, 1, true));
        timer.toggle(13_500.0);
        assert_eq!((timer.seconds(13_500.0), timer.seconds(99_000.0), timer.is_running()), (12, 12, false));
        timer.toggle(100_000.0);
        assert_eq!(timer.seconds(100_500.0), 13, "it goes on where it was");
    }

    #[test]
    fn past_the_mark_and_past_a_minute_it_counts_on() {
        let mut timer = Timer::default();
        timer.toggle(0.0);
        assert_eq!(timer.seconds(30_000.0), MARK_S);
        assert_eq!(timer.seconds(3_600_000.0), 3600);
    }

    #[test]
    fn a_reset_stops_it() {
        let mut timer = Timer::default();
        timer.toggle(0.0);
        timer.reset();
        assert_eq!(timer, Timer::default());
        assert_eq!((timer.seconds(9_000.0), timer.has_counted()), (0, false));
    }

    #[test]
    fn the_next_second_is_never_now() {
        let mut timer = Timer::default();
        timer.toggle(0.0);
        assert_eq!(
            [0.0, 1.0, 999.0, 999.9, 1_000.0, 1_250.0].map(|now| timer.until_next_ms(now)),
            [1000, 999, 1, 1, 1000, 750]
        );
        // What it asks to wait for does bring the next second, also from a broken instant.
        assert_eq!(timer.seconds(999.3 + f64::from(timer.until_next_ms(999.3))), 1);
    }

    #[test]
    fn seconds_read_like_a_clock() {
        assert_eq!([0, 7, 59, 60, 90, 3_725].map(clock), ["0:00", "0:07", "0:59", "1:00", "1:30", "62:05"]);
    }
}
