//! Laws of addresses: what a lab writes it reads, bit for bit; and whatever else stands there, it opens.

use goodput_sim::{Autoscale, CHOICES, FIELDS, Routing, Scenario, Seed};
use goodput_summary::{Summary, Value};
use goodput_web::address::{Address, PARTS};
use goodput_web::model::{Model, Msg};
use goodput_web::rate::Rate;
use goodput_web::setup::Setup;
use goodput_web::wire::{LAB, Message, VERSION, Wire};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The browser's reader takes the same decimals.
fn number(text: &str) -> Option<f64> {
    text.trim().replace(',', ".").parse().ok().filter(|number: &f64| !number.is_nan())
}

fn read(query: &str) -> Address {
    Address::read(form_urlencoded::parse(query.as_bytes()).into_owned(), number)
}

fn any_scenario() -> impl Strategy<Value = Scenario> {
    let times = (1.0..1200.0_f64, 0.0..1.0_f64);
    let work = (1..300_u32, 1..20_000_u32, 1..600_u32, 0.0..500.0_f64, 0.001..50.0_f64, 0.0..2.0_f64);
    let slo = (0.001..1e6_f64, 0.001..1e6_f64);
    let seed = prop_oneof![Just(Seed::Lesson), any::<u64>().prop_map(Seed::Number)];
    (0.05..20.0_f64, seed, times, work, slo, any_levers()).prop_map(
        |(
            rate,
            seed,
            (horizon, share),
            (max_batch, prompt, output, prefill_ms_per_1k, step_ms, per_seq_ms),
            (slo_ttft_ms, slo_tpot_ms),
            levers,
        )| {
            agreeing(&Scenario {
                rate: Rate::nearest(rate).per_s(),
                seed,
                horizon,
                warmup: horizon * share * 0.9,
                max_batch,
                prompt,
                output,
                prefill_ms_per_1k,
                step_ms,
                per_seq_ms,
                slo_ttft_ms,
                slo_tpot_ms,
                ..levers
            })
        },
    )
}

/// The scenario with levers that go together: nearly all that are drawn at random do not.
fn agreeing(drawn: &Scenario) -> Scenario {
    let is_split = drawn.prefill_replicas > 0;
    let request = (drawn.prompt + drawn.output).next_multiple_of(16);
    Scenario {
        token_budget: if is_split || drawn.token_budget == 0 { 0 } else { drawn.max_batch + drawn.token_budget },
        kv_tokens: if drawn.kv_tokens == 0 { 0 } else { request + drawn.kv_tokens },
        autoscale: if is_split { Autoscale::Off } else { drawn.autoscale },
        max_replicas: drawn.max_replicas.max(drawn.replicas),
        retry_after: if drawn.users > 0 { 0.0 } else { drawn.retry_after },
        ..drawn.clone()
    }
}

/// The lesson's scenario with any levers, whether they go together or not.
fn any_levers() -> impl Strategy<Value = Scenario> {
    let arrival_cv = prop_oneof![Just(1.0), 0.0..20.0_f64];
    let spike = (prop_oneof![Just(1.0), 0.0..4.0_f64], 0.0..500.0_f64, 0.1..500.0_f64);
    let lengths = (0.0..5.0_f64, 0.0..5.0_f64);
    let cache = (0.0..=1.0_f64, 0.0..=1.0_f64);
    let server = (zero_or(1..4000_u32), zero_or(1..200_000_u32));
    let fleet = (1..=8_u32, zero_or(1..=4_u32), 0.0..50.0_f64);
    let autoscaling = (1..=12_u32, 0.1..50.0_f64, 0.01..=1.0_f64, 0.0..300.0_f64);
    let queue = (0..2000_u32, 0.0..=1.0_f64, 0..2000_u32);
    let clients = (zero_or(1..200_u32), 0.0..60.0_f64, prop_oneof![Just(0.0), 0.1..60.0_f64]);
    let words = prop::collection::vec(any::<prop::sample::Index>(), CHOICES.len());
    (arrival_cv, spike, lengths, cache, server, fleet, autoscaling, queue, clients, words).prop_map(
        |(arrival_cv, spike, lengths, cache, server, fleet, autoscaling, queue, clients, words)| {
            let mut scenario = Scenario {
                arrival_cv,
                spike_factor: spike.0,
                spike_from: spike.1,
                spike_to: spike.1 + spike.2,
                prompt_cv: lengths.0,
                output_cv: lengths.1,
                cached_share: cache.0,
                cached_prompt: cache.1,
                token_budget: server.0,
                kv_tokens: server.1,
                replicas: fleet.0,
                prefill_replicas: fleet.1,
                transfer_ms_per_1k: fleet.2,
                max_replicas: autoscaling.0,
                queue_target: autoscaling.1,
                busy_target: autoscaling.2,
                provision: autoscaling.3,
                max_queue: queue.0,
                high_share: queue.1,
                max_queue_low: queue.2,
                users: clients.0,
                think: clients.1,
                retry_after: clients.2,
                ..Scenario::default()
            };
            for (choice, word) in CHOICES.iter().zip(words) {
                choice.set(&mut scenario, choice.words[word.index(choice.words.len())]).expect("one of its words");
            }
            scenario
        },
    )
}

