//! What the module exports to start a lab: in our own page, and in any element that holds its markup.

use std::cell::RefCell;
use std::rc::Rc;

use goodput_sim::ScenarioError;
use wasm_bindgen::prelude::*;
use web_sys::Element;

use crate::api::to_js;
use crate::app::{App, Handle};
use crate::dom::{document, now_ms};
use crate::model::{Model, Opening};
use crate::numerals;
use crate::page::Page;
use crate::panic;
use crate::setup::Setup;

/// Runs when the module is loaded, in whatever page.
#[wasm_bindgen(start)]
pub fn start() {
    panic::install();
}

/// How long the curve of another server than the lesson's may keep the lab from opening [ms]: the rest of it comes later.
const PREPARE_MS: f64 = 500.0;

thread_local! {
    /// Our own page and its lab, until the lab opens, and since when it is being prepared [ms].
    static OPENING: RefCell<Option<(Page, Opening, f64)>> = const { RefCell::new(None) };
    /// The page's own lab, which lives as long as the page.
    static PAGE_LAB: RefCell<Option<Lab>> = const { RefCell::new(None) };
}

/// First steps of our own page: reads its address and simulates some of what it asks for. True while some is left.
///
/// # Errors
/// When the page lacks what it needs.
#[wasm_bindgen(skip_typescript)]
pub fn prepare() -> Result<bool, JsValue> {
    OPENING.with_borrow_mut(|opening| match opening {
        Some((_, opening, since)) => {
            let is_left = opening.advance().map_err(|refusal| worded(&refusal))?;
            Ok(is_left && (opening.is_the_lessons() || now_ms() - *since < PREPARE_MS))
        }
        None => {
            let page = Page::open()?;
            let setup = page.address.setup.clone();
            // In a frame the author has chosen where it begins; on our own page there is the lesson to go back to.
            let home = if page.is_for_frames() { setup.clone() } else { Setup::default() };
            let lab = Opening::new(setup, home, page.address.lock.clone()).map_err(|refusal| worded(&refusal))?;
            *opening = Some((page, lab, now_ms()));
            Ok(true)
        }
    })
}

/// Last step of our own page: opens its lab.
///
/// # Errors
/// When the page's markup lacks what a lab needs.
#[wasm_bindgen(skip_typescript)]
pub fn open() -> Result<(), JsValue> {
    let (page, opening, _) = OPENING.take().ok_or("the page was not prepared")?;
    numerals::follow_page()?;
    let root = document()?.query_selector("[data-lab]")?.ok_or("the page has no lab")?;
    let model = opening.open().map_err(|refusal| worded(&refusal))?;
    let lab = mount_model(root, model, Some(page))?;
    PAGE_LAB.with(|own| own.replace(Some(lab)));
    Ok(())
}

/// What the lab of our own page shows, as `run` would return it; undefined before it has opened.
///
/// # Errors
/// None that is known: the type is the serializer's.
#[wasm_bindgen(skip_typescript)]
pub fn current() -> Result<JsValue, JsError> {
    let shown = |lab: &Lab| Some(to_js(&lab.app.try_borrow().ok()?.as_ref()?.summary()));
    PAGE_LAB.with_borrow(|lab| lab.as_ref().and_then(shown).unwrap_or(Ok(JsValue::UNDEFINED)))
}

/// An engine's refusal, as JavaScript throws it.
pub(crate) fn worded(refusal: &ScenarioError) -> JsValue {
    JsValue::from_str(&refusal.to_string())
}

/// A running lab. Dropping or destroying it ends its listeners, timers and frames.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Lab {
    app: Rc<RefCell<Option<App>>>,
}

#[wasm_bindgen]
impl Lab {
    /// Ends the lab; the page keeps its last picture.
    pub fn destroy(&self) {
        if let Ok(mut app) = self.app.try_borrow_mut() {
            app.take();
        }
    }
}

/// Starts a lab in an element that holds the lab's markup.
///
/// # Errors
/// When the markup lacks what a lab needs.
#[wasm_bindgen]
pub fn mount(root: Element) -> Result<Lab, JsValue> {
    mount_model(root, Model::new().map_err(|refusal| worded(&refusal))?, None)
}

fn mount_model(root: Element, model: Model, page: Option<Page>) -> Result<Lab, JsValue> {
    let app = Rc::new(RefCell::new(None));
    app.replace(Some(App::new(root, model, page, Handle::of(&app))?));
    Ok(Lab { app })
}
