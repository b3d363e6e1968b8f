//! Scenarios that have a name, so that a link, an embed or a flag can ask for one with a word.

use alloc::string::ToString;

use crate::error::ScenarioError;
use crate::scenario::Scenario;

/// A scenario with a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name as a URL parameter, an attribute, a flag and in file names.
    pub name: &'static str,
    /// What it shows, in one line.
    pub about: &'static str,
    scenario: fn() -> Scenario,
}

/// Every preset, the default first. Another one is another row.
///
/// Of real traffic they have the shape: lengths and gaps are drawn, with the means and spreads that were published. Of real
/// servers they have the step times that somebody measured or fitted, as straight lines: approximate by nature.
pub static PRESETS: &[Preset] = &[
    Preset {
        name: "assistant",
        about: "the lesson’s server at 5 requests/s: the median is fine, the tail is not",
        scenario: Scenario::default,
    },
    Preset {
        name: "calm",
        about: "the same server at 4 requests/s: every request meets the SLO",
        scenario: || Scenario { rate: 4.0, ..Scenario::default() },
    },
    Preset {
        name: "overload",
        about: "the same server at 6 requests/s: busy, and nothing in time",
        scenario: || Scenario { rate: 6.0, ..Scenario::default() },
    },
    Preset {
        name: "batch-summaries",
        about: "long texts, summed up in batches: the p99 of 12 s breaks no SLO, because nobody is waiting",
        scenario: || Scenario {
            rate: 2.4,
            prompt: 4000,
            output: 300,
            slo_ttft_ms: 60_000.0,
            slo_tpot_ms: 200.0,
            ..Scenario::default()
        },
    },
    Preset {
        name: "agent",
        about: "short steps behind one long prefix, with a strict SLO: take the prefix cache away, and nothing is in time",
        scenario: || Scenario {
            prompt: 3000,
            output: 80,
            cached_share: 0.9,
            cached_prompt: 0.9,
            slo_ttft_ms: 500.0,
            slo_tpot_ms: 30.0,
            ..Scenario::default()
        },
    },
    Preset {
        name: "code-completion",
        about: "bursts with the CV of 13 of Azure’s code trace of 2023: the GPU rests half of the time, and hardly a request is in time",
        scenario: || Scenario {
            rate: 2.6,
            arrival_cv: 13.0,
            prompt: 2048,
            output: 28,
            output_cv: 1.9,
            slo_ttft_ms: 500.0,
            ..Scenario::default()
        },
    },
    Preset {
        name: "chat-trace",
        about: "the rate, gaps and lengths of Azure’s conversation trace of 2023: just past what the lesson’s server can do",
        scenario: || Scenario {
            rate: 5.5,
            arrival_cv: 1.1,
            prompt: 1155,
            prompt_cv: 0.96,
            output: 211,
            output_cv: 0.77,
            ..Scenario::default()
        },
    },
    Preset {
        name: "llama-8b-rtx-pro-6000",
        about: "approximate: Llama-3.1-8B on an RTX PRO 6000, fitted to a run of vLLM 0.19 that LLMServingSim published; TPOT gives way first",
        scenario: || Scenario {
            rate: 10.0,
            max_batch: 128,
            prefill_ms_per_1k: 38.0,
            step_ms: 10.5,
            per_seq_ms: 0.15,
            token_budget: 2048,
            ..Scenario::default()
        },
    },
    Preset {
        name: "llama-8b-rtx-4090",
        about: "approximate: Llama-3.1-8B on an RTX 4090, from LLMServingSim’s kernel profile; less than half the load of the RTX PRO 6000",
        scenario: || Scenario {
            rate: 4.0,
            max_batch: 128,
            prefill_ms_per_1k: 93.0,
            step_ms: 16.9,
            per_seq_ms: 0.185,
            ..Scenario::default()
        },
    },
    Preset {
        name: "opt-13b-a100",
        about: "approximate: OPT-13B on an A100 80 GB, from DistServe’s profile at 1,100 tokens of context; the prefills cost it the pace",
        scenario: || Scenario {
            rate: 2.0,
            prefill_ms_per_1k: 127.0,
            step_ms: 19.9,
            per_seq_ms: 0.73,
            ..Scenario::default()
        },
    },
    Preset {
        name: "llama-70b-8-h100",
        about: "approximate: Llama2-70B on eight H100, from the medians of Splitwise; even alone a request streams at 30 ms a token",
        scenario: || Scenario {
            rate: 2.5,
            prefill_ms_per_1k: 76.0,
            step_ms: 29.6,
            per_seq_ms: 0.31,
            ..Scenario::default()
        },
    },
];

