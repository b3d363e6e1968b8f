//! Where things are in the moving picture: the geometry that drawing and the pointer share.

use crate::pen::Box4;
use crate::scene::{Leaving, Running, Scene};
use crate::theme::Theme;

/// Below this width the parts stand below each other [CSS px].
const NARROW: f64 = 560.0;
/// Most slots that are drawn one by one.
const MOST_SLOTS: usize = 1024;
/// From one that waits to the next [CSS px].
const PITCH: f64 = 14.0;
/// Lanes of a road while there is room on them.
const LANES: i32 = 4;
/// More than any screen has, so that no product overflows [drawing units].
const MOST_UNITS: u32 = 100_000;
/// How far from a mark still counts as on it [CSS px].
const REACH: f64 = 16.0;

/// The places of a scene on a surface of some size, in drawing units of the theme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// The road of those who wait.
    pub(crate) road: Box4,
    /// The slots.
    pub(crate) slots: Box4,
    /// The road of those who left.
    pub(crate) exit: Box4,
    /// Whether the parts stand below each other.
    pub(crate) narrow: bool,
    pub(crate) label: i32,
    pitch: i32,
    reach: i32,
    columns: i32,
    rows: i32,
    lanes: i32,
}

impl Stage {
    /// The places on a surface of this size [drawing units of the theme].
    #[must_use]
    pub fn of(width: u32, height: u32, theme: &Theme, scene: &Scene) -> Self {
        let width = width.clamp(1, MOST_UNITS) as i32;
        let height = height.clamp(1, MOST_UNITS) as i32;
        let narrow = f64::from(width) < NARROW * theme.units_per_css_px();
        let (label, gap) = (theme.px(22.0), theme.px(if narrow { 10.0 } else { 24.0 }));
        let share = |of: i32, share: f64| (f64::from(of) * share).round() as i32;
        let [road, slots, exit] = if narrow {
            let room = height - 3 * label - 2 * gap;
            let (road, slots) = (share(room, 0.27), share(room, 0.5));
            let beside = |top: i32, length: i32| Box4 { left: 0, top, right: width, bottom: top + length };
            let (second, third) = (2 * label + gap + road, 3 * label + 2 * gap + road + slots);
            [beside(label, road), beside(second, slots), beside(third, height - third)]
        } else {
            let room = width - 2 * gap;
            let (road, slots) = (share(room, 0.36), share(room, 0.38));
            let below = |left: i32, length: i32| Box4 { left, top: label, right: left + length, bottom: height };
            let (second, third) = (road + gap, road + slots + 2 * gap);
            [below(0, road), below(second, slots), below(third, width - third)]
        };
        let shown = scene.slots.clamp(1, MOST_SLOTS) as i32;
        let columns = (1..).find(|side| side * side >= shown).unwrap_or(1);
        let rows = (shown + columns - 1) / columns;
        let pitch = theme.px(PITCH);
        let across = ((road.right - road.left) / pitch).max(1);
        let most_lanes = ((road.bottom - road.top) / pitch).max(1);
        // Wider by doubling, so that a line that comes and goes does not rearrange itself all the time.
        let mut lanes = LANES.min(most_lanes);
        while (lanes * across) < scene.waiting_count as i32 && lanes < most_lanes {
            lanes = (2 * lanes).min(most_lanes);
        }
        Self { road, slots, exit, narrow, label, pitch, reach: theme.px(REACH), columns, rows, lanes }
    }

    /// How many of those who wait have a place of their own.
    pub(crate) fn room(&self) -> usize {
        (self.lanes * ((self.road.right - self.road.left) / self.pitch).max(1)) as usize
    }

    /// The road's two edges.
    pub(crate) fn edges(&self, road: Box4, lanes: i32) -> [i32; 2] {
        let (middle, half) = ((road.top + road.bottom) / 2, self.pitch * lanes / 2 + self.pitch / 4);
        [(middle - half).max(road.top), (middle + half).min(road.bottom)]
    }

    pub(crate) fn waiting_lanes(&self) -> i32 {
        self.lanes
    }

    pub(crate) fn leaving_lanes(&self) -> i32 {
        LANES.min(((self.exit.bottom - self.exit.top) / self.pitch).max(1))
    }

    fn lane(&self, road: Box4, lanes: i32, lane: i32) -> i32 {
        (road.top + road.bottom) / 2 + self.pitch * (2 * lane + 1 - lanes) / 2
    }

    /// The centre of the place in the line, counted from its head.
    pub(crate) fn waiting(&self, place: usize) -> (i32, i32) {
        let place = place as i32;
        let column = place / self.lanes;
        (self.road.right - self.pitch / 2 - column * self.pitch, self.lane(self.road, self.lanes, place % self.lanes))
    }

    /// The centre of one that left.
    pub(crate) fn leaving(&self, leaving: &Leaving) -> (i32, i32) {
        let lanes = self.leaving_lanes();
        let length = f64::from(self.exit.right - self.exit.left - self.pitch);
        let x = self.exit.left + self.pitch / 2 + (leaving.age * length).round() as i32;
        (x, self.lane(self.exit, lanes, leaving.request as i32 % lanes))
    }

