//! Sections of a text: those that a project has, and those that users name.

use std::collections::HashSet;
use std::ops::Range;

use super::{KnownSection, Remark, is_template};
use crate::checks::{rules, typo};
use crate::formats::ini::Ini;
use crate::krm::Hint;
use crate::platform::oslo_options::{self, ProjectOptions};

/// Names in lower case.
pub type Names = HashSet<String>;

/// The sections of a text.
pub struct Sections<'p> {
    project: &'p str,
    options: ProjectOptions,
    /// The names of sections in values, such as those of `enabled_backends`.
    named: Names,
    /// The names of sections in values of `auth_section`.
    for_authentication: Names,
    /// The sections with an option that only sections with a name of the user's have.
    like_user_named: Names,
}

pub enum Known<'s> {
    Yes(KnownSection<'s>),
    /// The section that is meant, if its name is a typing error.
    No(Option<&'static str>),
}

impl<'p> Sections<'p> {
    pub fn new(project: &'p str, options: ProjectOptions, ini: &Ini<'_>, context: &[&str]) -> Self {
        let mut named = Names::from([oslo_options::BACKEND_DEFAULTS.to_owned()]);
        let mut for_authentication = Names::new();
        let others: Vec<Ini<'_>> = context.iter().map(|text| Ini::parse(text)).collect();
        for option in others.iter().chain([ini]).flat_map(Ini::options) {
            let names = match option.key.as_str() {
                oslo_options::AUTH_SECTION => &mut for_authentication,
                key if oslo_options::names_sections(key) => &mut named,
                _ => continue,
            };
            // A store of Glance has its type after a colon.
            let values = option.value.split([',', '\n']).filter_map(|value| value.split(':').next());
            names.extend(values.map(|name| name.trim().to_lowercase()));
        }
        let user_named = options.user_named();
        let is_like = |key: &str| user_named.is_some_and(|section| section.option(key).is_some());
        let like_user_named = ini.options().iter().filter(|option| is_like(&option.key));
        let like_user_named = like_user_named.map(|option| option.section.to_lowercase()).collect();
        Sections { project, options, named, for_authentication, like_user_named }
    }

    pub fn find(&self, name: &str) -> Known<'_> {
        let lower = name.to_lowercase();
        let mut parts = Vec::from_iter(self.options.section(name));
        let is_fixed = !parts.is_empty();
        if self.for_authentication.contains(&lower) {
            parts.extend(self.options.authentication());
        }
        if self.named.contains(&lower) {
            parts.extend(self.options.user_named());
        }
        if parts.is_empty() && !self.options.has_former_section(name) {
            let meant = typo::meant(name, self.options.section_names());
            let may_be_named = meant.is_none() && self.like_user_named.contains(&lower);
            match self.options.user_named().filter(|_| may_be_named) {
                Some(user_named) => parts.push(user_named),
                None => return Known::No(meant),
            }
        }
        let more_options = oslo_options::lists_its_options(self.project, name).then_some(&self.named);
        let (project, options) = (self.project, self.options);
        Known::Yes(KnownSection { project, options, is_fixed, parts, more_options })
    }

    /// Remarks on sections that the project does not have, each once. Sections without options are left out.
    pub fn unknown_ones(&self, ini: &Ini<'_>, text: &str) -> impl Iterator<Item = Remark> {
        let used: HashSet<&str> = ini.options().iter().map(|option| option.section.as_str()).collect();
        let mut seen = HashSet::new();
        let headers = ini.headers().filter(move |(name, _)| used.contains(name) && seen.insert(*name));
        headers.filter(|(name, _)| !is_template(name)).filter_map(|(name, range)| match self.find(name) {
            Known::Yes(_) => None,
            Known::No(meant) => Some(self.unknown(name, &text[range.clone()], meant, range)),
        })
    }

    fn unknown(&self, name: &str, written: &str, meant: Option<&str>, range: Range<usize>) -> Remark {
        let what = format!("{} has no section `{written}`", self.project);
        if meant.is_some() {
            let hint = Hint::of(meant).suffix();
            let message = format!("{what}, so its options have no effect{hint}");
            return Remark::error(&rules::UNKNOWN_OPTION, message, range);
        }
        let advice = "unless a driver or plugin from elsewhere reads it, its options have no effect";
        let advice = Hint::of(typo::similar(name, self.options.section_names())).and(advice);
        Remark::info(&rules::UNKNOWN_OPTION, format!("{what}; {advice}"), range)
    }
}
