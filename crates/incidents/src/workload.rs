//! The fleet while nothing is wrong: other figures in every game, always with slack.

use goodput_sim::{Scenario, Seed, theory};

use crate::draws::Draws;

/// Simulated time [s].
pub(crate) const HORIZON_S: f64 = 600.0;

/// Two replicas that answer from long prompts with a prefix cache, at `load` times their capacity.
///
/// A prefill of the whole prompt costs more than twice the decoding, and the cache saves most of it: so a cold cache is
/// felt. At `load` less than a third of the KV memory is in use: so it is not felt while all is well.
pub(crate) fn draw(number: u64, load: f64, draws: &mut Draws) -> Scenario {
    let prompt = draws.whole(3000, 4400, 100);
    let output = draws.whole(100, 140, 10);
    let sequences = draws.whole(28, 40, 1);
    let scenario = Scenario {
        seed: Seed::Number(number),
        horizon: HORIZON_S,
        prompt,
        output,
        prompt_cv: draws.between(0.15, 0.3),
        output_cv: draws.between(0.2, 0.4),
        prefill_ms_per_1k: draws.between(62.0, 75.0),
        step_ms: draws.between(8.0, 11.0),
        per_seq_ms: draws.between(0.3, 0.45),
        cached_share: draws.between(0.86, 0.96),
        cached_prompt: draws.between(0.8, 0.88),
        kv_tokens: sequences * (prompt + output / 2),
        replicas: 2,
        ..Scenario::default()
    };
    let rate = load * theory::capacity(&scenario);
    // At the capacity of one replica the longest line is worked off in so many seconds.
    let max_queue = draws.between(14.0, 24.0) * theory::capacity(&scenario) / 2.0;
    Scenario { rate, max_queue: max_queue as u32, ..scenario }
}
