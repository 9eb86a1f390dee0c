//! Values that oslo.config cannot read as the type of their option. It accepts what Python's `int` and `float` accept,
//! and an empty number.

use std::net::IpAddr;

use super::{Remark, unknown};
use crate::checks::rules;
use crate::formats::ini::IniOption;
use crate::krm::{Hint, quoted};
use crate::platform::oslo_options::{Kind, OsloOption};

/// The highest number of a port.
const LAST_PORT: i128 = 65535;

/// What is wrong with the value of an option.
pub fn remark(option: &IniOption, known: OsloOption) -> Option<Remark> {
    let value = option.value_in_one_line();
    let wrong = wrong_type(&value, known).or_else(|| wrong_choice(&value, known))?;
    let has_comment = value.contains(" #") || value.contains(" ;");
    let advice = if has_comment { "; write the comment on a line of its own" } else { "" };
    let message = format!("{} {wrong}{advice}", unknown::written(option));
    let range = if option.value_range().is_empty() { option.key_range() } else { option.value_range() };
    Some(Remark::error(&rules::WRONG_OPTION_VALUE, message, range))
}

fn wrong_type(value: &str, known: OsloOption) -> Option<String> {
    let must_be = match known.kind() {
        Kind::Bool if !is_bool(value) => "true or false",
        Kind::Int if !value.is_empty() && integer(value).is_none() => "a whole number",
        Kind::Float if !value.is_empty() && !is_float(value) => "a number",
        Kind::Port if !value.is_empty() && !is_port(value) => "a port from 0 to 65535",
        Kind::Ip if value.parse::<IpAddr>().is_err() => "an IP address",
        Kind::Dict if !may_be_dict(value) => "a list such as `key:value,key:value`",
        _ => return None,
    };
    let is = if value.is_empty() { "empty".to_owned() } else { quoted(value) };
    Some(format!("must be {must_be}, but is {is}"))
}

fn wrong_choice(value: &str, known: OsloOption) -> Option<String> {
    let choices: Vec<&str> = known.choices().collect();
    if choices.is_empty() {
        return None;
    }
    let fits = |value: &str| {
        choices.iter().any(|choice| match known.kind() {
            Kind::Int | Kind::Port => value.is_empty() || integer(value) == integer(choice),
            _ if known.ignores_case() => value.eq_ignore_ascii_case(choice),
            _ => value == *choice,
        })
    };
    let wrong = match known.kind() {
        Kind::List => {
            let list = value.trim_end_matches(',');
            let mut elements = list.split(',').map(str::trim).filter(|_| !list.is_empty());
            elements.find(|element| !fits(element))?
        }
        _ => Some(value).filter(|value| !fits(value))?,
    };
    let shown = |choice: &&str| if choice.is_empty() { "empty".to_owned() } else { (*choice).to_owned() };
    let list = choices.iter().map(shown).collect::<Vec<_>>().join(", ");
    let of_each = if known.kind() == Kind::List { "contain only" } else { "be" };
    let one_of = if choices.len() == 1 || known.kind() == Kind::List { "" } else { "one of " };
    let hint = Hint::among(wrong, choices).suffix();
    Some(format!("must {of_each} {one_of}{list}, not {}{hint}", quoted(wrong)))
}

fn is_bool(value: &str) -> bool {
    let known = ["true", "1", "on", "yes", "false", "0", "off", "no"];
    known.iter().any(|known| known.eq_ignore_ascii_case(value))
}

fn is_port(value: &str) -> bool {
    integer(value).is_some_and(|port| (0..=LAST_PORT).contains(&port))
}

/// A whole number as Python reads it: with a sign, and with underscores between digits.
fn integer(value: &str) -> Option<i128> {
    let digits = without_underscores(value)?;
    let number = digits.parse();
    // A number may be longer than any that is used here.
    let is_long = || digits.trim_start_matches(['+', '-']).bytes().all(|b| b.is_ascii_digit());
    number.ok().or_else(|| (digits.len() > LONGEST && is_long()).then_some(i128::MAX))
}

/// The digits that an `i128` has at least room for.
const LONGEST: usize = 38;

fn is_float(value: &str) -> bool {
    without_underscores(value).is_some_and(|number| number.parse::<f64>().is_ok())
}

/// A number without the underscores between its digits. None if one is elsewhere.
fn without_underscores(value: &str) -> Option<String> {
    let bytes = value.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let misplaced = |(at, _): (usize, &str)| !is_digit(at.checked_sub(1)) || !is_digit(Some(at + 1));
    let is_number = !value.match_indices('_').any(misplaced);
    is_number.then(|| value.replace('_', ""))
}

/// Some options have other separators than `:`, or braces.
fn may_be_dict(value: &str) -> bool {
    value.is_empty() || value.contains([':', '=', '{'])
}
