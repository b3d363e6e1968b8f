//! A scenario as JavaScript hands it over.

use goodput_sim::{ScenarioError, ValidScenario};
use goodput_summary::{Value, WireScenario};
use js_sys::{Array, JSON, Object};
use wasm_bindgen::{JsCast, JsValue};

/// Reads an object of fields and values. What is left out is the lesson's.
///
/// # Errors
/// The first value that is not allowed, or the first fields that do not go together.
pub fn read_scenario(object: &Object) -> Result<ValidScenario, ScenarioError> {
    let WireScenario(scenario) = WireScenario::read(Object::entries(object).iter().map(field))?;
    scenario.validate()
}

/// A pair of `Object.entries`: a field's name and its value.
pub fn field(entry: JsValue) -> (String, Value) {
    let entry: Array = entry.unchecked_into();
    let value = entry.get(1);
    let value = match (value.as_f64(), value.as_string()) {
        _ if value.is_undefined() || value.is_null() => Value::Nothing,
        (Some(number), _) => Value::Number(number),
        (_, Some(text)) => Value::Text(text),
        _ => Value::Text(JSON::stringify(&value).ok().and_then(|text| text.as_string()).unwrap_or_default()),
    };
    (entry.get(0).as_string().unwrap_or_default(), value)
}
