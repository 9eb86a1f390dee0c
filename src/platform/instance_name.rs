//! Names of instance types. They describe types that the catalogue does not list, and show whether a name is
//! a misspelling of a listed one.

use super::instance;
use super::provider::{PROVIDERS, Provider};
use crate::krm::errors_within;

/// An instance type by the parts of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypeName<'n> {
    pub cloud: Provider,
    /// `g6` of AWS, `NC` of Azure, `a2` of GCP.
    pub family: &'n str,
    /// Its size within the family, on the cloud's own scale.
    pub size: u32,
}

impl<'n> TypeName<'n> {
    /// Reads a name in the format of one of the clouds.
    pub fn parse(name: &'n str) -> Option<Self> {
        PROVIDERS
            .iter()
            .filter_map(|cloud| cloud.facts().type_names.as_ref())
            .find_map(|rules| (rules.parse)(name))
    }

    /// The series, if no machine of it has GPUs, by the letters that begin a family's name.
    pub fn series_without_gpus(&self) -> Option<&'n str> {
        let letters = self.family.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.family.len());
        let series = &self.family[..letters];
        let rules = self.cloud.facts().type_names.as_ref()?;
        ((rules.lacks_gpus)(series) && !self.takes_gpus()).then_some(series)
    }

    /// Whether it has no GPUs of its own, but GPUs can be attached to it.
    pub fn takes_gpus(&self) -> bool {
        self.cloud.facts().type_names.as_ref().and_then(|rules| rules.takes_gpus) == Some(self.family)
    }
}

/// The number at the beginning of a part of a name.
pub fn leading_number(text: &str) -> Option<u32> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..digits].parse().ok()
}

/// What the name of an unlisted type says about it.
#[derive(Debug, PartialEq, Eq)]
pub enum Unlisted<'n> {
    /// A type of a series in which no machine has GPUs.
    WithoutGpus { name: TypeName<'n>, series: &'n str },
    /// A type that takes attached GPUs.
    TakesGpus,
    /// A type of a family that the catalogue does not have.
    NewFamily(TypeName<'n>),
    /// Another size of a family that the catalogue has.
    NewSize { name: TypeName<'n>, nearest: Option<&'static str> },
    /// Most likely a misspelling of this one.
    Slip(&'static str),
    /// Not the name of an instance type of any cloud.
    Unknown,
}

impl<'n> Unlisted<'n> {
    pub fn of(given: &'n str) -> Self {
        let Some(name) = TypeName::parse(given) else {
            return slip(given, instance::catalogue().iter().map(|known| known.name))
                .map_or(Unlisted::Unknown, Unlisted::Slip);
        };
        let relatives: Vec<&'static str> = relatives(&name).collect();
        if !relatives.is_empty() {
            return Unlisted::NewSize { name, nearest: nearest(given, &name, &relatives) };
        }
        match name.series_without_gpus() {
            Some(series) => Unlisted::WithoutGpus { name, series },
            None if name.takes_gpus() => Unlisted::TakesGpus,
            None => Unlisted::NewFamily(name),
        }
    }

    /// The type that was meant, if one is plausible.
    pub fn suggestion(&self) -> Option<&'static str> {
        match self {
            Unlisted::Slip(meant) => Some(meant),
            Unlisted::NewSize { nearest, .. } => *nearest,
            _ => None,
        }
    }

    /// What the name says about the type, as the beginning of a message.
    pub fn describe(&self, given: &str) -> String {
        match self {
            Unlisted::WithoutGpus { name, series } => format!(
                "\"{given}\" is an instance type of {} without GPUs: no machine of the {series} series has any",
                name.cloud.name()
            ),
            Unlisted::TakesGpus => {
                format!("\"{given}\" is a machine type of GCP that has only the GPUs that you attach to it")
            }
            Unlisted::NewFamily(name) => format!(
                "\"{given}\" looks like an instance type of {}, but the catalogue has no family {}: its machines \
                 have no GPUs, or it is newer than the catalogue",
                name.cloud.name(),
                name.family
            ),
            Unlisted::NewSize { name, .. } => {
                format!("the catalogue has the family {} but not \"{given}\"", name.family)
            }
            Unlisted::Slip(_) | Unlisted::Unknown => {
                format!("the catalogue has no instance type \"{given}\"")
            }
        }
    }
}

