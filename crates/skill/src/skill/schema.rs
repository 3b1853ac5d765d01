//! Which type an unquoted scalar has: once in YAML 1.2 (core schema), once in YAML 1.1.
//!
//! Clients use parsers of both ages, and they disagree: `yes` is a string to one and a boolean
//! to the other. Sources: YAML 1.2.2 section 10.3.2; the YAML 1.1 type repository (bool, int,
//! float, null, timestamp) as `PyYAML` implements it.

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarType {
    /// Nothing: an empty value, `~`, `null`.
    Null,
    /// A boolean.
    Bool,
    /// A whole number.
    Int,
    /// A number with a fraction or an exponent.
    Float,
    /// A date, or a date with a time; YAML 1.1 only.
    Timestamp,
    /// A string.
    Text,
}

impl ScalarType {
    /// Returns the word for it: "a number".
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool => "a boolean",
            Self::Int | Self::Float => "a number",
            Self::Timestamp => "a date",
            Self::Text => "a string",
        }
    }

    /// Returns the type of a scalar with a tag; with a tag of another kind, it is a string.
    pub(super) fn of_tag(tag: &str) -> Self {
        match tag.strip_prefix("tag:yaml.org,2002:") {
            Some("null") => Self::Null,
            Some("bool") => Self::Bool,
            Some("int") => Self::Int,
            Some("float") => Self::Float,
            Some("timestamp") => Self::Timestamp,
            _ => Self::Text,
        }
    }
}

/// The type of a plain scalar in the core schema of YAML 1.2.
pub fn type_in_yaml_1_2(text: &str) -> ScalarType {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ScalarType::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => ScalarType::Bool,
        _ if !may_be_number(text) => ScalarType::Text,
        _ if is_int_1_2(text) => ScalarType::Int,
        _ if is_special_float(text) || is_decimal_float(text, false) => ScalarType::Float,
        _ => ScalarType::Text,
    }
}

/// The type of a plain scalar in YAML 1.1.
pub fn type_in_yaml_1_1(text: &str) -> ScalarType {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ScalarType::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" | "yes" | "Yes" | "YES" | "no"
        | "No" | "NO" | "on" | "On" | "ON" | "off" | "Off" | "OFF" => ScalarType::Bool,
        _ if !may_be_number(text) => ScalarType::Text,
        _ if is_int_1_1(text) => ScalarType::Int,
        _ if is_special_float(text) || is_float_1_1(text) => ScalarType::Float,
        _ if is_timestamp(text) => ScalarType::Timestamp,
        _ => ScalarType::Text,
    }
}

fn may_be_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn all(text: &str, accept: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(accept)
}

fn is_int_1_2(text: &str) -> bool {
    if let Some(digits) = text.strip_prefix("0o") {
        return all(digits, |b| (b'0'..=b'7').contains(&b));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return all(digits, |b| b.is_ascii_hexdigit());
    }
    all(unsigned(text), |b| b.is_ascii_digit())
}

fn is_int_1_1(text: &str) -> bool {
    let text = unsigned(text);
    if let Some(digits) = text.strip_prefix("0b") {
        return all(digits, |b| matches!(b, b'0' | b'1' | b'_'));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return all(digits, |b| b.is_ascii_hexdigit() || b == b'_');
    }
    if let Some(digits) = text.strip_prefix('0') {
        return digits.is_empty() || all(digits, |b| matches!(b, b'0'..=b'7' | b'_'));
    }
    let is_digits = |part: &str| all(part, |b| b.is_ascii_digit() || b == b'_');
    let mut parts = text.split(':');
    parts.next().is_some_and(|first| {
        first.starts_with(|c: char| ('1'..='9').contains(&c)) && is_digits(first)
    }) && parts.all(is_sexagesimal_digits)
}

fn is_sexagesimal_digits(part: &str) -> bool {
    match part.as_bytes() {
        [ones] => ones.is_ascii_digit(),
        [tens, ones] => (b'0'..=b'5').contains(tens) && ones.is_ascii_digit(),
        _ => false,
    }
}

