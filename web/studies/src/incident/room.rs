//! The game in the page: its dashboard, the question, the verdict.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use goodput_browser::callbacks::{listen_to, on_submit};
use goodput_browser::dom::{find_all, set_attribute, window};
use goodput_browser::failure::report_failure;
use goodput_browser::panic::panicked;
use goodput_incidents::Diagnosis;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, HtmlFieldSetElement, HtmlInputElement};

use crate::incident::board::{Panel, board, table};
use crate::incident::findings;
use crate::incident::play::{NUMBERS, Play, number_in};
use crate::incident::small_chart::svg;
use crate::view::{add, fill_table, write};
use crate::words::say;

/// The game in its room, with all that it listens to.
pub(crate) struct IncidentRoom {
    _inner: Rc<RefCell<Inner>>,
    _listeners: [EventListener; 3],
}

struct Inner {
    play: Play,
    title: HtmlElement,
    link: Element,
    board: Element,
    table: Element,
    question: HtmlFieldSetElement,
    commit: Element,
    verdict: Element,
    judgement: HtmlElement,
    findings: Element,
    score: Element,
}

impl IncidentRoom {
    /// Opens the game in a room that is empty so far, with the incident that the address names or a new one.
    pub(crate) fn open(room: &Element) -> Result<Self, JsValue> {
        let number = number_in(&window()?.location().hash()?).unwrap_or_else(fresh_number);
        let title = heading(room)?;
        let link = add(&add(room, "p", "note")?, "a", "")?;
        link.set_text_content(Some(&say("incident.link", &[])));
        let board = add(room, "div", "board")?;
        let details = add(room, "details", "")?;
        write(&details, "summary", &say("table", &[]))?;
        let table = add(&details, "div", "")?;
        let form = add(room, "form", "")?;
        let question: HtmlFieldSetElement = add(&form, "fieldset", "causes")?.unchecked_into();
        write(&question, "legend", &say("incident.question", &[]))?;
        for (place, diagnosis) in Diagnosis::ALL.into_iter().enumerate() {
            offer(&question, place, diagnosis)?;
        }
        let actions = add(&form, "p", "actions")?;
        let commit = write(&actions, "button", &say("incident.commit", &[]))?;
        let another = write(&actions, "button", &say("incident.another", &[]))?;
        set_attribute(&another, "type", "button");
        let verdict = add(room, "div", "judged")?;
        let judgement = heading(&verdict)?;
        let findings = add(&verdict, "div", "")?;
        let score = add(&verdict, "p", "note")?;
        let play = Play::new(number);
        let inner = Inner { play, title, link, board, table, question, commit, verdict, judgement, findings, score };
        inner.ask()?;
        let inner = Rc::new(RefCell::new(inner));
        let handle = Handle(Rc::downgrade(&inner));
        let (to_another, to_named) = (handle.clone(), handle.clone());
        let listeners = [
            on_submit(&form, move || handle.with(Inner::commit)),
            listen_to(&another, "click", move |_| to_another.with(|inner| inner.go_on(fresh_number()))),
            listen_to(window()?.as_ref(), "hashchange", move |_| to_named.with(Inner::go_where_the_address_says)),
        ];
        Ok(Self { _inner: inner, _listeners: listeners })
    }
}

/// The way back into the game, for those whom the browser calls.
#[derive(Clone)]
struct Handle(Weak<RefCell<Inner>>);

impl Handle {
    fn with(&self, act: impl FnOnce(&mut Inner) -> Result<(), JsValue>) {
        if !panicked()
            && let Some(inner) = self.0.upgrade()
            && let Ok(mut inner) = inner.try_borrow_mut()
        {
            act(&mut inner).unwrap_or_else(|failure| report_failure(&failure));
        }
    }
}

/// A number that nobody has chosen.
fn fresh_number() -> u64 {
    (js_sys::Math::random() * f64::from(NUMBERS)) as u64
}

/// A heading that can take the focus, and is read aloud then.
fn heading(parent: &Element) -> Result<HtmlElement, JsValue> {
    let heading: HtmlElement = add(parent, "h3", "")?.unchecked_into();
    heading.set_tab_index(-1);
    Ok(heading)
}

/// A cause to choose.
fn offer(question: &Element, place: usize, diagnosis: Diagnosis) -> Result<(), JsValue> {
    let label = add(question, "label", "")?;
    let radio: HtmlInputElement = add(&label, "input", "")?.unchecked_into();
    radio.set_type("radio");
    radio.set_name("incident-cause");
    radio.set_value(&place.to_string());
    radio.set_required(true);
    let [name, meaning] = findings::offered(diagnosis);
    let words = add(&label, "span", "")?;
    write(&words, "strong", &name)?;
    words.append_with_str_1(&say("incident.offered", &[("meaning", &meaning)]))?;
    Ok(())
}