/// The types of the same family in the catalogue.
fn relatives(name: &TypeName<'_>) -> impl Iterator<Item = &'static str> {
    let (cloud, family) = (name.cloud, name.family.to_owned());
    let is_relative = move |known: &str| {
        TypeName::parse(known).is_some_and(|known| known.cloud == cloud && known.family == family)
    };
    instance::catalogue().iter().map(|known| known.name).filter(move |known| is_relative(known))
}

/// The nearest size on AWS, where all machines of a family have the same kind of GPU. Families of other clouds differ, so
/// only a misspelling is suggested there.
fn nearest(given: &str, name: &TypeName<'_>, relatives: &[&'static str]) -> Option<&'static str> {
    if name.cloud != Provider::Aws {
        return slip(given, relatives.iter().copied());
    }
    let size = |known: &str| TypeName::parse(known).map_or(0, |known| known.size);
    relatives.iter().copied().min_by_key(|known| size(known).abs_diff(name.size))
}

/// The name that was probably meant: one keystroke differs, or a part at the beginning or the end is missing.
pub fn slip<'k>(given: &str, names: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let wanted = plain(given);
    // One keystroke changes the meaning of a very short name: "l4" is not a misspelling of "t4".
    let most = usize::from(wanted.len() > 3);
    let distance = |known: &str| {
        let known = plain(known);
        let rest = known.strip_prefix(&wanted).filter(|_| wanted.len() > 2);
        let is_beginning = rest.is_some_and(|rest| rest.starts_with('-'));
        if is_beginning { Some(1).filter(|one| *one <= most) } else { errors_within(most, &wanted, &known) }
    };
    let close = names.into_iter().filter_map(|known| Some((distance(known)?, known)));
    close.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// A name in lower case, with one kind of separator, and without the first word of Azure's names.
fn plain(name: &str) -> String {
    let name = name.to_lowercase().replace([' ', '_'], "-");
    name.strip_prefix("standard-").unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_catalogue_has_the_format_of_its_cloud() {
        for known in instance::catalogue() {
            let name = TypeName::parse(known.name).unwrap_or_else(|| panic!("{}", known.name));
            assert_eq!(name.cloud, known.cloud, "{}", known.name);
            assert_eq!(name.series_without_gpus(), None, "{}", known.name);
        }
    }

    #[test]
    fn real_types_without_gpus_are_not_misspellings() {
        for (name, series) in [
            ("m6i.xlarge", "m"),
            ("c7gn.large", "c"),
            ("u-6tb1.112xlarge", "u"),
            ("m8i-flex.2xlarge", "m"),
            ("x2gd.metal", "x"),
            ("m7i.metal-24xl", "m"),
            ("Standard_D4s_v3", "D"),
            ("Standard_HB120rs_v3", "HB"),
            ("Standard_M8-2ms", "M"),
            ("n2-standard-4", "n"),
            ("e2-medium", "e"),
        ] {
            let unlisted = Unlisted::of(name);
            assert!(
                matches!(unlisted, Unlisted::WithoutGpus { series: found, .. } if found == series),
                "{unlisted:?}"
            );
            assert_eq!(unlisted.suggestion(), None);
        }
        assert_eq!(Unlisted::of("n1-standard-8"), Unlisted::TakesGpus);
        for name in ["g9.xlarge", "p7.48xlarge", "Standard_NX8as_v1", "g6-standard-8"] {
            let unlisted = Unlisted::of(name);
            assert!(matches!(unlisted, Unlisted::NewFamily(_)), "{unlisted:?}");
            assert_eq!(unlisted.suggestion(), None);
        }
    }

    #[test]
    fn plausible_names_are_suggested() {
        for (given, meant) in [
            ("g6.5xlarge", Some("g6.4xlarge")),
            ("p5en.24xlarge", Some("p5en.48xlarge")),
            ("g6.metal", Some("g6.48xlarge")),
            ("g6.4xlrge", Some("g6.4xlarge")),
            ("g6-4xlarge", Some("g6.4xlarge")),
            ("NC4as_T4_v3", Some("Standard_NC4as_T4_v3")),
            ("standard_nc4as_t4_v3", Some("Standard_NC4as_T4_v3")),
            ("Standard_NC24_v3", Some("Standard_NC24s_v3")),
            ("Standard_NC7as_H900_v9", None),
            ("a2-highgpu-1", Some("a2-highgpu-1g")),
            ("gpu.l40s", None),
            ("m1", None),
        ] {
            assert_eq!(Unlisted::of(given).suggestion(), meant, "{given}");
        }
    }
}
