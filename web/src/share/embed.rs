//! The code that brings the state into somebody else's page.

use crate::address::{Pairs, add};
use crate::setup::field_names;
use crate::share::state::State;
use crate::share::words;

/// The page for frames, and the script of the element; both stand beside our own page.
const PAGE: &str = "embed.html";
const SCRIPT: &str = "goodput-lab.js";

/// Height of the frame, at first and in bounds that make sense [CSS px].
const HEIGHT: f64 = 620.0;
const HEIGHTS: (f64, f64) = (200.0, 4000.0);

/// What the author of the other page chooses.
#[derive(Clone, Debug, Default)]
pub struct Embed {
    /// What is shown around the lab: a value of `view`.
    pub view: String,
    /// `auto`, `light` or `dark`.
    pub theme: String,
    /// Height of the frame [CSS px].
    pub height: u32,
    /// What readers may not change, as [`lock`] writes it.
    pub lock: String,
}

impl Embed {
    /// The parameters of the lab there.
    fn parameters(&self, state: &State) -> Pairs {
        let mut chosen = vec![("view", self.view.clone())];
        // By itself it follows the system, or the page around.
        if self.theme != "auto" {
            chosen.push(("theme", self.theme.clone()));
        }
        if !self.lock.is_empty() {
            chosen.push(("lock", self.lock.clone()));
        }
        state.embedded(chosen)
    }

    /// The address of the frame.
    #[must_use]
    pub fn src(&self, state: &State) -> String {
        let mut query = String::new();
        for (name, value) in &self.parameters(state) {
            add(&mut query, name, value);
        }
        [&state.beside(PAGE), "?", &query].concat()
    }

    /// A plain iframe, of which the strictest editor keeps all that is needed.
    #[must_use]
    pub fn iframe(&self, state: &State) -> String {
        let (src, title) = (escaped(&self.src(state)), escaped(&words::title(state.rate)));
        let height = self.height.to_string();
        let [start, width, name, end] =
            ["<iframe src=\"", "\" width=\"100%\" height=\"", "\" title=\"", "\" loading=\"lazy\"></iframe>"];
        [start, &src, width, &height, name, &title, end].concat()
    }

    /// The element with its script. A link stands in it where no script runs.
    #[must_use]
    pub fn element(&self, state: &State) -> String {
        let mut attributes = String::new();
        let mut last = "";
        for (name, value) in &self.parameters(state) {
            // An element has no attribute twice: further pins stand in the first, parted by semicolons.
            let before = if *name == last { [";", "", ""] } else { ["\" ", name, "=\""] };
            before.into_iter().chain([escaped(value).as_str()]).for_each(|part| attributes.push_str(part));
            last = name;
        }
        let (script, src) = (escaped(&state.beside(SCRIPT)), escaped(&self.src(state)));
        let title = escaped(&words::title(state.rate));
        [
            "<script src=\"",
            &script,
            "\" defer></script>\n<goodput-lab title=\"",
            &title,
            &attributes,
            "\">\n  <a href=\"",
            &src,
            "\">",
            &title,
            "</a>\n</goodput-lab>",
        ]
        .concat()
    }
}

/// A height as the author typed it, within bounds [CSS px].
#[must_use]
pub fn height(typed: Option<f64>) -> u32 {
    typed.unwrap_or(HEIGHT).clamp(HEIGHTS.0, HEIGHTS.1) as u32
}

/// Adds a choice of what is locked to a list of names.
pub fn lock(list: &mut String, choice: &str) {
    let mut add = |name: &str| {
        list.push_str(if list.is_empty() { "" } else { "," });
        list.push_str(name);
    };
    match choice {
        "server" => field_names().filter(|name| *name != "rate").for_each(add),
        "beside" => add("seeds,theory,pin"),
        name => add(name),
    }
}

/// Text as it stands in HTML, between tags and between double quotes.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            char => html.push(char),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locks::Locks;
    use crate::share::state::tests::state;

    fn embed(locks: &[&str]) -> Embed {
        let mut list = String::new();
        locks.iter().for_each(|choice| lock(&mut list, choice));
        Embed { view: "lab".into(), theme: "auto".into(), height: 620, lock: list }
    }

    #[test]
    fn the_iframe_is_the_plain_one() {
        assert_eq!(
            embed(&[]).iframe(&state(&[("rate", "6"), ("seed", "7")], false)),
            concat!(
                r#"<iframe src="https://lab.example/v1.2.0/embed.html?rate=6&amp;seed=7&amp;view=lab&amp;engine=1""#,
                r#" width="100%" height="620" title="Goodput Lab: LLM serving at 6 requests/s" loading="lazy"></iframe>"#,
            )
        );
    }

    #[test]
    fn the_element_has_one_attribute_for_all_pins_and_a_link_inside() {
        let pins = [("rate", "6"), ("pin", "rate:4"), ("pin", "rate:5.5,seed:7")];
        let code = Embed { theme: "dark".into(), ..embed(&["seed"]) }.element(&state(&pins, false));
        assert_eq!(
            code,
            concat!(
                "<script src=\"https://lab.example/v1.2.0/goodput-lab.js\" defer></script>\n",
                "<goodput-lab title=\"Goodput Lab: LLM serving at 6 requests/s\"",
                " rate=\"6\" pin=\"rate:4;rate:5.5,seed:7\" view=\"lab\" theme=\"dark\" lock=\"seed\" engine=\"1\">\n",
                "  <a href=\"https://lab.example/v1.2.0/embed.html?rate=6&amp;pin=rate:4&amp;pin=rate:5.5,seed:7&amp;",
                "view=lab&amp;theme=dark&amp;lock=seed&amp;engine=1\">Goodput Lab: LLM serving at 6 requests/s</a>\n",
                "</goodput-lab>",
            )
        );
    }

    #[test]
    fn every_choice_of_locks_is_one_that_the_lab_knows_and_all_of_them_are_all() {
        let src = embed(&["rate", "seed", "server", "beside"]).src(&state(&[], false));
        let lock = src.split_once("lock=").and_then(|(_, rest)| rest.split_once('&')).expect("a lock").0;
        let [locks, all] = [lock, "all"].map(|text| Locks::read(text).expect(text));
        assert!(locks.has_server());
        for name in field_names().chain(["seed", "seeds", "theory", "pin"]) {
            assert!(locks.has(name) && all.has(name), "{name}");
        }
    }

    #[test]
    fn a_height_is_a_whole_number_within_bounds() {
        assert_eq!([None, Some(0.0), Some(700.4), Some(1e9)].map(height), [620, 200, 700, 4000]);
    }

    #[test]
    fn nothing_breaks_out_of_an_attribute() {
        assert_eq!(escaped(r#"a"><script>&amp;"#), "a&quot;&gt;&lt;script&gt;&amp;amp;");
    }
}
