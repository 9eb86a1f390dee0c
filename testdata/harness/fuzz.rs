//! Checks the guarantees on packages with random changes in random styles.
//!
//! Each case is a golden case with changed values ([`changes`]), written in another style ([`styles`]), and
//! run as a function and as plain files. go-yaml and PyYAML check the output. `make fuzz` runs hundreds of
//! thousands of cases; CI runs a few, the same every time.

mod changes;
mod styles;

use rhoso_fn::functions::REGISTRY;
use rhoso_fn::krm::{self, File, Package, ResourceList, Results};
use rhoso_fn::yaml::{Document, Text, stream};
use serde_json::Value;

use self::styles::Writer;
use crate::differential::{ours, texts};
use crate::host::case::{Case, bystander, wire};
use crate::mutation::Mutation;
use crate::oracle::Oracle;

/// The number of cases: few in CI, many in `make fuzz`.
pub fn count(few: usize) -> usize {
    std::env::var("FUZZ").map_or(few, |count| count.parse().unwrap())
}

/// The seed: fixed in CI, and different in each of several runs of `make fuzz`.
pub fn seed(own: u64) -> u64 {
    own + std::env::var("FUZZ_SEED").map_or(0, |seed| seed.parse::<u64>().unwrap() * 1_000)
}

/// PyYAML is slower than the rest of a case, so it checks only one in this many cases.
const SLOW: usize = 10;

struct Seed {
    name: String,
    config: Value,
    resources: Vec<Value>,
}

/// Golden cases as values, except those that name a file, because they need a working directory.
fn seeds() -> Vec<Seed> {
    let values = |text: &str| -> Option<Vec<Value>> {
        stream::documents(text)
            .into_iter()
            .map(|range| Document::parse(&text[range]).ok()?.root_value().ok())
            .collect()
    };
    Case::all()
        .into_iter()
        .filter_map(|case| {
            let config = values(&case.config)?.pop()?;
            let resources = values(&case.input)?;
            let is_small =
                resources.len() < 20 && case.input.len() < 8_000 && config["spec"]["file"].is_null();
            is_small.then(|| Seed { name: format!("{}: {}", case.function, case.name), config, resources })
        })
        .collect()
}

/// One package in one style.
struct Trial {
    /// Some of the items have no line break at the end.
    resources: Vec<String>,
    config: String,
}

impl Trial {
    fn draw(seed: &Seed, chance: &mut Mutation) -> Trial {
        let mut resources = seed.resources.clone();
        changes::change(&mut resources, chance);
        let mut config = seed.config.clone();
        if chance.below(3) == 0 {
            changes::change_value(&mut config["spec"], &["x".to_owned(), String::new()], chance, 1);
        }
        let mut written = |value: &Value| {
            let text = Writer::new(chance).document(value);
            if chance.below(2) == 0 { text } else { text + "\n" }
        };
        let resources = resources.iter().map(&mut written).collect();
        let config = written(&config);
        Trial { resources, config }
    }

    fn wire(&self, chance: &mut Mutation) -> String {
        let closed = |text: &String| Document::parse(text).unwrap().terminated_text().unwrap();
        let resources: Vec<Text> = self.resources.iter().map(closed).collect();
        let bystander = bystander();
        let mut documents: Vec<&str> = resources.iter().map(|text| &**text).collect();
        documents.push(&bystander);
        let mut list = wire(&documents, &closed(&self.config));
        match chance.below(8) {
            0 => list = list.trim_end().to_owned(),
            1 => list = format!("---\n{list}"),
            2 => list = list.replace('\n', "\r\n"),
            3 => list = format!("\u{feff}{list}"),
            _ => {}
        }
        list
    }
}

/// The text of each item of a list.
fn items(list: &str) -> Vec<String> {
    ResourceList::parse(list).unwrap().items.iter().map(|item| item.text().to_owned()).collect()
}

