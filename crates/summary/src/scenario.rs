//! A scenario on the wire.

use alloc::string::{String, ToString};

use goodput_sim::{Autoscale, Choice, Field, Incident, OutputLaw, Routing, Scenario, ScenarioError, Seed};
use serde::{Serialize, Serializer};

/// A [`Scenario`] as an object: `{"rate": 5.0, "seed": "lesson", "max_batch": 64, ...}`.
///
/// A seed is `"lesson"` or a whole number. Numbers past 2^53 - 1, which JavaScript cannot hold, are written as text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct WireScenario(#[serde(serialize_with = "Fields::serialize")] pub Scenario);

/// The names and the order of the fields on the wire.
#[derive(Serialize)]
#[serde(remote = "Scenario")]
struct Fields {
    rate: f64,
    #[serde(serialize_with = "serialize_seed")]
    seed: Seed,
    horizon: f64,
    warmup: f64,
    max_batch: u32,
    prompt: u32,
    output: u32,
    prefill_ms_per_1k: f64,
    step_ms: f64,
    per_seq_ms: f64,
    slo_ttft_ms: f64,
    slo_tpot_ms: f64,
    arrival_cv: f64,
    spike_factor: f64,
    spike_from: f64,
    spike_to: f64,
    prompt_cv: f64,
    output_cv: f64,
    cached_share: f64,
    cached_prompt: f64,
    #[serde(serialize_with = "word_of_law")]
    output_law: OutputLaw,
    token_budget: u32,
    kv_tokens: u32,
    replicas: u32,
    #[serde(serialize_with = "word_of_routing")]
    routing: Routing,
    prefill_replicas: u32,
    transfer_ms_per_1k: f64,
    #[serde(serialize_with = "word_of_autoscale")]
    autoscale: Autoscale,
    max_replicas: u32,
    queue_target: f64,
    busy_target: f64,
    provision: f64,
    max_queue: u32,
    high_share: f64,
    max_queue_low: u32,
    users: u32,
    think: f64,
    retry_after: f64,
    #[serde(skip)]
    incident: Option<Incident>,
}

impl From<&Scenario> for WireScenario {
    fn from(scenario: &Scenario) -> Self {
        Self(scenario.clone())
    }
}

impl From<WireScenario> for Scenario {
    fn from(WireScenario(scenario): WireScenario) -> Self {
        scenario
    }
}

/// The greatest whole number that JavaScript tells from its neighbours.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

fn serialize_seed<S: Serializer>(seed: &Seed, serializer: S) -> Result<S::Ok, S::Error> {
    match *seed {
        Seed::Number(number) if number <= MAX_SAFE_INTEGER => serializer.serialize_u64(number),
        seed => serializer.collect_str(&seed),
    }
}

fn word_of_law<S: Serializer>(law: &OutputLaw, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(law.word())
}

fn word_of_routing<S: Serializer>(routing: &Routing, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(routing.word())
}

fn word_of_autoscale<S: Serializer>(autoscale: &Autoscale, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(autoscale.word())
}

/// A value of a field, as it came.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Text, or anything else as text.
    Text(String),
    /// Null or undefined.
    Nothing,
}

impl WireScenario {
    /// Reads fields by name. What is left out, or nothing, is the lesson's.
    ///
    /// Not by serde: the names, the ranges and the words of the errors are the engine's, and serde's own reader with its
    /// own words would be a twelfth of the page's download.
    ///
    /// # Errors
    /// An unknown name, text for a number, or a number outside its field's range, in words that say what is allowed.
    /// How the fields go together is checked by [`Scenario::validate`].
    pub fn read(fields: impl IntoIterator<Item = (String, Value)>) -> Result<Self, ScenarioError> {
        let mut scenario = Scenario::default();
        for (name, value) in fields {
            put(&mut scenario, &name, &value)?;
        }
        Ok(Self(scenario))
    }
}

/// Sets one field by its name. Nothing sets nothing.
///
/// # Errors
/// As [`WireScenario::read`]; the scenario is then unchanged.
pub fn put(scenario: &mut Scenario, name: &str, value: &Value) -> Result<(), ScenarioError> {
    match (name, value) {
        ("seed", Value::Text(text)) => scenario.seed = text.parse()?,
        ("seed", Value::Number(number)) => scenario.seed = seed(*number)?,
        ("seed", Value::Nothing) => {}
        (name, value) => match (Choice::named(name), value) {
            (Some(choice), Value::Text(word)) => choice.set(scenario, word)?,
            (Some(choice), Value::Number(number)) => choice.set(scenario, &number.to_string())?,
            (Some(_), Value::Nothing) => {}
            (None, Value::Number(number)) => scenario.set_number(name, *number)?,
            (None, Value::Text(text)) => {
                Field::named(name)?.read(text, None)?;
            }
            (None, Value::Nothing) => {
                Field::named(name)?;
            }
        },
    }
    Ok(())
}

