//! Which sentences are due to be shown anew.
//!
//! A sentence costs a browser more than a figure does: it is shaped and its lines are broken anew. Nobody reads five of
//! them in one frame, so while the rate moves one is shown in each frame, in turn, and the figures in every frame.

/// The sentences of a lab, by index.
#[derive(Debug)]
pub struct Sentences {
    due: Vec<bool>,
    next: usize,
}

impl Sentences {
    /// That many sentences, all of them due.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { due: vec![true; count], next: 0 }
    }

    /// What they are about has changed.
    pub fn all_due(&mut self) {
        self.due.fill(true);
    }

    /// This one has to be shown anew.
    pub fn due(&mut self, index: usize) {
        if let Some(due) = self.due.get_mut(index) {
            *due = true;
        }
    }

    /// Whether any is due.
    #[must_use]
    pub fn any_due(&self) -> bool {
        self.due.contains(&true)
    }

    /// The next one due, in turn; it is due no longer.
    pub fn take(&mut self) -> Option<usize> {
        let count = self.due.len();
        let index = (self.next..self.next + count).map(|index| index % count).find(|&index| self.due[index])?;
        self.due[index] = false;
        self.next = (index + 1) % count;
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::Sentences;

    #[test]
    fn each_has_its_turn_however_fast_they_fall_due() {
        let mut sentences = Sentences::new(3);
        let mut taken = Vec::new();
        for _ in 0..6 {
            sentences.all_due();
            taken.extend(sentences.take());
        }
        assert_eq!(taken, [0, 1, 2, 0, 1, 2]);
    }

    #[test]
    fn at_rest_each_is_taken_once() {
        let mut sentences = Sentences::new(3);
        assert_eq!(core::iter::from_fn(|| sentences.take()).count(), 3);
        assert!(!sentences.any_due());
        sentences.due(1);
        sentences.due(7);
        assert_eq!(core::iter::from_fn(|| sentences.take()).collect::<Vec<_>>(), [1]);
    }
}
