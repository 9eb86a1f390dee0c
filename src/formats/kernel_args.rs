//! The command line of the Linux kernel: words, some of them `key=value`.

/// What a command line must contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement<'w> {
    /// The key with the value `on`, possibly among others: `intel_iommu=sm_on,on`.
    On(&'w str),
    /// The key with this value. Any other existing value is kept, except `off`.
    Default(&'w str, &'w str),
    /// The key with all of these values, possibly among others.
    Members(&'w str, &'w [String]),
}

/// An existing word that contradicts a requirement.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict {
    pub existing: String,
    pub required: String,
}

/// Adds what is required to a command line. Existing words stay. If a key occurs several times, only the last
/// occurrence counts, as in the kernel.
pub fn merge(text: &str, requirements: &[Requirement<'_>]) -> Result<String, Conflict> {
    requirements.iter().try_fold(text.to_owned(), |text, requirement| add(text, *requirement))
}

fn add(text: String, requirement: Requirement<'_>) -> Result<String, Conflict> {
    let (key, values): (&str, Vec<&str>) = match requirement {
        Requirement::On(key) => (key, vec!["on"]),
        Requirement::Default(key, value) => (key, vec![value]),
        Requirement::Members(key, values) => (key, values.iter().map(String::as_str).collect()),
    };
    let word = format!("{key}={}", values.join(","));
    let last = words(&text).filter(|(_, word)| is_key(word, key)).last();
    let Some((start, last)) = last else {
        let text = text.trim_end();
        let gap = if text.is_empty() { "" } else { " " };
        return Ok(format!("{text}{gap}{word}"));
    };
    let existing: Vec<&str> = match last.split_once('=') {
        Some((_, list)) => list.split(',').filter(|value| !value.is_empty()).collect(),
        None => Vec::new(),
    };
    let is_off = existing.iter().rfind(|value| ["on", "off"].contains(value)) == Some(&"off");
    let missing: Vec<&str> =
        values.into_iter().filter(|value| !existing.iter().any(|e| e.eq_ignore_ascii_case(value))).collect();
    match requirement {
        Requirement::On(_) | Requirement::Default(..) if is_off => {
            Err(Conflict { existing: last.to_owned(), required: word })
        }
        Requirement::Default(..) => Ok(text),
        _ if missing.is_empty() => Ok(text),
        Requirement::On(_) => Err(Conflict { existing: last.to_owned(), required: word }),
        Requirement::Members(..) => {
            let end = start + last.len();
            let separator = match last.split_once('=') {
                None => "=",
                Some((_, list)) if list.is_empty() || list.ends_with(',') => "",
                Some(_) => ",",
            };
            Ok(format!("{}{separator}{}{}", &text[..end], missing.join(","), &text[end..]))
        }
    }
}

/// Whether a word sets a key. The kernel does not distinguish between `-` and `_`.
fn is_key(word: &str, key: &str) -> bool {
    let normal = |text: &str| text.replace('_', "-");
    word.split('=').next().is_some_and(|name| normal(name) == normal(key))
}

/// The words and their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace)
        .map(move |piece| {
            let start = at;
            at += piece.len();
            (start, piece.trim_end())
        })
        .filter(|(_, word)| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_words_stay() {
        let ids = ["10de:27b8".to_owned(), "10de:20f1".to_owned()];
        let requirements = [
            Requirement::On("intel_iommu"),
            Requirement::Default("iommu", "pt"),
            Requirement::Members("vfio-pci.ids", &ids),
        ];
        let all = "intel_iommu=on iommu=pt vfio-pci.ids=10de:27b8,10de:20f1";
        assert_eq!(merge("", &requirements).unwrap(), all);
        assert_eq!(merge(all, &requirements).unwrap(), all);
        assert_eq!(
            merge("hugepages=64  vfio-pci.ids=8086:0b69,10de:20f1 quiet", &requirements).unwrap(),
            "hugepages=64  vfio-pci.ids=8086:0b69,10de:20f1,10de:27b8 quiet intel_iommu=on iommu=pt"
        );
        assert_eq!(
            merge("iommu=strict intel_iommu=sm_on,on vfio-pci.ids=1002:74a1 vfio-pci.ids", &requirements)
                .unwrap(),
            "iommu=strict intel_iommu=sm_on,on vfio-pci.ids=1002:74a1 vfio-pci.ids=10de:27b8,10de:20f1"
        );
        assert_eq!(
            merge("vfio_pci.ids=10DE:27B8 quiet\n", &requirements).unwrap(),
            "vfio_pci.ids=10DE:27B8,10de:20f1 quiet intel_iommu=on iommu=pt"
        );
        assert!(
            merge("vfio-pci.ids=", &requirements).unwrap().starts_with("vfio-pci.ids=10de:27b8,10de:20f1 ")
        );
        for existing in ["intel_iommu=off", "intel_iommu=on,off", "intel_iommu=strict"] {
            let required = "intel_iommu=on".to_owned();
            assert_eq!(merge(existing, &requirements), Err(Conflict { existing: existing.into(), required }));
        }
        assert!(
            merge("intel_iommu=off,on", &requirements).is_ok() && merge("iommu=off", &requirements).is_err()
        );
    }
}