impl Preset {
    /// The preset of this name.
    ///
    /// # Errors
    /// [`ScenarioError::UnknownPreset`].
    pub fn named(name: &str) -> Result<&'static Self, ScenarioError> {
        let name = name.trim();
        let known = PRESETS.iter().find(|preset| preset.name == name);
        known.ok_or_else(|| ScenarioError::UnknownPreset { name: name.to_string() })
    }

    /// Whether it is the lesson's server on the lesson's draw, at whatever rate.
    #[must_use]
    pub fn is_of_the_lesson(&self) -> bool {
        let scenario = self.scenario();
        scenario == Scenario { rate: scenario.rate, ..Scenario::default() }
    }

    /// Its scenario, in which other fields may still be set.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        (self.scenario)()
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::{PRESETS, Preset};
    use crate::engine::run;
    use crate::report::Report;
    use crate::scenario::Scenario;
    use crate::theory;

    #[test]
    fn every_preset_can_be_asked_for_and_run() {
        for preset in PRESETS {
            let named = Preset::named(preset.name).expect(preset.name);
            assert_eq!(named.scenario(), preset.scenario());
            preset.scenario().validate().expect(preset.name);
            let plain =
                preset.name.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-');
            assert!(plain, "{} goes into URLs and file names as it is", preset.name);
            assert!(!preset.about.is_empty() && !preset.about.contains('\n'), "{}", preset.name);
        }
        let names: BTreeSet<_> = PRESETS.iter().map(|preset| preset.name).collect();
        assert_eq!(names.len(), PRESETS.len());
    }

    #[test]
    fn the_first_is_the_lesson_and_the_others_do_what_they_say() {
        assert_eq!(PRESETS[0].scenario(), Scenario::default());
        assert_eq!(PRESETS.iter().filter(|preset| preset.is_of_the_lesson()).count(), 3);
        for (name, rate, share) in [("calm", 4.0, 1.0), ("overload", 6.0, 0.0)] {
            let scenario = Preset::named(name).expect(name).scenario();
            assert_eq!(scenario.rate, rate);
            assert_eq!(run(&scenario.validate().expect(name)).slo_attainment, Some(share), "{name}");
        }
    }

    fn at(scenario: Scenario) -> Report {
        run(&scenario.validate().expect("valid"))
    }

    #[test]
    fn products_show_what_they_say() {
        let scenario = |name| Preset::named(name).expect(name).scenario();
        let batch = at(scenario("batch-summaries"));
        assert_eq!(batch.slo_attainment, Some(1.0));
        assert!((11.5..12.5).contains(&batch.ttft_s.expect("completed").p99));
        let agent = scenario("agent");
        assert!(at(agent.clone()).slo_attainment > Some(0.98));
        assert_eq!(at(Scenario { cached_share: 0.0, ..agent }).slo_attainment, Some(0.0));
        let code = at(scenario("code-completion"));
        assert!((0.45..0.55).contains(&code.busy_fraction) && code.slo_attainment < Some(0.02));
        let chat = scenario("chat-trace");
        assert!((1.0..1.1).contains(&(chat.rate / theory::capacity(&chat))));
    }

    #[test]
    fn measured_servers_are_called_approximate_and_show_what_they_say() {
        let measured: Vec<_> = PRESETS.iter().filter(|preset| preset.about.starts_with("approximate: ")).collect();
        assert_eq!(measured.len(), 4);
        for preset in &measured {
            let report = at(preset.scenario());
            assert!(report.ttft_s.expect("completed").p99 < 1.0, "{}: TTFT holds", preset.name);
            assert!(report.tpot_s.expect("completed").p99 > 0.05, "{}: TPOT gives way first", preset.name);
        }
        let [pro, consumer, ..] = &measured[..] else { panic!("two of one model") };
        assert!(consumer.scenario().rate < pro.scenario().rate / 2.0);
    }

    #[test]
    fn an_unknown_name_is_refused_in_words() {
        let error = Preset::named("rush-hour").expect_err("no such preset");
        assert_eq!(
            error.to_string(),
            "preset = \"rush-hour\": allowed are assistant, calm, overload, batch-summaries, agent, code-completion, chat-trace, llama-8b-rtx-pro-6000, llama-8b-rtx-4090, opt-13b-a100, llama-70b-8-h100"
        );
    }
}