    /// The slots that are drawn.
    pub(crate) fn cells(&self, scene: &Scene) -> impl Iterator<Item = Box4> + '_ {
        (0..scene.slots.min(MOST_SLOTS)).map(|slot| self.cell(slot))
    }

    /// The box of a slot: columns from the left, each from the top.
    fn cell(&self, slot: usize) -> Box4 {
        let slot = slot as i32;
        let (column, row) = (slot / self.rows, slot % self.rows);
        let Box4 { left, top, right, bottom } = self.slots;
        let x = |column: i32| left + (right - left) * column / self.columns;
        let y = |row: i32| top + (bottom - top) * row / self.rows;
        let gap = (self.pitch / 5).min((right - left) / self.columns / 4).min((bottom - top) / self.rows / 4);
        Box4 { left: x(column), top: y(row), right: x(column + 1) - gap, bottom: y(row + 1) - gap }
    }

    /// The box of one that runs; `None` where the slots are too many to be drawn one by one.
    pub(crate) fn running(&self, running: &Running) -> Option<Box4> {
        (running.slot < MOST_SLOTS).then(|| self.cell(running.slot))
    }

    /// The request at a point, or near it [drawing units].
    #[must_use]
    pub fn request_at(&self, scene: &Scene, (x, y): (f64, f64)) -> Option<usize> {
        // The gap after a slot counts as the slot.
        let gap = f64::from(self.pitch) / 5.0;
        let inside = |cell: Box4| {
            (f64::from(cell.left)..=f64::from(cell.right) + gap).contains(&x)
                && (f64::from(cell.top)..=f64::from(cell.bottom) + gap).contains(&y)
        };
        let in_slot = scene.running.iter().find(|running| self.running(running).is_some_and(inside));
        if let Some(running) = in_slot {
            return Some(running.request);
        }
        let waiting = scene.waiting.iter().take(self.room()).enumerate();
        let waiting = waiting.map(|(place, waiting)| (waiting.request, self.waiting(place)));
        let leaving = scene.leaving.iter().map(|leaving| (leaving.request, self.leaving(leaving)));
        let away = |(_, (at_x, at_y)): &(usize, (i32, i32))| {
            let (dx, dy) = (f64::from(*at_x) - x, f64::from(*at_y) - y);
            dx * dx + dy * dy
        };
        let reach = f64::from(self.reach) * f64::from(self.reach);
        let near = waiting.chain(leaving).filter(|mark| away(mark) <= reach);
        near.min_by(|a, b| away(a).total_cmp(&away(b))).map(|(request, _)| request)
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, SimTime, ValidScenario};

    use super::Stage;
    use crate::scene::{Order, STILL_S, Scene};
    use crate::theme::{Scheme, Theme};

    #[test]
    fn every_request_is_found_where_it_is_drawn() {
        let scenario = ValidScenario::default();
        let mut engine = Engine::new();
        let scene = Scene::of(&engine.run(&scenario), SimTime::from_secs(STILL_S), Order::Slot);
        for (width, height) in [(1160.0, 240.0), (720.0, 240.0), (328.0, 320.0)] {
            let theme = Theme::new(Scheme::Light, 2.0).subdivided(4);
            let stage = Stage::of(theme.px(width) as u32, theme.px(height) as u32, &theme, &scene);
            let at = |x: i32, y: i32| stage.request_at(&scene, (f64::from(x), f64::from(y)));
            for (place, waiting) in scene.waiting.iter().enumerate() {
                let (x, y) = stage.waiting(place);
                assert_eq!(at(x, y), Some(waiting.request));
            }
            for running in &scene.running {
                let cell = stage.running(running).expect("64 slots");
                assert_eq!(at(cell.left + 1, cell.top + 1), Some(running.request));
                assert_eq!(at(cell.right - 1, cell.bottom - 1), Some(running.request));
            }
            let last = scene.leaving.last().expect("some left");
            let (x, y) = stage.leaving(last);
            assert_eq!(at(x, y), Some(last.request));
            assert_eq!(at(-9999, 0), None);
        }
    }

    #[test]
    fn no_size_and_no_crowd_leaves_the_surface() {
        let mut engine = Engine::new();
        let theme = Theme::new(Scheme::Dark, 1.0);
        for rate in [0.5, 8.0] {
            let scenario = ValidScenario::default().at_rate(rate).expect("valid");
            let scene = Scene::of(&engine.run(&scenario), SimTime::from_secs(599.0), Order::Slot);
            for (width, height) in [(0, 0), (1, 1), (280, 300), (1160, 240), (4000, 900)] {
                let stage = Stage::of(width, height, &theme, &scene);
                for place in 0..stage.room() {
                    let (x, y) = stage.waiting(place);
                    assert!(width < 100 || ((0..width as i32).contains(&x) && (0..height as i32).contains(&y)));
                }
            }
        }
    }
}
