//! The only file that uses the parser crate. It translates the events of the parser.
//!
//! To replace the parser, replace this file. The rest of the layer needs byte offsets of tokens, styles of
//! scalars, anchors with ids, tags, and a limit on nesting.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{Event as Raw, Parser, ScalarStyle, StrInput, StructureStyle};

use super::error::{Position, YamlError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Block,
    Flow,
}

/// An event with the byte range of its token. Block collections have an empty range.
#[derive(Debug)]
pub(super) struct Event<'t> {
    pub(super) kind: EventKind<'t>,
    pub(super) range: Range<usize>,
    pub(super) tag: Option<(Range<usize>, String)>,
}

#[derive(Debug)]
pub(super) enum EventKind<'t> {
    Scalar(Cow<'t, str>, Style),
    Alias(usize),
    /// Belongs to the node of the previous event.
    Anchor(usize),
    MappingStart(Layout),
    SequenceStart(Layout),
    CollectionEnd,
    DocumentStart,
}

pub(super) struct Events<'t> {
    text: &'t str,
    parser: Parser<'t, StrInput<'t>>,
}

impl<'t> Events<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let options = granit_parser::options! { emit_anchor_events: true };
        Events { text, parser: Parser::new_from_str_with_options(text, options) }
    }
}

impl<'t> Iterator for Events<'t> {
    type Item = Result<Event<'t>, YamlError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (raw, span) = match self.parser.next_event()? {
                Ok(pair) => pair,
                Err(e) => {
                    let at = Position { line: e.marker().line(), column: e.marker().col() + 1 };
                    return Some(Err(YamlError::placed(at, e.info())));
                }
            };
            let kind = match raw {
                Raw::Scalar(value, style, _, _) => EventKind::Scalar(value, style_of(style)),
                Raw::Alias(id) => EventKind::Alias(id),
                Raw::Anchor(id, _) => EventKind::Anchor(id),
                Raw::MappingStart(layout, ..) => EventKind::MappingStart(layout_of(layout)),
                Raw::SequenceStart(layout, ..) => EventKind::SequenceStart(layout_of(layout)),
                Raw::MappingEnd | Raw::SequenceEnd => EventKind::CollectionEnd,
                Raw::DocumentStart(..) => EventKind::DocumentStart,
                _ => continue,
            };
            let Some(range) = span.byte_range() else {
                return Some(Err(YamlError::new("the parser reported no position for a part of the text")));
            };
            let tag = span.tag_span().and_then(|t| t.byte_range()).map(|range| {
                let spelling = self.text[range.clone()].to_owned();
                (range, spelling)
            });
            return Some(Ok(Event { kind, range, tag }));
        }
    }
}

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

fn layout_of(style: StructureStyle) -> Layout {
    match style {
        StructureStyle::Block => Layout::Block,
        StructureStyle::Flow => Layout::Flow,
    }
}
