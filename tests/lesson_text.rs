//! The lesson's text: every figure is the engine's, every link leads somewhere, and it is plain English.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use goodput_charts::format;
use goodput_sim::{Engine, PRESETS, Report, Scenario, Seed, ValidScenario, theory};
use goodput_summary::{Metric, Summary};
use goodput_tests::readability::Counts;
use goodput_web::lever::{Lever, settings};
use goodput_web::words;
use scraper::{ElementRef, Html, Selector};

/// The grade the lesson may have as a whole, and the one we aim at.
const GRADE_LIMIT: f64 = 9.0;
/// How fast the lesson is read [words/min], by Brysbaert 2019, and how long that may take: the rest of 20 min is play.
const WORDS_PER_MIN: f64 = 238.0;
const READING_LIMIT_MIN: f64 = 14.0;

/// The parts that this page must have, in this order; others may stand between them.
const PARTS: &[&str] = &[
    "situation",
    "no-answer",
    "idea",
    "play",
    "seen",
    "model",
    "breath",
    "metrics",
    "practice",
    "sounds-right",
    "not-to-say",
    "traps",
    "sources",
    "terms",
];

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn selector(text: &str) -> Selector {
    Selector::parse(text).expect(text)
}

/// The page as Trunk puts it together: the parts that index.html names, each in its place.
fn page() -> Html {
    const PART: &str = r#"<link data-trunk rel="inline" type="html" href=""#;
    let index = read("index.html");
    let (_, main) = index.split_once("<main>").expect("index.html has a main");
    let (main, _) = main.split_once("</main>").expect("main ends");
    let mut pieces = main.split(PART);
    let mut page = format!("<!doctype html><main>{}", pieces.next().unwrap_or_default());
    assert!(main.matches(PART).count() > 10, "index.html names its parts");
    for piece in pieces {
        let (path, rest) = piece.split_once("\">").expect("a part has an address");
        page = page + &read(path) + rest;
    }
    Html::parse_document(&(page + "</main>"))
}

fn all<'p>(page: &'p Html, what: &str) -> Vec<ElementRef<'p>> {
    page.select(&selector(what)).collect()
}

