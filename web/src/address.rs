//! What an address asks for. One schema for the parameters of a URL, the attributes of the element and the messages of a
//! host page: the same names, the same values, the same sentences when one is refused.

use goodput_charts::Scheme;
use goodput_sim::{ENGINE_VERSION, Scenario};
use goodput_summary::Value;

use crate::accent::Accent;
use crate::locks::Locks;
use crate::rate::{Rate, Span};
use crate::refusal::Refusal;
use crate::setup::{ReadNumber, Setup, field_names, on_or_off};

/// Most parameters of an address: there are not half as many.
const MOST: usize = 128;

/// Most rates that are offered as stops.
const MOST_STOPS: usize = 8;

/// The parts of the lab that may be left out.
pub const PARTS: [&str; 13] = [
    "figures",
    "choices",
    "settings",
    "verdict",
    "beside",
    "throughput",
    "ttft",
    "tpot",
    "goodput",
    "time",
    "little",
    "table",
    "share",
];

/// Parameters of a page, besides those of a setup.
const OF_THE_PAGE: [&str; 11] =
    ["view", "predict", "lock", "hide", "theme", "accent", "motion", "lang", "rates", "parent-origin", "engine"];

/// Those of them that may also change while the lab runs.
const LIVE: [&str; 4] = ["theme", "accent", "lock", "hide"];

/// Names that links grow on their way through other people's programs. They ask nothing of us.
const OF_OTHERS: [&str; 3] = ["fbclid", "gclid", "ref"];
const OF_CAMPAIGNS: &str = "utm_";

/// Parameters and their values.
pub type Pairs = Vec<(&'static str, String)>;

/// What is shown around the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The lab alone.
    Lab,
    /// The whole lesson.
    Lesson,
    /// The questions, and then the lab.
    Predict,
    /// The lab and the goals.
    Challenge,
}

impl View {
    const ALL: [Self; 4] = [Self::Lab, Self::Lesson, Self::Predict, Self::Challenge];

    /// Its name in an address.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lab => "lab",
            Self::Lesson => "lesson",
            Self::Predict => "predict",
            Self::Challenge => "challenge",
        }
    }

    /// Whether a reader is asked for a guess where nothing else is said. Who was sent to a certain state wants to see it.
    #[must_use]
    pub fn asks(self, setup: &Setup) -> bool {
        matches!(self, Self::Lesson | Self::Predict) && setup.pairs().is_empty()
    }
}

/// What an address asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Address {
    /// Where the lab begins.
    pub setup: Setup,
    /// What is shown around it, if the address says so.
    pub view: Option<View>,
    /// Whether the reader is asked for a guess first, if the address says so.
    pub predict: Option<bool>,
    /// Light or dark, if not by the system.
    pub theme: Option<Scheme>,
    /// The colour of what can be pressed.
    pub accent: Option<Accent>,
    /// Nothing moves by itself, whatever the system says.
    pub still: bool,
    /// The language of the page with its region, which decides how numbers are written.
    pub lang: Option<String>,
    /// The rates that are offered as stops.
    pub rates: Option<Vec<Rate>>,
    /// What the reader may not change.
    pub lock: Locks,
    /// What is left out, of [`PARTS`].
    pub hide: Vec<&'static str>,
    /// The origin of the page around, which may send messages and is told what the learner does.
    pub parent_origin: Option<String>,
    /// What could not be taken as it was given.
    pub refusals: Vec<Refusal>,
    /// The page's parameters as they were given, to be kept when the address is written anew.
    kept: Pairs,
}

impl Address {
    /// Reads the parameters of an address. Where one is unknown or has a bad value the default is used, and
    /// [`Address::refusals`] says so.
    #[must_use]
    pub fn read(pairs: impl IntoIterator<Item = (String, String)>, number: ReadNumber) -> Self {
        let mut address = Self::default();
        let pairs: Vec<_> = pairs.into_iter().take(MOST + 1).collect();
        if pairs.len() > MOST {
            let (count, most) = (format!("over {MOST}"), MOST.to_string());
            address.refusals.push(Refusal::said("too_many", &[("count", &count), ("most", &most)]));
            return address;
        }
        let pairs: Vec<_> = pairs.into_iter().map(|(name, text)| (name.replace('_', "-"), Value::Text(text))).collect();
        address.take(&pairs, number, |address, name, value| address.put_page(name, value, number));
        address.agree();
        address
    }

