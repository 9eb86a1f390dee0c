//! When reports are colored.

use clap::ValueEnum;

use super::Console;
use crate::report::Color;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

impl When {
    /// The color of a report on stdout, or in a file.
    pub fn color(self, console: Console, is_in_file: bool) -> Color {
        let is_wanted = match self {
            When::Always => true,
            When::Never => false,
            When::Auto => console.stdout_is_terminal && !is_in_file && !console.no_color,
        };
        if is_wanted { Color::Ansi } else { Color::Plain }
    }
}
