//! The command line of a Linux kernel: words, some of them `key=value`.

/// Words that a command line must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'w> {
    /// The key turned on, perhaps among other values: `intel_iommu=sm_on,on`.
    On(&'w str),
    /// The key with this value, unless it has another one that does not turn it off.
    Default(&'w str, &'w str),
    /// All of these among the values of the key.
    Members(&'w str, &'w [String]),
}

/// A key that says something else than is wanted.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict {
    pub there: String,
    pub wanted: String,
}

/// The command line with what is wanted. What is there stays; the kernel takes the last of a key.
pub fn merge(text: &str, wanted: &[Wanted<'_>]) -> Result<String, Conflict> {
    wanted.iter().try_fold(text.to_owned(), |text, wanted| add(text, *wanted))
}

fn add(text: String, wanted: Wanted<'_>) -> Result<String, Conflict> {
    let (key, values): (&str, Vec<&str>) = match wanted {
        Wanted::On(key) => (key, vec!["on"]),
        Wanted::Default(key, value) => (key, vec![value]),
        Wanted::Members(key, values) => (key, values.iter().map(String::as_str).collect()),
    };
    let word = format!("{key}={}", values.join(","));
    let last = words(&text).filter(|(_, word)| is_key(word, key)).last();
    let Some((start, last)) = last else {
        let text = text.trim_end();
        let gap = if text.is_empty() { "" } else { " " };
        return Ok(format!("{text}{gap}{word}"));
    };
    let there: Vec<&str> = match last.split_once('=') {
        Some((_, list)) => list.split(',').filter(|value| !value.is_empty()).collect(),
        None => Vec::new(),
    };
    let is_off = there.iter().rfind(|value| ["on", "off"].contains(value)) == Some(&"off");
    let missing: Vec<&str> =
        values.into_iter().filter(|value| !there.iter().any(|t| t.eq_ignore_ascii_case(value))).collect();
    match wanted {
        Wanted::On(_) | Wanted::Default(..) if is_off => {
            Err(Conflict { there: last.to_owned(), wanted: word })
        }
        Wanted::Default(..) => Ok(text),
        _ if missing.is_empty() => Ok(text),
        Wanted::On(_) => Err(Conflict { there: last.to_owned(), wanted: word }),
        Wanted::Members(..) => {
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

/// Whether a word is for a key; the kernel takes `-` and `_` for one.
fn is_key(word: &str, key: &str) -> bool {
    let normal = |text: &str| text.replace('_', "-");
    word.split('=').next().is_some_and(|name| normal(name) == normal(key))
}

/// The words, with where they begin.
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
    fn what_is_there_stays() {
        let ids = ["10de:27b8".to_owned(), "10de:20f1".to_owned()];
        let wanted = [
            Wanted::On("intel_iommu"),
            Wanted::Default("iommu", "pt"),
            Wanted::Members("vfio-pci.ids", &ids),
        ];
        let all = "intel_iommu=on iommu=pt vfio-pci.ids=10de:27b8,10de:20f1";
        assert_eq!(merge("", &wanted).unwrap(), all);
        assert_eq!(merge(all, &wanted).unwrap(), all);
        assert_eq!(
            merge("hugepages=64  vfio-pci.ids=8086:0b69,10de:20f1 quiet", &wanted).unwrap(),
            "hugepages=64  vfio-pci.ids=8086:0b69,10de:20f1,10de:27b8 quiet intel_iommu=on iommu=pt"
        );
        assert_eq!(
            merge("iommu=strict intel_iommu=sm_on,on vfio-pci.ids=1002:74a1 vfio-pci.ids", &wanted).unwrap(),
            "iommu=strict intel_iommu=sm_on,on vfio-pci.ids=1002:74a1 vfio-pci.ids=10de:27b8,10de:20f1"
        );
        assert_eq!(
            merge("vfio_pci.ids=10DE:27B8 quiet\n", &wanted).unwrap(),
            "vfio_pci.ids=10DE:27B8,10de:20f1 quiet intel_iommu=on iommu=pt"
        );
        assert!(merge("vfio-pci.ids=", &wanted).unwrap().starts_with("vfio-pci.ids=10de:27b8,10de:20f1 "));
        for there in ["intel_iommu=off", "intel_iommu=on,off", "intel_iommu=strict"] {
            let wanted_word = "intel_iommu=on".to_owned();
            assert_eq!(merge(there, &wanted), Err(Conflict { there: there.into(), wanted: wanted_word }));
        }
        assert!(merge("intel_iommu=off,on", &wanted).is_ok() && merge("iommu=off", &wanted).is_err());
    }
}