/// A lever that is off as often as it is on.
fn zero_or(on: impl Strategy<Value = u32>) -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), on]
}

fn any_setup() -> impl Strategy<Value = Setup> {
    let pins = prop::collection::vec(any_scenario(), 0..=3);
    (any_scenario(), 1..=200_usize, any::<bool>(), pins)
        .prop_map(|(scenario, seeds, theory, pins)| {
            let mut setup = Setup { scenario, seeds, theory, pins };
            setup.fit();
            setup
        })
        .prop_filter("it is one that a page takes", |setup| setup.check().is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// The permalink of any setup leads back to it, figures and all.
    #[test]
    fn a_permalink_leads_back_to_the_same_bits(setup in any_setup()) {
        let query = Address::default().query(&setup);
        let address = read(&query);
        prop_assert_eq!(&address.refusals, &[], "{}", query);
        prop_assert_eq!(&address.setup, &setup, "{}", query);
        let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:,=&".contains(&byte);
        prop_assert!(query.bytes().all(safe), "{} has to be escaped", query);

        let run = |scenario: &Scenario| {
            let scenario = scenario.clone().validate().expect("it was checked");
            Summary::new(&scenario, &goodput_sim::run(&scenario))
        };
        let (there, back) = (run(&setup.scenario), run(&address.setup.scenario));
        prop_assert_eq!(serde_json::to_string(&there).ok(), serde_json::to_string(&back).ok());
    }
}

proptest! {
    // Each opens two labs, with the curves of up to four fleets in each.
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// And a lab that opens on it shows the same figures and charts as one that was brought there by hand.
    #[test]
    fn a_lab_opens_where_its_permalink_says(setup in any_setup()) {
        let address = read(&Address::default().query(&setup));
        let mut there = Model::at(setup.clone()).expect("it was checked");
        let mut back = Model::at(address.setup).expect("it was checked");
        prop_assert_eq!(back.setup(), setup);
        prop_assert!(there.report() == back.report() && there.curve() == back.curve());
        there.follow_time();
        back.follow_time();
        prop_assert!(there.charts().eq(back.charts()));
    }
}

/// Names and values as somebody might write them who wishes us ill, or is only careless.
const NAMES: [&str; 40] = [
    "rate",
    "RATE",
    "seed",
    "seeds",
    "horizon",
    "warmup",
    "max-batch",
    "max_batch",
    "prompt",
    "output",
    "step-ms",
    "per-seq-ms",
    "slo-ttft-ms",
    "output-law",
    "routing",
    "autoscale",
    "token-budget",
    "kv_tokens",
    "replicas",
    "prefill-replicas",
    "max-replicas",
    "users",
    "retry-after",
    "pin",
    "theory",
    "view",
    "lock",
    "hide",
    "predict",
    "theme",
    "accent",
    "motion",
    "lang",
    "rates",
    "parent-origin",
    "engine",
    "__proto__",
    "constructor",
    "",
    "utm_source",
];
const VALUES: [&str; 42] = [
    "",
    "0",
    "-0",
    "5",
    "6,5",
    "1e9",
    "1e-320",
    "NaN",
    "Infinity",
    "-1",
    "0x10",
    "18446744073709551616",
    "lesson",
    "on",
    "off",
    "lab",
    "lesson ",
    "<script>alert(1)</script>",
    "javascript:alert(1)",
    "geometric",
    "random",
    "least-outstanding",
    "round_robin",
    "Queue",
    "busy",
    "1000",
    "replicas:4,routing:random;autoscale:queue",
    "rate:4,max-batch:2;rate:6",
    "rate:",
    ":",
    "rate:4;rate:4;rate:4;rate:4",
    "all",
    "rate,seed,max-batch",
    "ttft,table,,",
    "dark",
    "#ff00zz",
    "en-GB",
    "4,5,6",
    "4,,6",
    "https://school.example",
    "null",
    "\u{202e}\u{0}\u{1f600}",
];

fn pick<'a>(rng: &mut ChaCha8Rng, from: &[&'a str]) -> &'a str {
    from[rng.next_u32() as usize % from.len()]
}