fn text(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn ids(page: &Html) -> BTreeSet<&str> {
    all(page, "[id]").into_iter().filter_map(|element| element.attr("id")).collect()
}

fn lesson(rate: f64) -> ValidScenario {
    ValidScenario::default().at_rate(rate).expect("a valid rate")
}

fn summary(rate: f64) -> Summary {
    let scenario = lesson(rate);
    Summary::new(&scenario, &goodput_sim::run(&scenario))
}

#[test]
fn every_figure_is_the_engines() {
    let page = page();
    let figures = all(&page, "[data-metric]");
    assert!(figures.len() > 60, "{} figures", figures.len());
    let mut runs = BTreeMap::new();
    let mut wrong = Vec::new();
    for figure in figures {
        let path = figure.attr("data-metric").expect("selected by it");
        // What follows the lab stands at the lab's start.
        let rate = figure.attr("data-rate").unwrap_or("5");
        let metric = Metric::at(path).unwrap_or_else(|| panic!("no metric is called {path}"));
        let run = runs.entry(rate).or_insert_with(|| summary(rate.parse().expect(rate)));
        let value = metric.of(run);
        let expected = value.map_or_else(|| "–".to_owned(), |value| words::figure(metric, value));
        if text(figure) != expected {
            wrong.push(format!("{path} at {rate}: {}, not {expected}", text(figure)));
        }
        if let Some(stated) = figure.attr("data-value")
            && stated.parse().ok() != value
        {
            wrong.push(format!("{path} at {rate}: data-value {stated}, not {value:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_capacity_is_the_closed_form() {
    let page = page();
    let stated = all(&page, "[data-theory=capacity]");
    assert!(stated.len() > 1);
    let capacity = format!("{:.2}", theory::capacity(&Scenario::default()));
    for capacity_stated in stated {
        assert_eq!(text(capacity_stated), capacity);
    }
}

/// TTFTs of the measured requests [s], sorted.
fn ttfts_s(rate: f64) -> Vec<f64> {
    let scenario = lesson(rate);
    let warmup_s = Scenario::default().warmup;
    let mut engine = Engine::new();
    let run = engine.run(&scenario);
    let records = run.records();
    // Only requests that finished are measured.
    let mut ttfts: Vec<f64> = (0..records.departures.count())
        .filter(|&i| records.arrivals[i].as_secs() >= warmup_s)
        .map(|i| (records.first_tokens[i] - records.arrivals[i]).as_secs())
        .collect();
    ttfts.sort_by(f64::total_cmp);
    ttfts
}

fn p99(sorted: &[f64]) -> f64 {
    let rank = (sorted.len() - 1) as f64 * 0.99;
    let (below, part) = (rank as usize, rank.fract());
    sorted[below] + (sorted[(below + 1).min(sorted.len() - 1)] - sorted[below]) * part
}

#[test]
fn the_mean_of_p99s_and_the_p99_of_all() {
    let page = page();
    let (one, other) = (ttfts_s(4.0), ttfts_s(5.2));
    let in_the_lab = summary(4.0).ttft_s.expect("completed").p99;
    assert!((p99(&one) / in_the_lab - 1.0).abs() < 1e-12, "measured here as in the lab");
    let mut pooled = [one.clone(), other.clone()].concat();
    pooled.sort_by(f64::total_cmp);
    let (mean, pooled) = (f64::midpoint(p99(&one), p99(&other)), p99(&pooled));
    assert!(mean < 1.0 && pooled > 1.0, "the mean is within the limit, the pool is not");
    for (attribute, expected) in [("data-mean-p99", mean), ("data-pooled-p99", pooled)] {
        let stated = all(&page, &format!("[{attribute}='4 5.2']"));
        assert_eq!(stated.len(), 1, "{attribute}");
        assert_eq!(text(stated[0]), format::time(expected), "{attribute}");
    }
}

/// "Most of the others start in time but stream too slowly."
#[test]
fn most_misses_at_5_are_slow_streams() {
    let scenario = lesson(5.0);
    let mut engine = Engine::new();
    let run = engine.run(&scenario);
    let records = run.records();
    let (mut missed, mut in_time_but_slow) = (0_u64, 0_u64);
    for (i, &finish) in records.departures.times().iter().enumerate() {
        let (arrival, first) = (records.arrivals[i], records.first_tokens[i]);
        if arrival.as_secs() >= Scenario::default().warmup {
            let late = (first - arrival).as_secs() > 1.0;
            let slow = (finish - first).as_secs() / 199.0 > 0.050;
            missed += u64::from(late || slow);
            in_time_but_slow += u64::from(slow && !late);
        }
    }
    let run = summary(5.0);
    assert_eq!(missed, run.completed - run.good);
    assert!(2 * in_time_but_slow > missed, "{in_time_but_slow} of {missed}");
}

/// What the page says of 2,000 other draws at each of the lesson's rates.
#[test]
fn the_draws() {
    const DRAWS: u64 = 2000;
    let page = page();
    let said = text(all(&page, "[data-draws]")[0]);
    let mut engine = Engine::new();
    let mut p99s = |rate| {
        let mut p99s: Vec<f64> = (1..=DRAWS)
            .map(|seed| {
                let scenario = Scenario { rate, seed: Seed::Number(seed), ..Scenario::default() };
                let report = engine.run(&scenario.validate().expect("valid")).report();
                report.ttft_s.expect("completed").p99
            })
            .collect();
        p99s.sort_by(f64::total_cmp);
        p99s
    };
    let share_late = |p99s: &[f64]| p99s.iter().filter(|&&p99_s| p99_s > 1.0).count() as f64 / DRAWS as f64;
    let at_5 = p99s(5.0);
    let (low, high) = (at_5[50], at_5[1949]);
    for expected in [
        "Over 2,000 other draws at 5 requests/s",
        &format!("from {low:.1} to {high:.1} s in 95 %"),
        &format!("{} of them broke", format::percent(share_late(&at_5))),
        "At 4 almost none does, at 6 all do.",
    ] {
        assert!(said.contains(expected), "“{expected}” is not in “{said}”");
    }
    assert!(share_late(&p99s(4.0)) < 0.001, "almost none");
    assert_eq!(share_late(&p99s(6.0)), 1.0, "all");
}

#[test]
fn the_parts_are_there_in_order() {
    let page = page();
    assert_eq!(all(&page, "h1").len(), 1);
    let sections: Vec<&str> = all(&page, "section[id]").iter().filter_map(|section| section.attr("id")).collect();
    let ours: Vec<&str> = sections.into_iter().filter(|id| PARTS.contains(id)).collect();
    assert_eq!(ours, PARTS);
    for section in all(&page, "section") {
        let title = section.attr("aria-labelledby").expect("a section has a title");
        let titles = section.select(&selector("h2, h3")).filter(|h2| h2.attr("id") == Some(title)).count();
        assert_eq!(titles, 1, "{title}");
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let page = page();
    let ids = ids(&page);
    assert_eq!(ids.len(), all(&page, "[id]").len(), "an id stands twice");
    for attribute in ["aria-labelledby", "aria-describedby", "for", "popovertarget"] {
        for element in all(&page, &format!("[{attribute}]")) {
            for id in element.attr(attribute).expect("selected by it").split_whitespace() {
                assert!(ids.contains(id), "{attribute}={id}");
            }
        }
    }
    for link in all(&page, "a[href]") {
        let href = link.attr("href").expect("selected by it");
        match href.strip_prefix('#') {
            Some(id) => assert!(ids.contains(id), "{href}"),
            None => assert!(href.starts_with("https://"), "{href}"),
        }
    }
    let cited: BTreeSet<_> = all(&page, "a").iter().filter_map(|link| link.attr("href")?.strip_prefix('#')).collect();
    let sources: Vec<_> = ids.iter().filter(|id| id.starts_with("src-")).collect();
    assert!(sources.len() > 6);
    for source in sources {
        assert!(cited.contains(source), "{source} is not cited");
    }
}

#[test]
fn every_term_is_explained_in_place() {
    let page = page();
    let entries = all(&page, "#glossary > [popover]");
    assert!(entries.len() > 20, "{} terms", entries.len());
    let used: BTreeSet<_> = all(&page, "button.term").iter().filter_map(|term| term.attr("popovertarget")).collect();
    for entry in entries {
        let id = entry.attr("id").expect("a term has an id");
        for part in ["dt", "dd"] {
            let parts: Vec<_> = entry.select(&selector(part)).map(text).collect();
            assert!(matches!(parts.as_slice(), [one] if !one.is_empty()), "{id}: {part}");
        }
        assert!(used.contains(id), "{id} is opened from nowhere");
    }
}

#[test]
fn words_wear_the_colour_of_their_line() {
    let page = page();
    let words = all(&page, "[data-line]");
    assert!(words.len() > 15);
    for word in words {
        let line = word.attr("data-line").expect("selected by it");
        assert!(["throughput", "p50", "p99", "goodput"].contains(&line), "{line}");
        assert!(word.value().classes().any(|class| class.strip_prefix("ink-") == Some(line)), "{}", text(word));
    }
    for link in all(&page, "[data-go-rate]") {
        let rate: f64 = link.attr("data-go-rate").expect("selected by it").parse().expect("a rate");
        assert!((0.5..=8.0).contains(&rate));
    }
}

/// What a link that moves levers leads to, with the run of the lesson's server beside it.
fn tried(page: &Html, what: &str) -> [Report; 2] {
    let link = format!("button[data-try='{what}']");
    assert_eq!(all(page, &link).len(), 1, "{what}");
    let mut scenario = Scenario::default();
    for setting in settings(what, |text| text.parse().ok()).expect(what) {
        setting.put(&mut scenario).expect(what);
    }
    let lesson = Scenario { rate: scenario.rate, ..Scenario::default() };
    [lesson, scenario].map(|scenario| goodput_sim::run(&scenario.validate().expect(what)))
}

#[test]
fn links_to_levers_show_what_the_text_says() {
    let page = page();
    let p99 = |report: &Report| [report.ttft_s, report.tpot_s].map(|times| times.expect("completed").p99);
    let met = |report: &Report| report.slo_attainment.expect("completed");
    for worse in [
        "prompt-cv=1,output-cv=1,rate=4.5",
        "arrival-cv=2,rate=4.5",
        "spike-factor=3,rate=4",
        "prompt-cv=2,rate=4",
        "kv-tokens=40000,rate=4.5",
    ] {
        let [lesson, tried] = tried(&page, worse);
        assert!(p99(&tried)[0] > 1.5 * p99(&lesson)[0] && met(&tried) < met(&lesson), "{worse}");
    }
    for better in [
        "cached-share=0.7,cached-prompt=0.8",
        "replicas=2",
        "prefill-replicas=1",
        "max-queue=5,rate=6",
        "high-share=0.5,max-queue-low=1,rate=6",
    ] {
        let [lesson, tried] = tried(&page, better);
        assert!(p99(&tried)[0] < p99(&lesson)[0] / 2.0 && met(&tried) > met(&lesson) + 0.1, "{better}");
    }
    let [lesson, chunked] = tried(&page, "token-budget=256");
    let limit_s = Scenario::default().slo_tpot_ms / 1000.0;
    assert!(p99(&chunked)[1] < limit_s && p99(&lesson)[1] > limit_s, "TPOT keeps its limit");
    assert!(p99(&chunked)[0] > p99(&lesson)[0], "and TTFT pays for it");
    let [lesson, on_the_queue] = tried(&page, "autoscale=queue,max-replicas=4,rate=4");
    assert_eq!((met(&lesson), p99(&lesson)), (1.0, p99(&on_the_queue)), "one server is enough, and stays alone");
    let [_, on_busy] = tried(&page, "autoscale=busy,max-replicas=4,rate=4");
    assert!(p99(&on_busy)[1] < p99(&lesson)[1] / 2.0, "more were ordered all the same");
}

#[test]
fn every_lever_stands_in_the_lab_at_its_default() {
    let page = page();
    let lesson = Scenario::default();
    let levers = all(&page, "[data-levers] [data-field]");
    let names: BTreeSet<_> = levers.iter().filter_map(|lever| lever.attr("name")).collect();
    let expected: BTreeSet<_> =
        Lever::all().map(Lever::name).filter(|name| !["horizon", "warmup"].contains(name)).collect();
    assert_eq!((levers.len(), names), (expected.len(), expected));
    for control in levers {
        let lever = Lever::named(control.attr("name").expect("it has one")).expect("a lever");
        let options: Vec<String> = control.select(&selector("option")).map(text).collect();
        match lever {
            Lever::Number(_) => assert_eq!(control.attr("value"), Some(&*lever.text(&lesson)), "{lever:?}"),
            Lever::Word(choice) => assert_eq!(options, choice.words, "the default comes first"),
        }
    }
    for link in all(&page, "[data-try]") {
        let wanted = link.attr("data-try").expect("selected by it");
        let (first, _) = wanted.split_once('=').expect("a setting");
        assert_eq!(all(&page, &format!("[data-levers] [name='{first}']")).len(), 1, "{wanted} leads to a lever");
    }
    let presets: Vec<_> = all(&page, "[data-preset] option[value]:not([value=''])");
    let names: Vec<_> = presets.iter().filter_map(|preset| preset.attr("value")).collect();
    assert_eq!(names, PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>());
    assert_eq!(text(all(&page, "[data-preset-about]")[0]), PRESETS[0].about);
}

#[test]
fn the_policy_has_nothing_to_refuse() {
    for element in all(&page(), "*") {
        assert!(!["script", "style"].contains(&element.value().name()));
        for (attribute, _) in element.value().attrs() {
            assert!(attribute != "style" && !attribute.starts_with("on"), "{attribute} in {}", text(element));
        }
    }
}

/// Of all that readers see: the page, what is written into it, and what the presets say.
#[test]
fn apostrophes_are_those_of_print() {
    let mut seen: Vec<String> = page().root_element().text().map(str::to_owned).collect();
    for element in all(&page(), "[label], [aria-label], [title], [alt]") {
        seen.extend(element.value().attrs().map(|(_, value)| value.to_owned()));
    }
    let files = ["web/text/en", "web/studies/text/en", "crates/charts/text"].map(|folder| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    });
    for file in files.into_iter().flatten() {
        let words = fs::read_to_string(file.expect("a folder").path()).expect("a text");
        seen.extend(words.lines().filter(|line| !line.starts_with('#')).map(str::to_owned));
    }
    seen.extend(PRESETS.iter().map(|preset| preset.about.to_owned()));
    assert!(seen.len() > 1000, "{} texts: are they found?", seen.len());
    assert!(seen.iter().any(|text| text.contains('’')));
    let typed: Vec<_> = seen.iter().filter(|text| text.contains('\'')).collect();
    assert!(typed.is_empty(), "{typed:#?}");
}

/// The blocks of prose: no tables, no formulas, no list of books. The studies are read by those who open them.
fn prose(page: &Html) -> Vec<String> {
    let blocks = ".opening p, section.column p:not(.formula), section.column ul:not(.sources) > li";
    all(page, blocks).into_iter().map(text).collect()
}

#[test]
fn so_are_the_words_of_the_studies() {
    let page = page();
    let mut whole = Counts::default();
    for block in all(&page, ".studies p") {
        whole.add(&text(block));
    }
    assert!(whole.words > 100 && whole.grade() <= GRADE_LIMIT, "{whole:?}, grade {:.1}", whole.grade());
}

#[test]
fn it_is_plain_english_and_short() {
    let blocks = prose(&page());
    let mut whole = Counts::default();
    let mut hard = Vec::new();
    for block in &blocks {
        whole.add(block);
        let mut alone = Counts::default();
        alone.add(block);
        hard.push((alone.grade(), block));
    }
    hard.sort_by(|a, b| b.0.total_cmp(&a.0));
    hard.truncate(5);
    let minutes = whole.words as f64 / WORDS_PER_MIN;
    println!("{whole:?}, grade {:.1}, {minutes:.1} min", whole.grade());
    assert!(whole.words > 1000, "{whole:?}: is the prose found?");
    assert!(whole.grade() <= GRADE_LIMIT, "grade {:.1}; the hardest: {hard:#?}", whole.grade());
    assert!(minutes <= READING_LIMIT_MIN, "{minutes:.1} min to read");
}