    /// Takes what a host page sends while the lab runs. A refused value changes nothing.
    ///
    /// Gives the refusals.
    pub fn update(&mut self, pairs: &[(String, Value)], number: ReadNumber) -> Vec<Refusal> {
        self.refusals.clear();
        let names: Vec<_> =
            pairs.iter().take(MOST).map(|(name, value)| (name.replace('_', "-"), value.clone())).collect();
        self.take(&names, number, |address, name, value| match LIVE.contains(&name) {
            true => address.put_page(name, value, number),
            false => Err(Refusal::said("at_start", &[("name", name)])),
        });
        std::mem::take(&mut self.refusals)
    }

    /// Takes parameters, a preset before all that refines it.
    fn take(
        &mut self,
        pairs: &[(String, Value)],
        number: ReadNumber,
        put_page: impl Fn(&mut Self, &'static str, &Value) -> Result<(), Refusal>,
    ) {
        let before = self.setup.clone();
        if pairs.iter().any(|(name, _)| name == "pin") {
            self.setup.pins.clear();
        }
        let (presets, others): (Vec<_>, Vec<_>) = pairs.iter().partition(|(name, _)| name == Setup::PRESET);
        for (name, value) in presets.into_iter().chain(others) {
            let page = OF_THE_PAGE.into_iter().find(|known| known == name);
            let taken = match page {
                Some(name) => put_page(self, name, value),
                None if Setup::has(name) => self.setup.put(name, value, number),
                None if OF_OTHERS.contains(&name.as_str()) || name.replace('-', "_").starts_with(OF_CAMPAIGNS) => {
                    Ok(())
                }
                None => Err(Refusal::unknown(name, &allowed())),
            };
            self.refusals.extend(taken.err());
        }
        self.setup.fit();
        self.refusals.extend(rounded(pairs, number, &self.setup.scenario));
        if let Err(error) = self.setup.check() {
            self.refusals.push(error.into());
            self.setup = before;
        }
    }

    fn put_page(&mut self, name: &'static str, value: &Value, number: ReadNumber) -> Result<(), Refusal> {
        let text = match value {
            Value::Text(text) => text.trim(),
            _ => "",
        };
        let refused = |allowed| Refusal::not_allowed(name, value, allowed);
        match name {
            "view" => {
                let view = View::ALL.into_iter().find(|view| view.name() == text);
                self.view = Some(view.ok_or_else(|| refused("view"))?);
            }
            "predict" => self.predict = Some(on_or_off("predict", value)?),
            "theme" => {
                self.theme = match text {
                    "auto" => None,
                    "light" => Some(Scheme::Light),
                    "dark" => Some(Scheme::Dark),
                    _ => return Err(refused("theme")),
                }
            }
            "accent" => self.accent = Some(Accent::read(text).ok_or_else(|| refused("accent"))?),
            "motion" => {
                self.still = match text {
                    "auto" => false,
                    "reduced" => true,
                    _ => return Err(refused("motion")),
                }
            }
            "lang" => self.lang = Some(language(text).ok_or_else(|| refused("lang"))?),
            "rates" => self.rates = Some(stops(text, number).ok_or_else(|| refused("rates"))?),
            "lock" => self.lock = Locks::read(text).ok_or_else(|| refused("lock"))?,
            "hide" => self.hide = parts(text).ok_or_else(|| refused("hide"))?,
            "parent-origin" => self.parent_origin = Some(origin(text).ok_or_else(|| refused("origin"))?),
            "engine" => {
                let given = number(text).ok_or_else(|| refused("engine"))?;
                if given != f64::from(ENGINE_VERSION) {
                    let own = ENGINE_VERSION.to_string();
                    return Err(Refusal::said("engine", &[("given", &given.to_string()), ("own", &own)]));
                }
                return Ok(());
            }
            _ => return Err(Refusal::unknown(name, &allowed())),
        }
        self.kept.retain(|(known, _)| *known != name);
        // An address ends at the sign, and has no spaces; none of the values needs either.
        self.kept.push((name, text.chars().filter(|char| !matches!(char, '#' | ' ')).collect()));
        Ok(())
    }

    /// Questions about the lesson's server make sense before the lesson's server only.
    fn agree(&mut self) {
        if self.predict == Some(true) && !is_the_lessons(&self.setup) {
            self.refusals.push(Refusal::said("predict", &[]));
            self.predict = Some(false);
        }
    }

    /// The address of a lab that stands as `setup` says, in a page as this one: a query without its question mark, and
    /// nothing in it that would have to be escaped. Empty for the page as it is.
    #[must_use]
    pub fn query(&self, setup: &Setup) -> String {
        let setup_pairs = setup.pairs();
        let mut query = String::new();
        for (name, value) in setup_pairs.iter().chain(self.kept(setup)) {
            add(&mut query, name, value);
        }
        if !setup_pairs.is_empty() {
            add(&mut query, "engine", &ENGINE_VERSION.to_string());
        }
        query
    }

    /// The page's own parameters that are kept for a lab that stands as `setup` says.
    pub fn kept(&self, setup: &Setup) -> impl Iterator<Item = &(&'static str, String)> {
        // No longer before the lesson's server, the questions would be refused.
        let asks = is_the_lessons(setup);
        self.kept.iter().filter(move |(name, value)| asks || *name != "predict" || value != "on")
    }
}

/// Says that another rate is shown than the one that was given, if that is because rates go in tenths.
fn rounded(pairs: &[(String, Value)], number: ReadNumber, shown: &Scenario) -> Option<Refusal> {
    let (_, given) = pairs.iter().rfind(|(name, _)| name == "rate")?;
    let given = match given {
        Value::Number(given) => *given,
        Value::Text(text) => number(text)?,
        Value::Nothing => return None,
    };
    let step = if Span::of(shown).step < Rate::TENTH { "hundredths" } else { "tenths" };
    let is_near = (given - shown.rate).abs() <= Rate::TENTH.per_s();
    let words = || Refusal::said(step, &[("given", &given.to_string()), ("shown", &shown.rate.to_string())]);
    (given != shown.rate && is_near).then(words)
}

/// Adds a parameter to a query.
pub(crate) fn add(query: &mut String, name: &str, value: &str) {
    let parting = if query.is_empty() { "" } else { "&" };
    for part in [parting, name, "=", value] {
        query.push_str(part);
    }
}

/// Whether it is the lesson's server on the lesson's draw, about which the questions are.
fn is_the_lessons(setup: &Setup) -> bool {
    let rate = setup.scenario.rate;
    setup.scenario == Scenario { rate, ..Scenario::default() }
}

/// The names that an address may have, in words.
fn allowed() -> String {
    let names: Vec<&str> =
        [Setup::PRESET].into_iter().chain(field_names()).chain(Setup::BESIDE).chain(OF_THE_PAGE).collect();
    names.join(", ")
}

/// English, with a region if there is one: `en`, `en-GB`.
fn language(text: &str) -> Option<String> {
    let region = text.strip_prefix("en")?;
    let is_region =
        |region: &str| (2..=3).contains(&region.len()) && region.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (region.is_empty() || region.strip_prefix('-').is_some_and(is_region)).then(|| text.to_owned())
}

fn stops(text: &str, number: ReadNumber) -> Option<Vec<Rate>> {
    let in_range = |rate: &f64| (Rate::MIN.per_s()..=Rate::MAX.per_s()).contains(rate);
    let stop = |text: &str| number(text).filter(in_range).map(Rate::nearest);
    let stops: Vec<Rate> = text.split(',').map(stop).collect::<Option<_>>()?;
    (stops.len() <= MOST_STOPS).then_some(stops)
}

fn parts(text: &str) -> Option<Vec<&'static str>> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| PARTS.into_iter().find(|part| *part == name)).collect()
}

/// An origin as a browser writes it: a scheme, a host, perhaps a port, and nothing else.
fn origin(text: &str) -> Option<String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-:[]".contains(&byte);
    (!host.is_empty() && host.len() <= 255 && host.bytes().all(is_plain)).then(|| text.to_owned())
}
