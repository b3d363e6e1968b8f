//! Points to tick off. What is remembered are the names of the ticked ones, so that a point may come or go.

/// A list of points, each with a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checklist(Vec<(String, bool)>);

impl Checklist {
    /// The points by name, none ticked but those that `remembered` lists.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = String>, remembered: &str) -> Self {
        let mut points = Vec::new();
        for name in names {
            let ticked = remembered.split(' ').any(|ticked| ticked == name);
            points.push((name, ticked));
        }
        Self(points)
    }

    /// Ticks a point, or takes the tick away.
    pub fn tick(&mut self, index: usize, ticked: bool) {
        if let Some(point) = self.0.get_mut(index) {
            point.1 = ticked;
        }
    }

    /// Takes all ticks away.
    pub fn clear(&mut self) {
        for point in &mut self.0 {
            point.1 = false;
        }
    }

    /// Whether each point is ticked, in order.
    pub fn ticks(&self) -> impl Iterator<Item = bool> {
        self.0.iter().map(|(_, ticked)| *ticked)
    }

    /// How many are ticked.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.ticks().filter(|ticked| *ticked).count()
    }

    /// How many there are.
    #[must_use]
    pub fn points(&self) -> usize {
        self.0.len()
    }

    /// What to remember.
    #[must_use]
    pub fn written(&self) -> String {
        let mut written = String::new();
        for (name, _) in self.0.iter().filter(|(_, ticked)| *ticked) {
            if !written.is_empty() {
                written.push(' ');
            }
            written.push_str(name);
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::Checklist;

    fn list(remembered: &str) -> Checklist {
        Checklist::new(["phases", "tails", "slo"].map(String::from), remembered)
    }

    #[test]
    fn ticks_are_counted_and_taken_away() {
        let mut list = list("");
        assert_eq!((list.covered(), list.points()), (0, 3));
        list.tick(0, true);
        list.tick(2, true);
        list.tick(2, true);
        assert_eq!((list.covered(), list.written().as_str()), (2, "phases slo"));
        list.tick(0, false);
        list.tick(7, true);
        assert_eq!(list.ticks().collect::<Vec<_>>(), [false, false, true]);
        list.clear();
        assert_eq!((list.covered(), list.written().as_str()), (0, ""));
    }

    #[test]
    fn what_was_written_is_read_back() {
        assert_eq!(list("slo phases").written(), "phases slo");
        assert_eq!(list("tails").ticks().collect::<Vec<_>>(), [false, true, false]);
    }

    #[test]
    fn a_memory_of_other_points_does_no_harm() {
        assert_eq!(list("gone tail slo  \u{0} slo").written(), "slo");
    }
}
