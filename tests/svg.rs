//! The charts of the lesson as files: what is drawn changes only on purpose.
//!
//! After a wanted change write the files anew and look at them: `GOODPUT_BLESS=1 cargo test -p goodput-tests --test svg`.
#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;
use std::{env, fs};

use goodput_charts::{
    Chart, ChartId, Marks, Order, STILL_S, Scene, Scheme, Theme, rate_chart, scene_svg, svg, time_chart,
};
use goodput_sim::{Engine, SimTime, ValidScenario};

/// The rate of the lesson at which p99 has left and the median has not noticed [requests/s].
const RATE: f64 = 5.0;

/// The page's width for two charts side by side, and a phone's [CSS px].
const WIDE: (u32, u32) = (560, 280);
const PHONE: (u32, u32) = (320, 220);

fn chart(id: ChartId) -> Chart {
    let mut engine = Engine::new();
    let scenario = ValidScenario::default().at_rate(RATE).expect("a valid rate");
    match id {
        ChartId::Time => time_chart(&engine.run(&scenario), &scenario),
        _ => {
            let rates: Vec<f64> = (5..=80).map(|tenths| f64::from(tenths) / 10.0).collect();
            rate_chart(id, &scenario, &engine.sweep(&scenario, &rates).expect("valid rates"))
        }
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

/// They stand alone: no font, image, style or script from elsewhere.
#[test]
fn nothing_is_loaded() {
    for id in ChartId::ALL {
        let text = drawn(id, Scheme::Light, WIDE);
        let urls = text.matches("://").count();
        assert_eq!(urls, 1, "only the name of the SVG name space");
        for word in ["href", "url(", "<style", "<script", "<image", "@import"] {
            assert!(!text.contains(word), "{id:?} contains {word}");
        }
    }
}
