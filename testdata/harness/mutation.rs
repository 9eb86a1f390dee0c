//! Damages documents at random. The generator is deterministic and uses no clock.

/// Fragments with a meaning in YAML.
const PIECES: &[&str] = &[
    ":",
    ": ",
    " :",
    "- ",
    "-",
    "--",
    "---",
    "...",
    "#",
    " #",
    "# c",
    "'",
    "\"",
    "''",
    "\\",
    "\\n",
    "\\\"",
    "\\x41",
    "|",
    "|-",
    "|+",
    "|2",
    ">",
    ">-",
    "&a",
    "*a",
    "!!str",
    "!",
    "%",
    "@",
    "`",
    "?",
    "? ",
    "{",
    "}",
    "[",
    "]",
    "{}",
    "[]",
    "[a]",
    "{a: b}",
    ",",
    "\t",
    "\n",
    "\n\n",
    " ",
    "  ",
    "\r",
    "\r\n",
    "\0",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "é",
    "~",
    "null",
    "true",
    "0644",
    "a",
    "a: 1",
    "- a",
    "\n- a",
    "\n  b: 1",
    "<<: ",
    "=",
    "x: |\n  y\n",
    "\n# c\n",
    "k: 'v'",
    "\\u00e9",
    "\n    ",
    "\n  - ",
    "\\\n",
    "\\\n  ",
    " \n  ",
    "\n  x",
    "\n x",
    "\n\n  x",
    "\n   - x",
    ", ",
    ",\n",
    "\",\"",
    "\":",
    "\": ",
    ": {",
    ": [",
    "}, {",
    "[a: b]",
    "{a}",
    "{\"a\":1}",
    "[1, -2, a b]",
    ">2",
    "|-2",
    ">+",
    "| # c",
    ">  ",
    "\n    # c\n",
    "\\/",
    "\\ ",
    "\\U0001f600",
    "\\ud83d",
    "\\xe9",
    "\\e",
    "\"a\n  b\"",
    "'a\n\n  b'",
];

#[derive(Debug)]
pub struct Mutation(u64);

impl Mutation {
    pub fn new(seed: u64) -> Self {
        Mutation(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next random number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound.max(1)
    }

    /// One of the documents, or a few of its lines, with one to four changes.
    pub fn damaged(&mut self, documents: &[String]) -> String {
        let whole = &documents[self.below(documents.len())];
        let mut lines: Vec<String> = whole.split_inclusive('\n').map(str::to_owned).collect();
        if self.below(2) == 0 && lines.len() > 8 {
            let from = self.below(lines.len() - 4);
            let count = 1 + self.below(12);
            lines = lines.into_iter().skip(from).take(count).collect();
            // Usually remove the common indentation.
            let indent = lines[0].len() - lines[0].trim_start_matches(' ').len();
            if self.below(4) > 0
                && lines.iter().all(|line| line.trim().is_empty() || line.starts_with(&" ".repeat(indent)))
            {
                lines.iter_mut().for_each(|line| drop(line.drain(..indent.min(line.len() - 1))));
            }
        }
        for _ in 0..self.below(4) {
            self.damage_lines(&mut lines);
        }
        let mut text = lines.concat();
        for _ in 0..self.below(3) {
            self.damage_bytes(&mut text);
        }
        text
    }

    fn damage_lines(&mut self, lines: &mut Vec<String>) {
        if lines.is_empty() {
            return;
        }
        let at = self.below(lines.len());
        match self.below(7) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[self.below(lines.len())].clone()),
            2 => lines[at].insert_str(0, &" ".repeat(1 + self.below(4))),
            3 => {
                let blanks = lines[at].len() - lines[at].trim_start_matches(' ').len();
                let some = self.below(blanks + 1);
                lines[at].drain(..some);
            }
            4 => {
                let other = self.below(lines.len());
                lines.swap(at, other);
            }
            5 => lines.insert(at, format!("{}\n", " ".repeat(self.below(8)))),
            _ => lines.insert(at, format!("{}# c\n", " ".repeat(self.below(8)))),
        }
    }

    fn damage_bytes(&mut self, text: &mut String) {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let next = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
        let piece = PIECES[self.below(PIECES.len())];
        match self.below(5) {
            0 => text.replace_range(at..next, ""),
            1 => text.replace_range(at..next, piece),
            2 => text.truncate(at),
            _ => text.insert_str(at, piece),
        }
    }
}