#[test]
fn promises_hold_for_packages_drawn_by_chance() {
    let (mut go, mut python) = (Oracle::go_yaml(), Oracle::pyyaml());
    let seeds = seeds();
    let mut chance = Mutation::new(seed(5));
    let (mut ran, mut worked) = (0, 0);
    for case in 0..count(600) {
        let seed = &seeds[chance.below(seeds.len())];
        let trial = Trial::draw(seed, &mut chance);
        let list = trial.wire(&mut chance);
        let about = || format!("case {case}, {}:\n{list}", seed.name);
        let outcome = krm::run(list.as_bytes(), REGISTRY);
        ran += 1;
        assert!(!outcome.stdout.is_empty(), "{:?}\n{}", outcome.findings, about());
        let again = krm::run(list.as_bytes(), REGISTRY);
        assert_eq!(outcome.stdout, again.stdout, "the same input, another output: {}", about());
        if outcome.failed {
            assert_eq!(items(&list), items(&outcome.stdout), "an error, and items that differ: {}", about());
            continue;
        }
        worked += 1;
        let second = krm::run(outcome.stdout.as_bytes(), REGISTRY);
        assert!(!second.failed, "the second run fails: {:?}\n{}", second.findings, about());
        assert_eq!(outcome.stdout, second.stdout, "the second run changes something: {}", about());
        judge(&outcome.stdout, &mut go, python.as_mut().filter(|_| case % SLOW == 0), &about);
        in_plain_files(&trial, &outcome.stdout, &mut chance, &about);
    }
    println!("{ran} packages drawn by chance, {worked} of them without an error");
    assert!(worked * 5 > ran, "only {worked} of {ran} packages had no error");
}

/// Other readers must read the same values from the output as we do.
fn judge(stdout: &str, go: &mut Option<Oracle>, python: Option<&mut Oracle>, about: &impl Fn() -> String) {
    if let Some(go) = go {
        let theirs = go.ask(stdout);
        assert_eq!(theirs, ours(stdout), "go-yaml reads something else in\n{stdout}\nof {}", about());
    }
    if let Some(python) = python {
        let theirs = python.ask(stdout);
        assert_eq!(theirs, Ok(texts(stdout)), "PyYAML reads something else in\n{stdout}\nof {}", about());
    }
}

/// Plain files must give the same values as the list, even without a line break at the end.
fn in_plain_files(trial: &Trial, stdout: &str, chance: &mut Mutation, about: &impl Fn() -> String) {
    let mut files: Vec<File> = Vec::new();
    for (i, text) in trial.resources.iter().chain([&trial.config]).enumerate() {
        match files.last_mut() {
            // Two documents in one file.
            Some(last) if last.text.ends_with('\n') && chance.below(3) == 0 => {
                last.text = format!("{}---\n{text}", last.text).into();
            }
            _ => files.push(File { path: format!("{i}.yaml"), text: text.into() }),
        }
    }
    let mut results = Results::default();
    let mut package = Package::read(files, REGISTRY, &mut results);
    package.run(REGISTRY, &mut results);
    if results.has_errors() {
        return; // duplicate objects are an error only in files
    }
    let value = |text: &str| Document::parse(text).unwrap().root_value().unwrap();
    let stream = package.to_stream().unwrap().to_string();
    let mut rendered: Vec<Value> =
        stream::documents(&stream).into_iter().map(|range| value(&stream[range])).collect();
    let list = ResourceList::parse(stdout).unwrap();
    let bystanders = stream::documents(&bystander()).len();
    let given = trial.resources.len();
    let mut wired: Vec<Value> = list
        .items
        .iter()
        .enumerate()
        .filter(|(i, _)| !(given..given + bystanders).contains(i))
        // `render` does not print local configuration and documents that are not objects.
        .filter(|(_, item)| !item.is_local() && !item.id().kind.is_empty())
        .map(|(_, item)| item.value(&krm::FieldPath::default()).unwrap().unwrap_or_default())
        .collect();
    // `render` sorts files by name, so ignore the order.
    let key = |value: &Value| value.to_string();
    rendered.sort_by_key(key);
    wired.sort_by_key(key);
    assert_eq!(rendered, wired, "plain files give other values: {}", about());
}