/// A seed that came as a number. JavaScript has whole numbers up to [`MAX_SAFE_INTEGER`]; greater ones come as text.
fn seed(number: f64) -> Result<Seed, ScenarioError> {
    let whole = number as u64;
    if whole as f64 == number && whole <= MAX_SAFE_INTEGER {
        return Ok(Seed::Number(whole));
    }
    Err(ScenarioError::NotASeed { text: number.to_string() })
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::{String, ToString};

    use goodput_sim::{Autoscale, CHOICES, FIELDS, OutputLaw, Routing, Scenario, ScenarioError, Seed};
    use serde_json::{Value as Json, from_str, json, to_value};

    use super::{MAX_SAFE_INTEGER, Value, WireScenario};

    fn read_json(json: &Json) -> Result<Scenario, ScenarioError> {
        let fields = json.as_object().expect("an object").iter().map(|(name, value)| {
            let value = match value {
                Json::Null => Value::Nothing,
                Json::Number(number) => Value::Number(number.as_f64().expect("a number")),
                Json::String(text) => Value::Text(text.clone()),
                other => Value::Text(other.to_string()),
            };
            (name.clone(), value)
        });
        WireScenario::read(fields).map(|WireScenario(scenario)| scenario)
    }

    fn read(json: &str) -> Scenario {
        read_json(&from_str(json).expect("JSON")).expect(json)
    }

    fn refused(json: &str) -> String {
        read_json(&from_str(json).expect("JSON")).expect_err(json).to_string()
    }

    #[test]
    fn the_wire_has_every_field_and_the_seed() {
        let wire = to_value(WireScenario::default()).expect("plain data");
        for field in FIELDS {
            assert_eq!(wire[field.name.replace('-', "_")].as_f64(), Some(field.get(&Scenario::default())));
        }
        for choice in CHOICES {
            assert_eq!(wire[choice.name.replace('-', "_")], choice.words[0]);
        }
        assert_eq!(wire["seed"], "lesson");
        assert_eq!(wire.as_object().map(serde_json::Map::len), Some(FIELDS.len() + CHOICES.len() + 1));
    }

    #[test]
    fn what_is_left_out_is_the_lessons() {
        assert_eq!(read("{}"), Scenario::default());
        assert_eq!(read(r#"{"rate": null, "seed": null}"#), Scenario::default());
        assert_eq!(read(r#"{"rate": 6}"#), Scenario { rate: 6.0, ..Scenario::default() });
    }

    #[test]
    fn numbers_are_numbers_and_a_seed_may_be_text() {
        let scenario = Scenario { rate: 5.5, max_batch: 8, seed: Seed::Number(7), ..Scenario::default() };
        assert_eq!(read(r#"{"rate": 5.5, "max_batch": 8, "seed": 7}"#), scenario);
        assert_eq!(read(r#"{"rate": 5.5, "max-batch": 8.0, "seed": "7"}"#), scenario);
        assert_eq!(refused(r#"{"rate": "5.5"}"#), "rate = \"5.5\": allowed are numbers, 0.01 to 1000 requests/s");
    }

    #[test]
    fn a_scenario_survives_the_wire() {
        let rates = [5.0, 0.1 + 0.2, 1.0 / 3.0];
        let seeds = [Seed::Lesson, Seed::Number(0), Seed::Number(MAX_SAFE_INTEGER), Seed::Number(u64::MAX)];
        for (rate, seed) in rates.into_iter().flat_map(|rate| seeds.map(|seed| (rate, seed))) {
            let scenario = Scenario { rate, seed, slo_ttft_ms: 250.5, ..Scenario::default() };
            let json = to_value(WireScenario::from(&scenario)).expect("plain data");
            assert_eq!(read_json(&json), Ok(scenario), "{json}");
        }
    }

    #[test]
    fn words_are_words() {
        let json = r#"{"output_law": "geometric", "routing": "least-outstanding", "autoscale": "busy", "replicas": 2}"#;
        let scenario = Scenario {
            output_law: OutputLaw::Geometric,
            routing: Routing::LeastOutstanding,
            autoscale: Autoscale::Busy,
            replicas: 2,
            ..Scenario::default()
        };
        assert_eq!(read(json), scenario);
        assert_eq!(read(r#"{"output-law": "geometric", "routing": null}"#).output_law, OutputLaw::Geometric);
        let wire = to_value(WireScenario::from(&scenario)).expect("plain data");
        assert_eq!(read_json(&wire), Ok(scenario), "{wire}");
        for (json, shown) in [(r#"{"routing": "fastest"}"#, "fastest"), (r#"{"routing": 3}"#, "3")] {
            let sentence = format!("routing = \"{shown}\": allowed are round-robin, random, least-outstanding");
            assert_eq!(refused(json), sentence);
        }
    }

    #[test]
    fn a_seed_past_javascripts_numbers_is_text() {
        let wire = |number| to_value(WireScenario(Scenario { seed: Seed::Number(number), ..Scenario::default() }));
        let seed = |number| wire(number).expect("plain data")["seed"].clone();
        assert_eq!(seed(MAX_SAFE_INTEGER), json!(MAX_SAFE_INTEGER));
        assert_eq!(seed(MAX_SAFE_INTEGER + 1), Json::from("9007199254740992"));
    }

    #[test]
    fn errors_say_what_is_allowed() {
        assert_eq!(refused(r#"{"rate": 0}"#), "rate = 0 requests/s: allowed are 0.01 to 1000 requests/s");
        assert_eq!(refused(r#"{"rate": "fast"}"#), "rate = \"fast\": allowed are numbers, 0.01 to 1000 requests/s");
        assert_eq!(
            refused(r#"{"max_batch": 1.5}"#),
            "max-batch = 1.5 sequences: allowed are whole numbers, 1 to 4096 sequences"
        );
        assert_eq!(
            refused(r#"{"seed": -1}"#),
            "seed = \"-1\": allowed are lesson, or a whole number, 0 to 18446744073709551615"
        );
        for json in [r#"{"speed": 9}"#, r#"{"speed": null}"#] {
            assert!(refused(json).starts_with("there is no field \"speed\": allowed are rate, horizon,"), "{json}");
        }
        assert_eq!(refused(r#"{"rate": [5]}"#), "rate = \"[5]\": allowed are numbers, 0.01 to 1000 requests/s");
    }
}