/// A value out of the list, or with a piece of it torn out, or doubled, or of random characters.
fn any_text(rng: &mut ChaCha8Rng, from: &[&str]) -> String {
    let text = pick(rng, from);
    match rng.next_u32() % 8 {
        0 => text.chars().skip(1).collect(),
        1 => text.chars().rev().collect(),
        2 => text.repeat(3),
        3 => (0..rng.next_u32() % 12).filter_map(|_| char::from_u32(rng.next_u32() % 0x250)).collect(),
        _ => text.to_owned(),
    }
}

/// A million addresses and messages that nobody should send: each gives a lab that can be opened, and a short sentence
/// for what was not taken. (`GOODPUT_HOSTILE` sets another number.)
#[test]
fn nothing_hostile_gets_through() {
    let cases: u32 = std::env::var("GOODPUT_HOSTILE").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_000_000);
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut wire = Wire::<()>::new(Some("https://school.example".into()));
    let mut opened = 0;
    for case in 0..cases {
        let count = rng.next_u32() % 5;
        let pairs: Vec<(String, String)> =
            (0..count).map(|_| (any_text(&mut rng, &NAMES), any_text(&mut rng, &VALUES))).collect();
        let address = Address::read(pairs.clone(), number);
        assert!(address.setup.check().is_ok(), "{pairs:?}");
        assert!(address.hide.iter().all(|part| PARTS.contains(part)));
        for refusal in &address.refusals {
            let words = refusal.to_string();
            assert!(words.chars().count() < 800 && !words.chars().any(char::is_control), "{words}");
        }
        let query = address.query(&address.setup);
        let again = read(&query);
        assert!(again.setup == address.setup && again.refusals.is_empty(), "{pairs:?} was written as {query}");

        let payload = pairs.into_iter().map(|(name, text)| (name, Value::Text(text))).collect();
        let origin = any_text(&mut rng, &["https://school.example", "https://evil.example", "null"]);
        let message = Message {
            lab: Some(any_text(&mut rng, &[LAB])),
            v: Some(VERSION),
            id: Some(any_text(&mut rng, &VALUES)),
            kind: Some(any_text(&mut rng, &["init", "set", "lab-result"])),
            payload,
        };
        let asked = wire.hear(rng.next_u32() % 2 == 0, &origin, message.clone());
        assert!(asked.is_none() || origin == "https://school.example", "{message:?}");
        if let Some(goodput_web::wire::Asked::Parameters(pairs)) = asked {
            let mut live = address.clone();
            live.update(&pairs, number);
            assert!(
                live.setup.check().is_ok() && live.view == address.view && live.parent_origin == address.parent_origin
            );
        }
        // Opening takes a thousand times as long as reading.
        if case % 20_000 == 0 {
            Model::at(address.setup).expect("it was checked");
            opened += 1;
        }
    }
    assert_eq!(opened, cases.div_ceil(20_000));
}