impl Inner {
    /// Shows an incident to which there is no answer yet.
    fn ask(&self) -> Result<(), JsValue> {
        let number = self.play.game.number().to_string();
        self.title.set_text_content(Some(&say("incident.title", &[("number", &number)])));
        set_attribute(&self.link, "href", &format!("#incident={number}"));
        self.table.set_text_content(None);
        fill_table(&self.table, &table(&board(&self.play.game, &self.play.dashboard)))?;
        for radio in self.radios()? {
            radio.set_checked(false);
        }
        self.question.set_disabled(false);
        hide(&self.commit, false);
        hide(&self.verdict, true);
        self.show()
    }

    fn radios(&self) -> Result<Vec<HtmlInputElement>, JsValue> {
        Ok(find_all(&self.question, "input")?.into_iter().map(JsCast::unchecked_into).collect())
    }

    /// Shows the small charts, with what is known of the incident.
    fn show(&self) -> Result<(), JsValue> {
        self.board.set_text_content(None);
        let truth = self.play.verdict().map(|_| self.play.game.truth());
        let onset_s = truth.map(|_| self.play.game.onset_s());
        for (question, panels) in board(&self.play.game, &self.play.dashboard) {
            write(&self.board, "h4", &question)?;
            panels.iter().try_for_each(|panel| show_panel(&self.board, panel, onset_s, truth))?;
        }
        Ok(())
    }

    /// The reader commits to the cause that is chosen.
    fn commit(&mut self) -> Result<(), JsValue> {
        let Some(chosen) = self.radios()?.iter().position(HtmlInputElement::checked) else { return Ok(()) };
        self.play.commit(Diagnosis::ALL[chosen]);
        let Some(verdict) = self.play.verdict() else { return Ok(()) };
        let game = &self.play.game;
        self.judgement.set_text_content(Some(&findings::judgement(&verdict, game)));
        self.findings.set_text_content(None);
        write(&self.findings, "p", &findings::telling(&verdict, game))?;
        if let Some(against) = findings::against(&verdict) {
            write(&self.findings, "p", &against)?;
        }
        write(&self.findings, "p", &findings::remedy(game.truth()))?;
        write(&self.findings, "p", &findings::onset(game))?;
        let [right, answered] = [self.play.right, self.play.answered].map(|count| count.to_string());
        self.score.set_text_content(Some(&say("incident.score", &[("right", &right), ("answered", &answered)])));
        self.question.set_disabled(true);
        hide(&self.verdict, false);
        self.judgement.focus()?;
        hide(&self.commit, true);
        self.show()
    }

    fn go_on(&mut self, number: u64) -> Result<(), JsValue> {
        self.play.go_on(number);
        self.ask()?;
        self.title.focus()
    }

    fn go_where_the_address_says(&mut self) -> Result<(), JsValue> {
        match number_in(&window()?.location().hash()?) {
            Some(number) if number != self.play.game.number() => self.go_on(number),
            _ => Ok(()),
        }
    }
}

fn hide(element: &Element, is_hidden: bool) {
    element.unchecked_ref::<HtmlElement>().set_hidden(is_hidden);
}

fn show_panel(board: &Element, panel: &Panel, onset_s: Option<f64>, truth: Option<Diagnosis>) -> Result<(), JsValue> {
    let tells = truth.is_some_and(|truth| panel.tells(truth));
    let figure = add(board, "figure", if tells { "tells" } else { "" })?;
    let title = add(&figure, "figcaption", "")?;
    write(&title, "strong", &panel.title)?;
    for line in panel.lines.iter().filter(|line| !line.name.is_empty()) {
        key(&title, line.classes(), &line.name)?;
    }
    if let Some((_, words)) = &panel.limit {
        key(&title, "limit", words)?;
    }
    let frame = add(&figure, "div", "scaled")?;
    let [low, high] = panel.ends();
    for (class, words) in [("high", high), ("low", low)] {
        let end = add(&frame, "span", class)?;
        end.set_text_content(Some(&words));
    }
    let plot = add(&frame, "div", "trace")?;
    set_attribute(&plot, "role", "img");
    set_attribute(&plot, "aria-label", &panel.description());
    // Our own text, numbers and names of classes alone.
    plot.set_inner_html(&svg(panel, onset_s));
    let axis = add(&frame, "div", "axis")?;
    for words in [say("incident.time.start", &[]), say("incident.time.middle", &[]), say("incident.time.end", &[])] {
        write(&axis, "span", &words)?;
    }
    if tells {
        write(&figure, "p", &say("incident.tells", &[]))?;
    }
    write(&figure, "p", &panel.caption())?;
    Ok(())
}

/// The name of a line, with a piece of it.
fn key(title: &Element, class: &str, words: &str) -> Result<(), JsValue> {
    let key = add(title, "span", "name")?;
    key.set_inner_html(&format!(
        "<svg viewBox=\"0 0 24 8\" aria-hidden=\"true\"><path class=\"{class}\" d=\"M0 4H24\"/></svg>"
    ));
    key.append_with_str_1(words)?;
    Ok(())
}
