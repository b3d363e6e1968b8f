//! How long the prompts and the answers are, and how much of a prompt is found in the cache.

use alloc::vec::Vec;

use crate::choice::OutputLaw;
use crate::field::{MAX_OUTPUT, MAX_PROMPT};
use crate::geometric;
use crate::lognormal::LogNormal;
use crate::prefix_cache::PrefixCache;
use crate::rng::{Purpose, UnitStream};
use crate::scenario::{Scenario, Seed};

/// The lengths of one request [tokens].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Its prompt.
    pub prompt: u32,
    /// The part of the prompt that the prefix cache holds, whose prefill is skipped.
    pub cached: u32,
    /// Its answer.
    pub output: u32,
}

/// What the lengths of a scenario are drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LengthLaws {
    seed: Seed,
    prompt: LogNormal,
    output: LogNormal,
    /// The mean of answers that end after each token with the same chance; `None` while they are lognormal.
    geometric: Option<u32>,
    cache: PrefixCache,
}

impl LengthLaws {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        Self {
            seed: scenario.seed,
            prompt: LogNormal::new(scenario.prompt, scenario.prompt_cv, MAX_PROMPT),
            output: LogNormal::new(scenario.output, scenario.output_cv, MAX_OUTPUT),
            geometric: (scenario.output_law == OutputLaw::Geometric).then_some(scenario.output),
            cache: PrefixCache { share: scenario.cached_share, prompt: scenario.cached_prompt },
        }
    }

    /// Whether some answers are longer than others: then the requests do not leave in the order in which they came.
    pub(crate) fn outputs_vary(&self) -> bool {
        self.geometric.is_some() || self.output.varies()
    }

    fn anything_varies(&self) -> bool {
        self.prompt.varies() || self.outputs_vary() || self.cache.is_on()
    }
}

/// The lengths of the requests, drawn as far as they were needed so far. They do not depend on the rate.
#[derive(Debug)]
pub(crate) struct DrawnLengths {
    laws: LengthLaws,
    prompts: UnitStream,
    outputs: UnitStream,
    hits: UnitStream,
    /// In order of arrival; none when all requests are equal.
    each: Vec<Lengths>,
}

impl DrawnLengths {
    pub(crate) fn new(laws: LengthLaws) -> Self {
        let stream = |purpose| UnitStream::new(laws.seed, purpose);
        let [prompts, outputs, hits] = [Purpose::PromptLengths, Purpose::OutputLengths, Purpose::CacheHits].map(stream);
        Self { laws, prompts, outputs, hits, each: Vec::new() }
    }

    /// Draws for `count` requests at least.
    pub(crate) fn draw(&mut self, count: usize, laws: LengthLaws) {
        if laws != self.laws {
            *self = Self { each: core::mem::take(&mut self.each), ..Self::new(laws) };
            self.each.clear();
        }
        while laws.anything_varies() && self.each.len() < count {
            let lengths = self.next();
            self.each.push(lengths);
        }
    }

    /// What was drawn so far, in order of arrival; none when all requests are equal.
    pub(crate) fn drawn(&self) -> &[Lengths] {
        &self.each
    }

    /// One draw from each stream for each request, so that no lever shifts the draws of another.
    fn next(&mut self) -> Lengths {
        let prompt = self.laws.prompt.tokens(self.prompts.next_unit());
        let unit = self.outputs.next_unit();
        let output = match self.laws.geometric {
            Some(mean) => geometric::tokens(mean, unit, MAX_OUTPUT),
            None => self.laws.output.tokens(unit),
        };
        Lengths { prompt, cached: self.laws.cache.found(prompt, self.hits.next_unit()), output }
    }
}
