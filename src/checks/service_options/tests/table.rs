//! Every option of the table, and misspelt ones.

use crate::checks::rules;
use crate::checks::service_options::remarks;
use crate::krm::Severity;
use crate::platform::oslo_options::{Kind, OsloOption, ProjectOptions, Section, of_project};
use crate::platform::service_config::PLACES;

/// A section that a user has named, in a text that names it.
const USER_NAMED: &str = "[DEFAULT]\nenabled_backends = own\nenabled_share_backends = own\n[auth]\nmethods = own\n[networking_baremetal]\nenabled_devices = own\n";

fn projects() -> Vec<&'static str> {
    let mut projects: Vec<&str> = PLACES.iter().map(|place| place.project).collect();
    projects.sort_unstable();
    projects.dedup();
    projects
}

/// Sections with a name as it may be written, also those that users name.
fn sections(options: ProjectOptions) -> Vec<(String, Section)> {
    let names = options.section_names().map(str::to_owned);
    let named = ["mdev_x", "vgpu_x", "neutron_physnet_x", "secretstore:x"].map(str::to_owned);
    let known = names.chain(named).filter_map(|name| Some((name.clone(), options.section(&name)?)));
    known.chain(options.user_named().map(|section| ("own".to_owned(), section))).collect()
}

fn valid(option: OsloOption) -> String {
    let value = match (option.name(), option.kind()) {
        ("alias", Kind::Multi) => r#"{"name": "a"}"#,
        ("device_spec", Kind::Multi) => "{}",
        (_, Kind::Bool) => "Yes",
        (_, Kind::Dict) => "a:b",
        (_, Kind::Float) => "0.5",
        (_, Kind::Int | Kind::Port) => "1",
        (_, Kind::Ip) => "2001:db8::1",
        (_, Kind::List | Kind::Multi | Kind::Text) => "x,y",
    };
    option.choices().next().unwrap_or(value).to_owned()
}

#[test]
fn options_of_the_table_are_fine() {
    let mut count = 0;
    for project in projects() {
        for (name, section) in sections(of_project(project).unwrap()) {
            let lines = section.options().map(|option| format!("{} = {}\n", option.name(), valid(option)));
            let text = format!("[{name}]\n{}", lines.collect::<String>());
            let newer = section.options().filter(|option| option.is_newer()).count();
            let found = remarks(project, &text, &[USER_NAMED]);
            let other: Vec<_> = found.iter().filter(|remark| remark.severity != Severity::Info).collect();
            assert!(other.is_empty() && found.len() == newer, "{project} [{name}]: {other:?}");
            count += section.options().count();
        }
    }
    assert!(count > 14_000, "{count}");
}

/// A generator with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// A name with one typing error: a character that is inserted, deleted, replaced, or swapped with the next one.
    fn misspelt(&mut self, name: &str) -> String {
        const CHARACTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz_0123456789";
        let mut bytes = name.as_bytes().to_vec();
        let at = self.below(bytes.len());
        let character = CHARACTERS[self.below(CHARACTERS.len())];
        match self.below(4) {
            0 => bytes.insert(at, character),
            1 => drop(bytes.remove(at)),
            2 => bytes[at] = character,
            _ => bytes.swap(at, (at + 1).min(name.len() - 1)),
        }
        String::from_utf8(bytes).unwrap()
    }
}

#[test]
fn misspelt_options_are_found() {
    let mut random = Random(17);
    let (mut tried, mut other_names) = (0, 0);
    let of = |project| of_project(project).map(|options| (project, options, sections(options)));
    let projects: Vec<_> = projects().into_iter().filter_map(of).collect();
    while tried < 2_000 {
        let (project, options, sections) = &projects[random.below(projects.len())];
        let (name, section) = &sections[random.below(sections.len())];
        let known: Vec<OsloOption> = section.options().collect();
        let option = known[random.below(known.len())];
        let typo = random.misspelt(option.name());
        let is_known = section.option(&typo).is_some()
            || known.iter().any(|known| known.former_names().any(|(_, former)| former == typo))
            || !options.sections_with(&typo).is_empty()
            || !options.renamed(name, &typo).is_empty();
        if is_known || typo.is_empty() {
            continue;
        }
        tried += 1;
        let text = format!("[{name}]\n{typo} = {}\n", valid(option));
        let found = remarks(project, &text, &[USER_NAMED]);
        let [remark] = found.as_slice() else { panic!("{project} {text}: {found:?}") };
        assert!(remark.rule == &rules::UNKNOWN_OPTION && text[remark.range.clone()] == typo, "{remark:?}");
        assert_eq!(remark.severity, Severity::Error, "{project} {text}: {remark:?}");
        if !remark.message.contains(&format!("did you mean \"{}\"?", option.name())) {
            // Another option may be as close to the misspelt name.
            let is_close = |known: &OsloOption| {
                strsim::damerau_levenshtein(known.name(), &typo) <= 1
                    && remark.message.contains(&format!("did you mean \"{}\"?", known.name()))
            };
            assert!(known.iter().any(is_close), "{project} [{name}] {}: {remark:?}", option.name());
            other_names += 1;
        }
    }
    assert!(other_names < 10, "{other_names} with another name");
}
