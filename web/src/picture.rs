//! The moving picture in the page: the server at an instant of the current run, its controls, and a request's autopsy.
//!
//! Its own animation frame runs only while it plays in sight; everything else draws one frame and is still.

use std::rc::Rc;

use gloo_events::EventListener;
use gloo_render::AnimationFrame;
use goodput_charts::{Scene, Scheme, Stage, draw_scene, scene_text};
use goodput_sim::{Run, SimTime};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, EventTarget, HtmlElement, HtmlInputElement, HtmlSelectElement, MouseEvent};

use crate::autopsy::AutopsyPanel;
use crate::callbacks::listen_to;
use crate::canvas::Ground;
use crate::canvas::SUBPIXELS;
use crate::controls::{Stop, number};
use crate::dom::{Slot, document, find, find_all, set_attribute};
use crate::failure::report_failure;
use crate::layer::{Layer, Surface};
use crate::player::{Act, Player};
use crate::rate::Rate;
use crate::resize::SizeWatch;
use crate::sight::{Sight, SightWatch, in_sight};
use crate::words;

/// How the browser's calls come back to the picture, with the current run.
pub(crate) type Call = Rc<dyn Fn(&mut dyn FnMut(&mut Picture, &Run<'_>))>;

/// How an event reads as what is asked.
type Read = Box<dyn Fn(&Event) -> Option<Ask>>;

/// What a reader may ask of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ask {
    /// Play, pause, seek, speed.
    Act(Act),
    /// On to the next event.
    Step,
    /// The autopsy of the request of the p99.
    P99,
    /// The autopsy of the request so many places on.
    Other(isize),
    /// The autopsy of this request.
    Request(usize),
    /// The autopsy of what is drawn at a point of the plot [CSS px].
    Point(f64, f64),
    /// The keyboard's way through the requests begins.
    Read,
    /// No autopsy.
    Close,
}

/// The picture.
pub(crate) struct Picture {
    plot: HtmlElement,
    layer: Layer<Scene>,
    surface: Option<Surface>,
    scheme: Scheme,
    reader: HtmlInputElement,
    figure: Element,
    headline: Slot,
    play: Slot,
    time: HtmlInputElement,
    time_text: Slot,
    status: Slot,
    /// Buttons that set the rate and show which one is set.
    stops: Vec<Stop>,
    player: Player,
    autopsy: AutopsyPanel,
    selected: Option<usize>,
    in_sight: bool,
    /// The run is another one than the autopsy's.
    stale: bool,
    frame: Option<AnimationFrame>,
    call: Call,
    listeners: Vec<EventListener>,
    _sizes: SizeWatch,
    _sight: SightWatch,
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Picture").field("player", &self.player).finish_non_exhaustive()
    }
}

impl Picture {
    /// Takes over the page's figure, if it has one: the canvas comes over its still.
    pub(crate) fn in_page(scheme: Scheme, ratio: f64, run: &Run<'_>, call: Call) -> Result<Option<Self>, JsValue> {
        let Some(figure) = document()?.query_selector("[data-scene]")? else { return Ok(None) };
        let plot: HtmlElement = find(&figure, ".plot")?;
        let layer = Layer::in_plot(&plot)?;
        set_attribute(layer.canvas(), "role", "img");
        let reader: HtmlInputElement = document()?.create_element("input")?.unchecked_into();
        reader.set_type("range");
        reader.set_class_name("reader");
        set_attribute(&reader, "aria-label", &words::picture("reader"));
        plot.append_child(&reader)?;
        let autopsy = AutopsyPanel::in_figure(&figure)?;
        let plots: [&Element; 2] = [plot.as_ref(), autopsy.plot.as_ref()];
        let sizes = SizeWatch::new(plots.into_iter(), {
            let call = call.clone();
            move |index, css_width, device| call(&mut |picture, _| picture.resize(index, css_width, device))
        })?;
        let sight = SightWatch::new(plots.into_iter().take(1), Sight::Near, {
            let call = call.clone();
            move |_, in_sight| call(&mut |picture, _| picture.see(in_sight))
        })?;
        let stops = find_all(&figure, "[data-go-rate][aria-pressed]")?;
        let rect = plot.get_bounding_client_rect();
        let mut picture = Self {
            surface: Surface::measured(rect.width(), (rect.width() * ratio, rect.height() * ratio), scheme),
            scheme,
            headline: Slot::find(&figure, "[data-headline]")?,
            play: Slot::find(&figure, "[data-picture=play]")?,
            time: find(&figure, "[data-picture=time]")?,
            time_text: Slot::find(&figure, "[data-picture-time]")?,
            status: Slot::find(&figure, "[data-picture-status]")?,
            stops: stops.into_iter().map(|stop| Stop::new(stop, "data-go-rate")).collect(),
            player: Player::new(run.scenario().horizon),
            layer,
            reader,
            selected: None,
            in_sight: in_sight(&rect),
            stale: true,
            frame: None,
            listeners: Vec::new(),
            _sizes: sizes,
            _sight: sight,
            autopsy,
            plot,
            call,
            figure: figure.clone(),
        };
        picture.listeners = picture.listen(&figure)?;
        // The first picture needs no animation frame: in a hidden frame there is none.
        picture.follow(run, false);
        for group in find_all(&figure, "[data-controls]")? {
            group.remove_attribute("disabled").ok();
        }
        set_attribute(&figure, "data-state", "running");
        Ok(Some(picture))
    }