#[test]
fn every_field_has_one_name_in_scenario_and_address() {
    let lesson = Scenario::default();
    let numbers = FIELDS.iter().map(|field| (field.name, field.get(&lesson).to_string()));
    let words = CHOICES.iter().map(|choice| (choice.name, choice.get(&lesson).to_owned()));
    for (name, value) in numbers.chain(words) {
        let address = read(&format!("{}={value}", name.replace('-', "_")));
        assert_eq!((address.setup, address.refusals), (Setup::default(), Vec::new()), "{name}");
        assert!(Setup::has(name));
    }
}

#[test]
fn a_word_is_a_field_like_any_other() {
    let address = read("routing=random&replicas=4&pin=autoscale:queue,rate:4");
    assert_eq!(address.refusals, []);
    let fleet = Scenario { replicas: 4, routing: Routing::Random, ..Scenario::default() };
    let scaled = Scenario { rate: 4.0, autoscale: Autoscale::Queue, ..Scenario::default() };
    assert_eq!((&address.setup.scenario, &address.setup.pins[..]), (&fleet, &[scaled][..]));
    assert_eq!(
        address.query(&address.setup),
        "replicas=4&routing=random&pin=rate:4,autoscale:queue&engine=1",
        "numbers before words"
    );

    let mut running = address.clone();
    let word = |word: &str| [("routing".to_owned(), Value::Text(word.to_owned()))];
    assert_eq!(running.update(&word("least-outstanding"), number), []);
    assert_eq!(running.setup.scenario, Scenario { routing: Routing::LeastOutstanding, ..fleet });
    let refused = running.update(&word("fastest"), number);
    assert!(refused.len() == 1 && running.setup.scenario.routing == Routing::LeastOutstanding, "{refused:?}");
}

/// Whether or not the form has a control for it.
#[test]
fn the_lessons_server_takes_every_field_back_and_a_reset_brings_every_field_again() {
    let setup = read("replicas=4&routing=random&output-law=geometric&kv-tokens=60000&users=50").setup;
    let mut model = Model::at(setup.clone()).expect("it was checked");
    assert_eq!(model.setup(), setup);
    model.update(Msg::LessonsServer);
    assert_eq!(model.setup(), Setup::default());
    model.update(Msg::Reset);
    assert_eq!(model.setup(), setup);
}

#[test]
fn a_word_that_is_locked_stays() {
    let address = read("routing=random&lock=routing");
    let before = address.setup.scenario.clone();
    assert_eq!(address.lock.keep(&before, Scenario::default()), before);
    assert!(read("lock=all").lock.has_server());
    let free = FIELDS.iter().map(|field| field.name).filter(|name| *name != "rate").collect::<Vec<_>>().join(",");
    assert!(!read(&format!("lock={free}")).lock.has_server(), "the words are free");
}

