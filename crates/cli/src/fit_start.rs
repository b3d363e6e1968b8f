//! Where a fit starts: the costs that timings show at a glance, without any simulation.

use crate::fit_costs::Costs;
use crate::fit_timings::Timing;

/// Rounds of reweighting. Each gives the rows that lie far off less to say.
const ROUNDS: usize = 20;

/// Costs from a straight line: the time per output token of a request against the sequences that ran beside it and the
/// prompt tokens that were prefilled in its steps, with least absolute relative errors.
///
/// What ran is known only while all that were scheduled are among these requests, which is up to the last of them.
pub(crate) fn linear_fit(timings: &[Timing]) -> Costs {
    let known_to = timings.iter().map(|timing| timing.scheduled).fold(f64::NEG_INFINITY, f64::max);
    let rows: Vec<Row> = timings.iter().filter_map(|timing| Row::of(timing, timings, known_to)).collect();
    let mut weights = vec![1.0; rows.len()];
    let mut costs = [10.0, 0.1, 10.0];
    for _ in 0..ROUNDS {
        let Some(found) = weighted_least_squares(&rows, &weights) else { break };
        costs = found;
        for (row, weight) in rows.iter().zip(&mut weights) {
            *weight = 1.0 / row.error(costs).abs().max(1e-3);
        }
    }
    // The search goes by factors, so it starts above zero.
    Costs::from_array([costs[0].max(0.01), costs[1].max(1e-4), costs[2].max(0.01)])
}

/// What one request says: `tpot = step + per_seq * running + prefill * prompt_tokens / 1000`, all divided by its TPOT.
struct Row([f64; 3]);

impl Row {
    fn of(timing: &Timing, all: &[Timing], known_to: f64) -> Option<Self> {
        let tpot_ms = 1000.0 * timing.times().tpot?;
        let (from, to) = (timing.first_token, timing.last_token.min(known_to));
        if from >= to {
            return None;
        }
        let shared = |other: &Timing| (other.last_token.min(to) - other.first_token.max(from)).max(0.0);
        let running = all.iter().map(shared).sum::<f64>() / (to - from);
        let prefilled_meanwhile = |other: &&Timing| other.first_token > from && other.first_token <= to;
        let prompts: f64 = all.iter().filter(prefilled_meanwhile).map(Timing::prompt).sum();
        let steps = 1000.0 * (to - from) / tpot_ms;
        Some(Self([1.0, running, prompts / steps / 1000.0].map(|factor| factor / tpot_ms)))
    }

    fn error(&self, costs: [f64; 3]) -> f64 {
        self.0.iter().zip(costs).map(|(factor, cost)| factor * cost).sum::<f64>() - 1.0
    }
}

/// `None` when the rows do not tell the costs apart.
fn weighted_least_squares(rows: &[Row], weights: &[f64]) -> Option<[f64; 3]> {
    let mut matrix = [[0.0; 4]; 3];
    for (Row(factors), weight) in rows.iter().zip(weights) {
        for (line, factor) in matrix.iter_mut().zip(factors) {
            for (cell, other) in line.iter_mut().zip(factors.iter().chain(&[1.0])) {
                *cell += weight * factor * other;
            }
        }
    }
    solved(matrix)
}

/// The solution of three equations, each with its right side last.
fn solved(mut matrix: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for column in 0..3 {
        let best = (column..3).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, best);
        let pivot = matrix[column];
        for (_, line) in matrix.iter_mut().enumerate().filter(|(place, _)| *place != column) {
            let factor = line[column] / pivot[column];
            for (cell, above) in line.iter_mut().zip(pivot) {
                *cell -= factor * above;
            }
        }
    }
    let costs = [0, 1, 2].map(|row| matrix[row][3] / matrix[row][row]);
    costs.iter().all(|cost| cost.is_finite()).then_some(costs)
}

#[cfg(test)]
mod tests {
    use super::solved;

    #[test]
    fn equations_are_solved_or_refused() {
        let of = |a: [f64; 4], b, c| solved([a, b, c]);
        assert_eq!(of([0.0, 2.0, 0.0, 4.0], [1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 4.0, 12.0]), Some([1.0, 2.0, 3.0]));
        assert_eq!(of([1.0, 2.0, 3.0, 1.0], [2.0, 4.0, 6.0, 2.0], [0.0, 0.0, 1.0, 1.0]), None);
    }
}
