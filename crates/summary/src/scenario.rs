//! A scenario on the wire.

use alloc::string::{String, ToString};
use core::fmt;

use goodput_sim::{Field, Scenario, Seed};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};

/// A [`Scenario`] as an object: `{"rate": 5.0, "seed": "lesson", "max_batch": 64, ...}`.
///
/// Reading, every field may be left out (or null) and is then the lesson's; a value may be a number or its text; an
/// unknown field, text that is no number and a number outside its field's range are errors that say what is allowed.
/// How the fields go together is checked by [`Scenario::validate`].
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

// Not derived: the names, the ranges and the words of the errors are the engine's. And a derived reader asks for the
// fields of a struct by name, which JavaScript's deserializer answers without ever looking at the others.
impl<'de> Deserialize<'de> for WireScenario {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ScenarioVisitor)
    }
}

struct ScenarioVisitor;

impl<'de> Visitor<'de> for ScenarioVisitor {
    type Value = WireScenario;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a scenario: an object of fields and their values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<WireScenario, A::Error> {
        let mut scenario = Scenario::default();
        while let Some(name) = fields.next_key::<String>()? {
            match fields.next_value()? {
                Some(Text(text)) => scenario.set(&name, &text).map_err(de::Error::custom)?,
                None if name == "seed" => {}
                None => {
                    Field::named(&name).map_err(de::Error::custom)?;
                }
            }
        }
        Ok(WireScenario(scenario))
    }
}

/// A value as text, whether it came as a number or as text.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or its text")
    }

    fn visit_u64<E>(self, value: u64) -> Result<Text, E> {
        Ok(Text(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Text, E> {
        Ok(Text(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Text, E> {
        Ok(Text(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Text, E> {
        Ok(Text(value.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use goodput_sim::{FIELDS, Scenario, Seed};
    use serde_json::{Value, from_str, json, to_string, to_value};

    use super::{MAX_SAFE_INTEGER, WireScenario};

    fn read(json: &str) -> Scenario {
        from_str::<WireScenario>(json).expect(json).0
    }

    fn refused(json: &str) -> String {
        let message = from_str::<WireScenario>(json).expect_err(json).to_string();
        message.split(" at line ").next().unwrap_or_default().to_string()
    }

    #[test]
    fn the_wire_has_every_field_and_the_seed() {
        let wire = to_value(WireScenario::default()).expect("plain data");
        for field in FIELDS {
            assert_eq!(wire[field.name.replace('-', "_")].as_f64(), Some(field.get(&Scenario::default())));
        }
        assert_eq!(wire["seed"], "lesson");
        assert_eq!(wire.as_object().map(serde_json::Map::len), Some(FIELDS.len() + 1));
    }

    #[test]
    fn what_is_left_out_is_the_lessons() {
        assert_eq!(read("{}"), Scenario::default());
        assert_eq!(read(r#"{"rate": null, "seed": null}"#), Scenario::default());
        assert_eq!(read(r#"{"rate": 6}"#), Scenario { rate: 6.0, ..Scenario::default() });
    }

    #[test]
    fn numbers_may_come_as_text() {
        let scenario = Scenario { rate: 5.5, max_batch: 8, seed: Seed::Number(7), ..Scenario::default() };
        assert_eq!(read(r#"{"rate": 5.5, "max_batch": 8, "seed": 7}"#), scenario);
        assert_eq!(read(r#"{"rate": "5.5", "max_batch": "8", "seed": "7"}"#), scenario);
        assert_eq!(read(r#"{"rate": "5,5", "max-batch": 8.0, "seed": 7}"#), scenario);
    }

    #[test]
    fn a_scenario_survives_the_wire() {
        let rates = [5.0, 0.1 + 0.2, 1.0 / 3.0];
        let seeds = [Seed::Lesson, Seed::Number(0), Seed::Number(MAX_SAFE_INTEGER), Seed::Number(u64::MAX)];
        for (rate, seed) in rates.into_iter().flat_map(|rate| seeds.map(|seed| (rate, seed))) {
            let scenario = Scenario { rate, seed, slo_ttft_ms: 250.5, ..Scenario::default() };
            let json = to_string(&WireScenario::from(&scenario)).expect("plain data");
            assert_eq!(read(&json), scenario, "{json}");
        }
    }

    #[test]
    fn a_seed_past_javascripts_numbers_is_text() {
        let wire = |number| to_value(WireScenario(Scenario { seed: Seed::Number(number), ..Scenario::default() }));
        let seed = |number| wire(number).expect("plain data")["seed"].clone();
        assert_eq!(seed(MAX_SAFE_INTEGER), json!(MAX_SAFE_INTEGER));
        assert_eq!(seed(MAX_SAFE_INTEGER + 1), Value::from("9007199254740992"));
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
        assert_eq!(refused(r#"{"rate": [5]}"#), "invalid type: sequence, expected a number, or its text");
        assert_eq!(
            refused("5"),
            "invalid type: integer `5`, expected a scenario: an object of fields and their values"
        );
    }
}
