//! The charts of the lesson as files: what is drawn changes only on purpose.
//!
//! After a wanted change write the files anew and look at them: `GOODPUT_BLESS=1 cargo test -p goodput-tests --test svg`.
#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;
use std::{env, fs};

use goodput_charts::{
    Chart, ChartId, Marks, Order, POSTER_SIZE, Poster, STILL_S, Scene, Scheme, Theme, poster_svg, rate_chart,
    scene_svg, svg, text, time_chart,
};
use goodput_sim::{Engine, PRESETS, Preset, Scenario, SimTime, ValidScenario};
use goodput_studies::study::{STUDIES, exhibit, study};
use scraper::{Html, Selector};

/// The rate of the lesson at which p99 has left and the median has not noticed [requests/s].
const RATE: f64 = 5.0;

/// The page's width for two charts side by side, and a phone's [CSS px].
const WIDE: (u32, u32) = (560, 280);
const PHONE: (u32, u32) = (320, 220);

/// Those of the page's slider [requests/s].
fn rates() -> Vec<f64> {
    (5..=80).map(|tenths| f64::from(tenths) / 10.0).collect()
}

fn chart(id: ChartId) -> Chart {
    let mut engine = Engine::new();
    let scenario = ValidScenario::default().at_rate(RATE).expect("a valid rate");
    match id {
        ChartId::Time => time_chart(&engine.run(&scenario), &scenario),
        _ => rate_chart(id, &scenario, &engine.sweep(&scenario, &rates()).expect("valid rates")),
    }
}

fn drawn(id: ChartId, scheme: Scheme, size: (u32, u32)) -> String {
    let current = (id != ChartId::Time).then_some(RATE);
    svg(&chart(id), &Theme::new(scheme, 1.0), size, &Marks { current, ..Marks::default() })
}

fn check(name: &str, drawn: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name);
    if env::var_os("GOODPUT_BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("the golden folder");
        fs::write(&path, drawn).expect("a golden file");
        return;
    }
    let golden = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    if let Some((i, (new, old))) = drawn.lines().zip(golden.lines()).enumerate().find(|(_, (new, old))| new != old) {
        panic!("{name} differs at line {}:\n  was {old}\n  is  {new}\n{BLESS}", i + 1);
    }
    assert_eq!(drawn.len(), golden.len(), "{name} has another length. {BLESS}");
}

const BLESS: &str =
    "If the change is wanted: GOODPUT_BLESS=1 cargo test -p goodput-tests --test svg, then look at tests/golden/*.svg";

#[test]
fn the_five_charts_of_the_lesson() {
    for id in ChartId::ALL {
        check(&format!("{}.svg", id.name()), &drawn(id, Scheme::Light, WIDE));
    }
}

#[test]
fn dark_and_on_a_phone() {
    check("ttft-dark.svg", &drawn(ChartId::Ttft, Scheme::Dark, WIDE));
    check("goodput-phone.svg", &drawn(ChartId::Goodput, Scheme::Light, PHONE));
}

#[test]
fn the_pictures_of_the_studies() {
    let lesson = ValidScenario::default();
    for name in STUDIES {
        let found = exhibit(study(name, lesson.clone()).expect(name));
        for (number, picture) in (1..).zip(&found.pictures) {
            let [wide, narrow] = [560, 320].map(|width| (width, picture.drawing.height()));
            let [light, dark] = [Scheme::Light, Scheme::Dark].map(|scheme| Theme::new(scheme, 1.0));
            check(&format!("study-{name}-{number}.svg"), &picture.drawing.svg(&light, wide, None));
            // Read at its beginning, as in the page once the reader has moved a slider.
            let at: Vec<_> = picture.sliders.iter().map(|slider| slider.start).collect();
            if number == 1 {
                check(&format!("study-{name}-phone-dark.svg"), &picture.drawing.svg(&dark, narrow, Some(&at)));
            }
        }
    }
}