    /// Everything in the figure that can be used.
    fn listen(&self, figure: &Element) -> Result<Vec<EventListener>, JsValue> {
        let mut listeners = Vec::new();
        let mut on = |target: &EventTarget, event: &'static str, read: Read| {
            let call = self.call.clone();
            listeners.push(listen_to(target, event, move |event| {
                if let Some(ask) = read(event) {
                    call(&mut |picture, run| picture.ask(ask, run));
                }
            }));
        };
        for (name, ask) in [
            ("play", Ask::Act(Act::Toggle)),
            ("step", Ask::Step),
            ("p99", Ask::P99),
            ("previous", Ask::Other(-1)),
            ("next", Ask::Other(1)),
            ("close", Ask::Close),
        ] {
            let button: Element = find(figure, &format!("[data-picture={name}]"))?;
            on(&button, "click", Box::new(move |_| Some(ask)));
        }
        let speed: HtmlSelectElement = find(figure, "[data-picture=speed]")?;
        on(&speed.clone(), "change", Box::new(move |_| Some(Ask::Act(Act::Speed(number(&speed.value())?)))));
        let time = self.time.clone();
        let sought = move || Act::Seek(SimTime::from_secs(time.value_as_number()));
        on(&self.time, "input", Box::new(move |_| Some(Ask::Act(sought()))));
        let reader = self.reader.clone();
        on(&self.reader, "focus", Box::new(|_| Some(Ask::Read)));
        on(&self.reader, "input", Box::new(move |_| Some(Ask::Request(reader.value_as_number() as usize))));
        let plot = self.plot.clone();
        let point = move |event: &Event| {
            let (event, rect) = (event.dyn_ref::<MouseEvent>()?, plot.get_bounding_client_rect());
            Some(Ask::Point(f64::from(event.client_x()) - rect.left(), f64::from(event.client_y()) - rect.top()))
        };
        on(&self.plot, "click", Box::new(point));
        Ok(listeners)
    }

    /// Does what a reader asks.
    pub(crate) fn ask(&mut self, ask: Ask, run: &Run<'_>) {
        match ask {
            Ask::Act(act) => self.player.act(act),
            Ask::Step => self.player.act(Act::Step(run.next_event(self.player.at()))),
            Ask::P99 => {
                if let Some(request) = run.p99_request() {
                    // At its arrival one sees what it found before it.
                    self.player.act(Act::Step(Some(run.records().arrivals[request])));
                    self.select(Some(request), run);
                }
            }
            Ask::Other(by) => {
                let last = run.records().arrivals.len().saturating_sub(1);
                let other = self.selected.map(|request| request.saturating_add_signed(by).min(last));
                self.select(other, run);
            }
            Ask::Request(request) => self.select(Some(request), run),
            Ask::Point(x, y) => {
                if let Some(request) = self.request_at((x, y)) {
                    self.select(Some(request), run);
                }
            }
            Ask::Read => self.place_reader(run),
            Ask::Close => self.select(None, run),
        }
        self.wake();
    }

    /// Opens the autopsy of a request, or closes it. A request that is not in the picture is shown at its arrival.
    fn select(&mut self, request: Option<usize>, run: &Run<'_>) {
        self.selected = request;
        self.refresh(run);
        if let Some(request) = self.selected {
            let shown = self.scene(run).requests();
            if !shown.is_some_and(|(first, last)| (first..=last).contains(&request)) {
                self.player.act(Act::Step(Some(run.records().arrivals[request])));
            }
        }
        self.status.set_text(&self.autopsy.words());
    }

    /// Brings the autopsy up to the run.
    fn refresh(&mut self, run: &Run<'_>) {
        let autopsy = self.selected.and_then(|request| run.autopsy(request));
        self.selected = autopsy.as_ref().map(|autopsy| autopsy.request);
        self.autopsy.show(autopsy, run.scenario());
        self.stale = false;
    }

    fn request_at(&self, (css_x, css_y): (f64, f64)) -> Option<usize> {
        let Surface { width, height, theme } = self.surface?;
        let scene = self.layer.content()?;
        let unit = theme.units_per_css_px();
        let stage = Stage::of(width * SUBPIXELS, height * SUBPIXELS, &theme, scene);
        stage.request_at(scene, (css_x * unit, css_y * unit))
    }

    /// Puts the reader where the reading starts: at the chosen request, or at the oldest one that runs.
    fn place_reader(&self, run: &Run<'_>) {
        let scene = self.scene(run);
        let Some((first, last)) = scene.requests() else { return };
        set_attribute(&self.reader, "min", &first.to_string());
        set_attribute(&self.reader, "max", &last.to_string());
        let start = scene.running.first().map_or(first, |running| running.request);
        let here = self.selected.filter(|request| (first..=last).contains(request)).unwrap_or(start);
        self.reader.set_value_as_number(here as f64);
        set_attribute(&self.reader, "aria-valuetext", &scene_text::request_in_scene(&scene, here));
    }

    fn scene(&self, run: &Run<'_>) -> Scene {
        let scene = Scene::of(run, self.player.at(), self.player.order());
        Scene { selected: self.selected, pale: self.player.pale(), ..scene }
    }

    /// The run may be another one. Out of sight it is looked at when the picture is seen again, unless `all` is shown.
    pub(crate) fn follow(&mut self, run: &Run<'_>, all: bool) {
        self.stale = true;
        let rate = Rate::nearest(run.scenario().rate);
        self.stops.iter().for_each(|stop| stop.show(rate));
        // Where a frame of its own is coming, that one shows it.
        if all || (self.in_sight && self.frame.is_none()) {
            self.show(run);
        }
    }

    /// Shows the run at the player's instant: the picture, the words, and the autopsy if the run is another one.
    fn show(&mut self, run: &Run<'_>) {
        if self.stale {
            self.refresh(run);
        }
        let is_fleet = run.is_fleet();
        // Only a malformed name is refused.
        self.figure.toggle_attribute_with_force("data-blank", is_fleet).ok();
        if is_fleet {
            if self.player.playing() {
                self.player.act(Act::Toggle);
            }
            self.headline.set_text(&words::picture("fleet"));
            return;
        }
        let scene = self.scene(run);
        self.say(&scene);
        let painted = self.paint(&scene).and_then(|()| self.autopsy.paint());
        painted.unwrap_or_else(|failure| report_failure(&failure));
    }

    fn paint(&mut self, scene: &Scene) -> Result<(), JsValue> {
        let Some(surface) = self.surface else { return Ok(()) };
        let theme = surface.theme;
        let mut draw = |area: &_| draw_scene(area, scene, &theme);
        self.layer.paint(surface, Ground::Page, |old| old == scene, || scene.clone(), &mut draw)
    }

    fn say(&self, scene: &Scene) {
        let playing = self.player.playing();
        let headline = scene_text::scene_headline(scene);
        let seconds = scene.at.as_secs();
        let time = scene_text::instant(seconds);
        self.headline.set_text(&headline);
        self.time_text.set_text(&time);
        self.time.set_value_as_number(seconds);
        self.play.set_text(&words::picture(if playing { "pause" } else { "play" }));
        // For those who hear the page, once the picture stands.
        if !playing {
            set_attribute(self.layer.canvas(), "aria-label", &headline);
            set_attribute(&self.time, "aria-valuetext", &time);
            if let Some(request) = self.selected {
                set_attribute(&self.reader, "aria-valuetext", &scene_text::request_in_scene(scene, request));
            }
        }
    }

    fn see(&mut self, in_sight: bool) {
        self.in_sight = in_sight;
        // Only a malformed name is refused.
        self.plot.toggle_attribute_with_force("data-unseen", !in_sight).ok();
        self.player.act(Act::Sight);
        match in_sight {
            true => self.wake(),
            false => self.frame = None,
        }
    }

    fn resize(&mut self, index: usize, css_width: f64, device: (f64, f64)) {
        let surface = Surface::measured(css_width, device, self.scheme);
        let old = match index {
            0 => &mut self.surface,
            _ => &mut self.autopsy.surface,
        };
        // The first report says what was measured already.
        if *old != surface {
            *old = surface;
            self.wake();
        }
    }

    /// Changes the colours.
    pub(crate) fn recolour(&mut self, scheme: Scheme) {
        self.scheme = scheme;
        for surface in [&mut self.surface, &mut self.autopsy.surface] {
            *surface = surface.map(|surface| surface.recoloured(scheme));
        }
        self.wake();
    }

    /// Asks for one frame, unless one is coming already.
    fn wake(&mut self) {
        if self.frame.is_none() {
            let call = self.call.clone();
            let on_frame = move |now_ms| call(&mut |picture, run| picture.on_frame(now_ms, run));
            self.frame = Some(gloo_render::request_animation_frame(on_frame));
        }
    }

    fn on_frame(&mut self, now_ms: f64, run: &Run<'_>) {
        self.frame = None;
        self.player.act(Act::Frame(now_ms));
        self.show(run);
        if self.player.playing() && self.in_sight {
            self.wake();
        }
    }
}
