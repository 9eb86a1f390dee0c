//! The lists of the benchmark in other styles than that of kustomize: what people, editors and other tools write.

use rhoso_fn::yaml::Document;

use super::resources::{Wire, list};

const ITEMS: &str = "\nitems:\n";
const CONFIG: &str = "\nfunctionConfig:\n";

/// The names of the styles, which `styled` writes.
pub const STYLES: &[&str] = &[
    "plain",
    "config-comment",
    "config-flow",
    "marker",
    "bom",
    "open-end",
    "crlf",
    "flow",
    "flow-words",
    "folded",
    "lines",
    "quoted-lines",
    "escapes",
    "indicator",
    "header-comment",
    "tags",
    "anchors",
    "one-separator",
    "one-alias",
    "json",
    "json-line",
];

/// A list of `count` resources in a style, with InjectGpuAlias. None if the style is unknown.
pub fn styled(style: &str, count: usize) -> Option<String> {
    in_style(style, list(Wire::Kustomize, count), count)
}

/// A list of `count` resources, which is in the style of kustomize, in another style. None if the style is unknown.
pub fn in_style(style: &str, plain: String, count: usize) -> Option<String> {
    let (items, config) = plain.split_once(CONFIG)?;
    let with_config = |config: &str| Some(format!("{items}\nfunctionConfig:{config}"));
    // What ends every item, below a key of its own.
    let each = |lines: &str| Some(with_each(&plain, lines));
    match style {
        "plain" => Some(plain),
        "config-comment" => with_config(&format!(" # which GPUs\n{config}")),
        "config-flow" => with_config(&format!(
            "\n{}",
            config.replacen("  metadata:\n", "  metadata:\n    labels: {team: gpu, stage: \"on\"}\n", 1)
        )),
        "marker" => Some(format!("---\n{plain}")),
        "bom" => Some(format!("\u{feff}{plain}")),
        "open-end" => Some(plain.trim_end().to_owned()),
        "crlf" => Some(plain.replace('\n', "\r\n")),
        "flow" => each("env:\n- {name: A, value: \"on\"}\n- {name: B, value: b}\n"),
        "flow-words" => each("command: [\"sh\", \"-c\", 'sleep 1']\n"),
        "folded" => each("text: >-\n  a description\n  that is long\n\n  and has paragraphs\n"),
        "lines" => each("text: a description\n  that is long\n  and goes on\n"),
        "quoted-lines" => each("text: \"a description\n  that is long\\\n  and goes on\"\n"),
        "escapes" => each("text: \"caf\\u00e9 \\x41\\t\\\"\"\n"),
        "indicator" => each("text: |2-\n    indented\n  lines\n"),
        "header-comment" => each("text: | # by hand\n  lines\n  of text\n"),
        "tags" => each("text: !!str 1\n"),
        "anchors" => each("text: &text a\nagain: *text\n"),
        "one-separator" => Some(with_one(&plain, count / 2, "text: \"a\u{85}b\"\n")),
        "one-alias" => {
            // Two Deployments, because an item that lends an anchor cannot be edited.
            let lent = with_one(&plain, count / 50 * 25 + 4, "text: &text a\n");
            Some(with_one(&lent, count / 50 * 25 + 5, "text: *text\n"))
        }
        "json" => Some(serde_json::to_string_pretty(&value(&plain)?).ok()? + "\n"),
        "json-line" => Some(value(&plain)?.to_string() + "\n"),
        _ => None,
    }
}

fn value(list: &str) -> Option<serde_json::Value> {
    Document::parse(list).ok()?.root_value().ok()
}

/// Appends lines to every item.
fn with_each(list: &str, lines: &str) -> String {
    with_chosen(list, lines, |_| true)
}

/// Appends lines to one item.
fn with_one(list: &str, chosen: usize, lines: &str) -> String {
    with_chosen(list, lines, |index| index == chosen)
}

fn with_chosen(list: &str, lines: &str, is_chosen: impl Fn(usize) -> bool) -> String {
    let Some((head, tail)) = list.split_once(ITEMS) else { return list.to_owned() };
    let Some((items, config)) = tail.split_once(CONFIG) else { return list.to_owned() };
    let lines: String = lines.split_inclusive('\n').map(|line| format!("  {line}")).collect();
    let lines = lines.replace("\n  \n", "\n\n");
    let items: Vec<String> = items
        .strip_prefix("- ")
        .unwrap_or(items)
        .split("\n- ")
        .enumerate()
        .map(|(index, item)| {
            let addition = if is_chosen(index) { lines.trim_end() } else { "" };
            let line_break = if addition.is_empty() { "" } else { "\n" };
            format!("- {item}{line_break}{addition}")
        })
        .collect();
    format!("{head}{ITEMS}{}{CONFIG}{config}", items.join("\n"))
}