#[test]
fn the_moving_picture_standing_still() {
    let drawn = |rate: f64, seconds: f64, scheme, size| {
        let scenario = ValidScenario::default().at_rate(rate).expect("a valid rate");
        let mut engine = Engine::new();
        let scene = Scene::of(&engine.run(&scenario), SimTime::from_secs(seconds), Order::Slot);
        scene_svg(&scene, &Theme::new(scheme, 1.0), size)
    };
    check("scene.svg", &drawn(RATE, STILL_S, Scheme::Light, (1160, 240)));
    check("scene-crowded-dark.svg", &drawn(6.0, 590.0, Scheme::Dark, (1160, 240)));
    check("scene-phone.svg", &drawn(4.0, STILL_S, Scheme::Light, (328, 320)));
}

/// The picture of a whole state, at a preset.
fn poster(preset: &str, scheme: Scheme) -> String {
    let scenario = Preset::named(preset).expect(preset).scenario().validate().expect(preset);
    let mut engine = Engine::new();
    let report = engine.run(&scenario).report();
    let curve = engine.sweep(&scenario, &rates()).expect("valid rates");
    poster_svg(&Poster::new(&scenario, &report, &curve), &Theme::new(scheme, 1.0))
}

/// The heights at which a text is drawn [px].
fn heights_of(text: &str, picture: &str) -> Vec<f64> {
    let page = Html::parse_fragment(picture);
    let texts = Selector::parse("text").expect("a selector");
    let named = page.select(&texts).filter(|element| element.text().collect::<String>().trim() == text);
    named.map(|element| element.attr("y").and_then(|y| y.parse().ok()).expect("a text has a place")).collect()
}

#[test]
fn the_name_of_a_line_that_ends_early_moves_none_beside_the_plot() {
    let fleet = Scenario { replicas: 2, ..Scenario::default() }.validate().expect("valid");
    let rates: Vec<f64> = (2..=32).map(|half| f64::from(half) / 2.0).collect();
    let reports = Engine::new().sweep(&fleet, &rates).expect("valid rates");
    let picture = |chart: &Chart| svg(chart, &Theme::new(Scheme::Light, 1.0), WIDE, &Marks::default());
    for id in ChartId::RATES {
        let alone = rate_chart(id, &fleet, &reports);
        let both = alone.clone().with_lesson(&chart(id));
        // Only where the axis is the same: else every height is another.
        if both.y != alone.y {
            continue;
        }
        let (alone_svg, both_svg) = (picture(&alone), picture(&both));
        assert_eq!(heights_of("lesson", &both_svg).len(), 1, "{id:?}");
        for curve in &alone.curves {
            let before = heights_of(&curve.label, &alone_svg);
            assert_eq!((before.len(), heights_of(&curve.label, &both_svg)), (1, before), "{id:?}: {}", curve.label);
        }
    }
}

#[test]
fn the_whole_state_in_one_picture() {
    check("poster.svg", &poster("assistant", Scheme::Light));
    check("poster-dark.svg", &poster("overload", Scheme::Dark));
}

/// The previews of links show the picture of the default, and say in words what is on it.
#[test]
fn the_page_names_its_picture() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../index.html")).expect("index.html");
    let page = Html::parse_document(&page);
    let said = |property: &str| {
        let selector = Selector::parse(&format!("meta[property='{property}']")).expect(property);
        let meta = page.select(&selector).next().unwrap_or_else(|| panic!("the page has no {property}"));
        meta.attr("content").expect(property).to_owned()
    };
    let preset = PRESETS[0];
    assert_eq!(said("og:image"), format!("still/{}.png", preset.name));
    assert_eq!(
        [said("og:image:width"), said("og:image:height")],
        [POSTER_SIZE.0, POSTER_SIZE.1].map(|px| px.to_string())
    );
    let report = goodput_sim::run(&preset.scenario().validate().expect("valid"));
    assert_eq!(said("og:image:alt"), format!("An LLM server at {}", text::status(&report)));
}

/// They stand alone: no font, image, style or script from elsewhere.
#[test]
fn nothing_is_loaded() {
    let charts = ChartId::ALL.map(|id| drawn(id, Scheme::Light, WIDE));
    for text in charts.into_iter().chain([poster("calm", Scheme::Light)]) {
        let urls = text.matches("://").count();
        assert_eq!(urls, 1, "only the name of the SVG name space");
        for word in ["href", "url(", "<style", "<script", "<image", "@import"] {
            assert!(!text.contains(word), "a picture contains {word}: {text}");
        }
    }
}
