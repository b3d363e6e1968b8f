//! The state that is shared, and the links that lead to it.

use goodput_sim::ENGINE_VERSION;

use crate::address::{Address, Pairs, View, add};
use crate::setup::Setup;

/// Where a reader who follows a link to our own page wants to be.
const LAB: &str = "#lab-title";

/// What of our own page goes along into somebody else's: what the author of the address chose for its look.
const LOOK: [&str; 5] = ["hide", "accent", "motion", "lang", "rates"];

/// Where the lab stands, as others may come back to it.
#[derive(Clone, Debug)]
pub struct State {
    /// The address of the page, without its parameters.
    page: String,
    is_for_frames: bool,
    setup: Pairs,
    kept: Pairs,
    /// The arrival rate [requests/s].
    pub rate: f64,
}

impl State {
    /// A lab that stands as `setup` says, in the page at this address, which has no parameters. Under the cover a link
    /// leads to the questions; once the lab is open it leads to what is in view.
    #[must_use]
    pub fn new(page: String, is_for_frames: bool, address: &Address, view: View, setup: &Setup, covered: bool) -> Self {
        let mut kept = Pairs::new();
        for (name, value) in address.kept(setup) {
            // The first was meant for the page around this one.
            if *name != "parent-origin" && (covered || *name != "predict") {
                kept.push((name, value.clone()));
            }
        }
        if !covered && view.asks(setup) {
            kept.push(("predict", "off".to_owned()));
        }
        Self { page, is_for_frames, setup: setup.pairs(), kept, rate: setup.scenario.rate }
    }

    /// The permalink, which always says with which engine it was made.
    #[must_use]
    pub fn link(&self) -> String {
        let mut query = String::new();
        for pairs in [&self.setup, &self.kept] {
            for (name, value) in pairs {
                add(&mut query, name, value);
            }
        }
        let (name, value) = engine();
        add(&mut query, name, &value);
        [self.page.as_str(), "?", &query, if self.is_for_frames { "" } else { LAB }].concat()
    }

    /// The address of a file that stands beside the page.
    #[must_use]
    pub fn beside(&self, file: &str) -> String {
        let slash = self.page.bytes().rposition(|byte| byte == b'/');
        let folder = slash.and_then(|slash| self.page.get(..=slash)).unwrap_or_default();
        [folder, file].concat()
    }

    /// The parameters of this state in a page around, with those that its author chooses.
    #[must_use]
    pub fn embedded(&self, chosen: Pairs) -> Pairs {
        let mut pairs = self.setup.clone();
        pairs.extend(chosen);
        for (name, value) in &self.kept {
            if LOOK.contains(name) {
                pairs.push((name, value.clone()));
            }
        }
        pairs.push(engine());
        pairs
    }
}

fn engine() -> (&'static str, String) {
    ("engine", ENGINE_VERSION.to_string())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const PAGE: &str = "https://lab.example/v1.2.0/";

    fn address(pairs: &[(&str, &str)]) -> Address {
        let owned = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let address = Address::read(owned, |text| text.parse().ok());
        assert_eq!(address.refusals, []);
        address
    }

    /// The state to which these parameters lead.
    pub(crate) fn state(pairs: &[(&str, &str)], covered: bool) -> State {
        let address = address(pairs);
        State::new(PAGE.to_owned(), false, &address, address.view.unwrap_or(View::Lesson), &address.setup, covered)
    }

    #[test]
    fn a_link_leads_to_the_state_in_view() {
        let link = state(&[("rate", "6"), ("pin", "rate:4,seed:7"), ("theme", "dark")], false).link();
        assert_eq!(link, "https://lab.example/v1.2.0/?rate=6&pin=rate:4,seed:7&theme=dark&engine=1#lab-title");
    }

    #[test]
    fn what_was_meant_for_the_page_around_stays_there() {
        let address = address(&[("rate", "6"), ("parent-origin", "https://school.example"), ("lock", "seed")]);
        let page = "https://lab.example/embed.html".to_owned();
        let state = State::new(page, true, &address, View::Lab, &address.setup, false);
        assert_eq!(state.link(), "https://lab.example/embed.html?rate=6&lock=seed&engine=1");
    }

    #[test]
    fn a_link_asks_for_a_guess_only_where_one_is_asked_for_now() {
        let query = |pairs: &[(&str, &str)], covered| {
            let link = state(pairs, covered).link();
            link.split_once('?').map(|(_, query)| query.replace(LAB, "")).expect("a query")
        };
        assert_eq!(query(&[], true), "engine=1");
        assert_eq!(query(&[], false), "predict=off&engine=1");
        assert_eq!(query(&[("view", "lab")], false), "view=lab&engine=1");
        assert_eq!(query(&[("view", "lab"), ("predict", "on")], true), "view=lab&predict=on&engine=1");
        assert_eq!(query(&[("view", "predict"), ("predict", "on")], false), "view=predict&predict=off&engine=1");
        assert_eq!(query(&[("rate", "6")], false), "rate=6&engine=1");
    }

    #[test]
    fn files_stand_beside_the_page() {
        assert_eq!(state(&[], false).beside("embed.html"), "https://lab.example/v1.2.0/embed.html");
    }

    #[test]
    fn the_look_goes_along_and_the_rest_is_the_authors_choice() {
        let pairs = [("rate", "6"), ("view", "lesson"), ("theme", "dark"), ("lock", "rate"), ("hide", "time,table")];
        let embedded = state(&pairs, false).embedded(vec![("view", "lab".to_owned())]);
        let written: Vec<String> = embedded.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(written.join("&"), "rate=6&view=lab&hide=time,table&engine=1");
    }
}