fn is_special_float(text: &str) -> bool {
    matches!(text, ".nan" | ".NaN" | ".NAN") || matches!(unsigned(text), ".inf" | ".Inf" | ".INF")
}

/// A decimal number with a point or an exponent.
fn is_decimal_float(text: &str, underscores: bool) -> bool {
    let is_digit = |b: u8| b.is_ascii_digit() || (underscores && b == b'_');
    let (mantissa, exponent) = match unsigned(text).split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned(text), None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = whole.bytes().chain(fraction.bytes()).any(|b| b.is_ascii_digit());
    has_digits
        && whole.bytes().all(is_digit)
        && fraction.bytes().all(is_digit)
        && exponent.is_none_or(|exponent| all(unsigned(exponent), |b| b.is_ascii_digit()))
        && (mantissa.contains('.') || exponent.is_some())
}

/// YAML 1.1 wants a point in every float, a sign in every exponent, and no sign before a
/// point; it knows minutes and seconds: `1:30.5`.
fn is_float_1_1(text: &str) -> bool {
    let exponent_is_signed =
        text.split_once(['e', 'E']).is_none_or(|(_, exponent)| exponent.starts_with(['+', '-']));
    let starts_right =
        text.starts_with('.') || unsigned(text).starts_with(|c: char| c.is_ascii_digit());
    let is_decimal = text.contains('.') && exponent_is_signed && is_decimal_float(text, true);
    starts_right && (is_decimal || is_sexagesimal_float(text))
}

fn is_sexagesimal_float(text: &str) -> bool {
    let Some((whole, fraction)) = unsigned(text).split_once('.') else { return false };
    let mut parts = whole.split(':');
    let first = parts.next().unwrap_or_default();
    whole.contains(':')
        && all(first, |b| b.is_ascii_digit() || b == b'_')
        && parts.all(is_sexagesimal_digits)
        && fraction.bytes().all(|b| b.is_ascii_digit() || b == b'_')
}

/// `2026-01-31`, or the same with a time after it, of which the parts may have one digit.
fn is_timestamp(text: &str) -> bool {
    let (year, rest) = digits(text, 4..=4);
    let (month, rest) = digits(rest.strip_prefix('-').unwrap_or_default(), 1..=2);
    let (day, rest) = digits(rest.strip_prefix('-').unwrap_or_default(), 1..=2);
    if year.is_empty() || month.is_empty() || day.is_empty() {
        return false;
    }
    if rest.is_empty() {
        return month.len() == 2 && day.len() == 2;
    }
    let blanks = [' ', '\t'];
    let time = rest.strip_prefix(['T', 't']).unwrap_or(rest.trim_start_matches(blanks));
    let (hour, rest) = digits(time, 1..=2);
    let (minute, rest) = digits(rest.strip_prefix(':').unwrap_or_default(), 2..=2);
    let (second, rest) = digits(rest.strip_prefix(':').unwrap_or_default(), 2..=2);
    let fraction =
        rest.strip_prefix('.').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let zone = fraction.unwrap_or(rest).trim_start_matches(blanks);
    !hour.is_empty() && !minute.is_empty() && !second.is_empty() && is_zone(zone)
}

/// Nothing, `Z`, or an offset such as `+1` or `-05:30`.
fn is_zone(zone: &str) -> bool {
    let Some(offset) = zone.strip_prefix(['+', '-']) else { return matches!(zone, "" | "Z") };
    let (hour, rest) = digits(offset, 1..=2);
    let (minute, end) = digits(rest.strip_prefix(':').unwrap_or_default(), 2..=2);
    !hour.is_empty() && (rest.is_empty() || (!minute.is_empty() && end.is_empty()))
}

/// The digits that `text` begins with, if it begins with so many, and what follows.
fn digits(text: &str, count: std::ops::RangeInclusive<usize>) -> (&str, &str) {
    let length = text.bytes().take(*count.end()).take_while(u8::is_ascii_digit).count();
    if length < *count.start() { ("", text) } else { text.split_at(length) }
}
