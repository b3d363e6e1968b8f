//! The levers in the page: how many of a group are moved, what the last one has done, and the links that move some.

use goodput_sim::Scenario;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement};

use crate::controls::{Source, number};
use crate::dom::{Slot, find, find_all};
use crate::effect::Effect;
use crate::lab::worded;
use crate::lever::{Lever, settings};
use crate::model::{Model, Msg};
use crate::words;

/// A group of levers that is opened and closed.
#[derive(Debug)]
struct Group {
    details: Element,
    levers: Vec<Lever>,
    changed: Slot,
}

/// The groups of levers, and the sentence about the last effect.
#[derive(Debug)]
pub(crate) struct LeversView {
    groups: Vec<Group>,
    /// What is true of the lesson's server alone.
    lessons: Vec<Element>,
    effect: Element,
    sentence: Element,
    parts: Vec<Slot>,
    back: Element,
    shown: (Scenario, Option<Effect>),
    /// The sentence has not been heard yet.
    unsaid: bool,
}

impl LeversView {
    pub(crate) fn in_lab(root: &Element) -> Result<Self, JsValue> {
        let effect: Element = find(root, "[data-effect]")?;
        let part = |name: &&str| Slot::find(&effect, &format!("[data-effect-part={name}]"));
        Ok(Self {
            groups: find_all(root, "[data-levers]")?.into_iter().map(group).collect::<Result<_, _>>()?,
            lessons: find_all(root, "[data-lessons-server]")?,
            sentence: find(&effect, "span")?,
            parts: Effect::PARTS.iter().map(part).collect::<Result<_, _>>()?,
            back: find(&effect, "button")?,
            effect,
            shown: (Scenario::default(), None),
            unsaid: false,
        })
    }

    /// Shows how many levers are moved, and in the group of the last one what it has done.
    pub(crate) fn show(&mut self, model: &Model) -> Result<(), JsValue> {
        let (server, effect) = (model.server(), model.effect().filter(|_| !model.hides_run()));
        if (&self.shown.0, self.shown.1.as_ref()) == (server, effect) {
            return Ok(());
        }
        let lesson = Scenario::default();
        let is_moved = |lever: &&Lever| !lever.is_alike(server, &lesson);
        let mut moved = 0;
        for group in &self.groups {
            let count = group.levers.iter().filter(is_moved).count();
            group.changed.set_text(&words::levers_changed(count));
            moved += count;
        }
        for element in &self.lessons {
            element.toggle_attribute_with_force("hidden", moved > 0)?;
        }
        self.effect.toggle_attribute_with_force("hidden", effect.is_none())?;
        if let Some(effect) = effect {
            for (part, words) in self.parts.iter().zip(effect.words()) {
                part.set_text(&words);
            }
            self.back.toggle_attribute_with_force("hidden", !effect.levers.iter().any(|lever| is_moved(&lever)))?;
            let first = effect.levers.first();
            if let Some(group) =
                self.groups.iter().find(|group| first.is_some_and(|first| group.levers.contains(first)))
            {
                // Only into another one: what is moved loses the focus.
                if !group.details.contains(Some(&self.effect)) {
                    group.details.append_child(&self.effect)?;
                }
            }
        }
        self.unsaid |= effect != self.shown.1.as_ref() && effect.is_some();
        self.shown = (server.clone(), effect.cloned());
        Ok(())
    }

    /// What the last lever has done, in words, if that has not been asked for yet.
    pub(crate) fn take_unsaid(&mut self) -> Option<String> {
        let words = std::mem::take(&mut self.unsaid).then(|| self.sentence.text_content()).flatten()?;
        Some(words.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

fn group(details: Element) -> Result<Group, JsValue> {
    let levers = find_all(&details, "[data-field]")?
        .iter()
        .map(|control| Lever::named(&control.get_attribute("name").unwrap_or_default()))
        .collect::<Result<_, _>>()
        .map_err(|refusal| worded(&refusal))?;
    Ok(Group { levers, changed: Slot::find(&details, "[data-changed]")?, details })
}

/// The links of the page that move levers of this lab: each opens their group and leads to the first of them.
pub(crate) fn links(page: &Element, root: &Element) -> Result<Vec<Source>, JsValue> {
    find_all(page, "[data-try]")?
        .into_iter()
        .map(|link| {
            let wanted = link.get_attribute("data-try").unwrap_or_default();
            let settings = settings(&wanted, number).map_err(|refusal| worded(&refusal))?;
            let (name, _) = wanted.split_once('=').unwrap_or_default();
            let control: HtmlElement = find(root, &format!("[data-field][name={name}]"))?;
            let read = move || {
                if let Ok(Some(group)) = control.closest("details") {
                    group.set_attribute("open", "").ok();
                }
                // A control that is fixed on this page takes none.
                control.focus().ok();
                Some(Msg::Try(settings.clone()))
            };
            Ok(Source { target: link.unchecked_into(), event: "click", read: Box::new(read) })
        })
        .collect()
}
