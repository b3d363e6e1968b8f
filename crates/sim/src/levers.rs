//! Which levers are on, and which do not go together.

use crate::choice::Autoscale;
use crate::error::ScenarioError;
use crate::incident::Cause;
use crate::scenario::Scenario;

/// Whether a lever is on that one server, first come first served, with whole prompts cannot have.
pub(crate) fn need_a_fleet(scenario: &Scenario) -> bool {
    scenario.replicas > 1 || need_a_new_step_rule(scenario)
}

/// Whether the replicas have no levers of their own, so that each is the one server.
pub(crate) fn make_plain_replicas(scenario: &Scenario, outputs_vary: bool) -> bool {
    scenario.replicas > 1 && !need_a_new_step_rule(scenario) && !outputs_vary
}

/// Whether a lever is on that couples servers, or changes what each of them does.
fn need_a_new_step_rule(scenario: &Scenario) -> bool {
    scenario.token_budget > 0
        || scenario.kv_tokens > 0
        || scenario.prefill_replicas > 0
        || scenario.autoscale != Autoscale::Off
        || scenario.high_share > 0.0
        || scenario.max_queue_low > 0
        || scenario.users > 0
        || scenario.retry_after > 0.0
        || scenario.incident.is_some()
}

/// Checks what two levers say of each other.
///
/// # Errors
/// The first pair that does not go together.
pub(crate) fn check(scenario: &Scenario) -> Result<(), ScenarioError> {
    let &Scenario { token_budget, max_batch, kv_tokens, replicas, max_replicas, .. } = scenario;
    if token_budget > 0 && token_budget <= max_batch {
        return Err(ScenarioError::BudgetTooSmall { token_budget, max_batch });
    }
    let request = u64::from(scenario.prompt) + u64::from(scenario.output);
    if kv_tokens > 0 && u64::from(kv_tokens / 16 * 16) < request {
        return Err(ScenarioError::MemoryTooSmall { kv_tokens, request });
    }
    if scenario.autoscale != Autoscale::Off && max_replicas < replicas {
        return Err(ScenarioError::NothingToScale { replicas, max_replicas });
    }
    let not_together = |field, other, why| Err(ScenarioError::NotTogether { field, other, why });
    if scenario.prefill_replicas > 0 && token_budget > 0 {
        return not_together("prefill-replicas", "token-budget", "servers that only decode have no prompts to cut");
    }
    if scenario.prefill_replicas > 0 && scenario.autoscale != Autoscale::Off {
        return not_together("prefill-replicas", "autoscale", "it would scale one of the two kinds of server only");
    }
    if scenario.users > 0 && scenario.retry_after > 0.0 {
        return not_together("users", "retry-after", "a client that waits for its answer does not send again");
    }
    if let Some(incident) = scenario.incident {
        let possible = match incident.cause {
            Cause::LostReplica => replicas > 1,
            Cause::LessMemory => kv_tokens > 0,
            Cause::LongPrompts | Cause::ColdCache | Cause::SlowGpu => true,
        };
        let least = if matches!(incident.cause, Cause::LongPrompts | Cause::SlowGpu) { 0.1 } else { 0.0 };
        if !possible
            || !(least..=100.0).contains(&incident.strength)
            || !(0.0..scenario.horizon).contains(&incident.from)
        {
            return Err(ScenarioError::ImpossibleIncident);
        }
    }
    Ok(())
}
