//! The command line of a Linux kernel: words, some of them `key=value`.

/// Words that a command line must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'w> {
    /// The key with this value, which may stand among others: `intel_iommu=on` is in `intel_iommu=sm_on,on`.
    Value(&'w str, &'w str),
    /// The key with this value, unless it has another already.
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
        Wanted::Value(key, value) | Wanted::Default(key, value) => (key, vec![value]),
        Wanted::Members(key, values) => (key, values.iter().map(String::as_str).collect()),
    };
    let word = format!("{key}={}", values.join(","));
    let last = words(&text).filter(|(_, word)| word.split('=').next() == Some(key)).last();
    let Some((start, last)) = last else {
        let gap = if text.is_empty() || text.ends_with(char::is_whitespace) { "" } else { " " };
        return Ok(format!("{text}{gap}{word}"));
    };
    let there: Vec<&str> = last.split_once('=').map_or(Vec::new(), |(_, list)| list.split(',').collect());
    let missing: Vec<&str> = values.into_iter().filter(|value| !there.contains(value)).collect();
    match wanted {
        _ if missing.is_empty() => Ok(text),
        Wanted::Default(..) => Ok(text),
        Wanted::Value(..) => Err(Conflict { there: last.to_owned(), wanted: word }),
        Wanted::Members(..) => {
            let end = start + last.len();
            let separator = if there.is_empty() { "=" } else { "," };
            Ok(format!("{}{separator}{}{}", &text[..end], missing.join(","), &text[end..]))
        }
    }
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
            Wanted::Value("intel_iommu", "on"),
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
            merge("intel_iommu=off", &wanted),
            Err(Conflict { there: "intel_iommu=off".into(), wanted: "intel_iommu=on".into() })
        );
    }
}