#[test]
fn what_is_refused_is_said_in_one_sentence_and_the_default_is_used() {
    for (query, sentence) in [
        ("rate=1001", "rate = 1001 requests/s: allowed are 0.01 to 1000 requests/s"),
        ("rate=fast", "rate = \"fast\": allowed are numbers, 0.01 to 1000 requests/s"),
        ("rate=5.84", "rate = 5.84 requests/s: rates go in tenths, so 5.8 is shown"),
        ("horizon=86400", "horizon = 86400 s: allowed are 1 to 3600 s"),
        ("warmup=600", "warmup = 600 s: must be shorter than the horizon of 600 s"),
        ("seed=-1", "seed = \"-1\": allowed are lesson, or a whole number, 0 to 18446744073709551615"),
        ("routing=fastest", "routing = \"fastest\": allowed are round-robin, random, least-outstanding"),
        ("routing=1e9", "routing = \"1e9\": allowed are round-robin, random, least-outstanding"),
        (
            "autoscale=a-word-that-is-longer-than-any-sentence-has-room-for",
            "autoscale = \"a-word-that-is-longer-than-any-sentence-…\": allowed are off, queue, busy",
        ),
        ("pin=output-law:normal", "output-law = \"normal\": allowed are lognormal, geometric"),
        ("replicas=2.5", "replicas = 2.5 servers: allowed are whole numbers, 1 to 64 servers"),
        (
            "token-budget=32",
            "token-budget = 32 tokens: must be more than max-batch = 64, or 0, so that a full batch leaves room for prompts",
        ),
        (
            "kv-tokens=1199",
            "kv-tokens = 1199 tokens: must be at least 1200 tokens, which one prompt and its answer take, or 0 for no limit",
        ),
        ("autoscale=busy&replicas=9", "max-replicas = 8 servers: must be at least replicas = 9 servers"),
        (
            "users=5&retry-after=2",
            "users and retry-after do not go together: a client that waits for its answer does not send again",
        ),
        ("seeds=0", "seeds = \"0\": allowed are whole numbers, 1 to 200"),
        ("view=loadtest", "view = \"loadtest\": allowed are lab, lesson, predict, challenge"),
        (
            "preset=moon",
            "preset = \"moon\": allowed are assistant, calm, overload, batch-summaries, agent, code-completion, chat-trace, llama-8b-rtx-pro-6000, llama-8b-rtx-4090, opt-13b-a100, llama-70b-8-h100",
        ),
        ("theory=yes", "theory = \"yes\": allowed are on, off"),
        ("pin=4", "pin = \"4\": allowed are at most three runs such as rate:4,max-batch:32"),
        ("pin=rate:1001", "rate = 1001 requests/s: allowed are 0.01 to 1000 requests/s"),
        ("accent=blue", "accent = \"blue\": allowed are colours such as 0b62a8"),
        ("lang=tlh", "lang = \"tlh\": allowed are en, with a region if you like"),
        ("parent-origin=*", "parent-origin = \"*\": allowed are origins such as https://school.example"),
        (
            "predict=on&max-batch=8",
            "predict = \"on\": the questions are about the lesson’s server and draw, so nothing is asked here",
        ),
        (
            "engine=7",
            "This link was made with version 7 of the engine and this page has version 1: its figures may differ",
        ),
    ] {
        let address = read(query);
        let said: Vec<String> = address.refusals.iter().map(ToString::to_string).collect();
        assert_eq!(said, [sentence], "{query}");
    }
    let unknown = read("speed=9&utm_source=mail&fbclid=x").refusals;
    assert!(
        matches!(&unknown[..], [one] if one.to_string().starts_with("there is no parameter \"speed\": allowed are preset, rate, "))
    );
}

#[test]
fn a_preset_is_refined_by_what_stands_beside_it_in_any_order() {
    let calm = Scenario { rate: 4.0, ..Scenario::default() };
    assert_eq!(read("preset=calm").setup.scenario, calm);
    let refined = Scenario { rate: 4.0, max_batch: 8, ..Scenario::default() };
    assert_eq!(read("max-batch=8&preset=calm").setup.scenario, refined);
    assert_eq!(
        Address::default().query(&read("preset=calm").setup),
        "rate=4&engine=1",
        "presets may change, figures not"
    );
}

#[test]
fn a_page_keeps_what_its_author_wrote_and_a_setup_comes_back() {
    let address =
        read("view=predict&theme=dark&rate=6&parent-origin=https%3A%2F%2Fschool.example%3A8443&lock=seed,rate");
    let setup = Setup { scenario: Scenario { max_batch: 32, ..Scenario::default() }, ..Setup::default() };
    let query = address.query(&setup);
    assert_eq!(
        query,
        "max-batch=32&view=predict&theme=dark&parent-origin=https://school.example:8443&lock=seed,rate&engine=1"
    );
    assert_eq!(read(&query).lock, address.lock);
    assert_eq!(Address::default().query(&Setup::default()), "");
    // Both would end an address early.
    let careless = read("accent=%230b62a8&hide=time,%20table").query(&setup);
    assert_eq!(careless, "max-batch=32&accent=0b62a8&hide=time,table&engine=1");
}
