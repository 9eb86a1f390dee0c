//! The lower limit for any program that reads its whole input with the same parser crate: it only counts the events.

#![allow(clippy::print_stdout, reason = "a program")]

use std::io::Read;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text)?;
    let mut events = 0usize;
    let mut parser = granit_parser::Parser::new_from_str(&text);
    while let Some(event) = parser.next_event() {
        std::hint::black_box(event?);
        events += 1;
    }
    println!("{events}");
    Ok(())
}
