//! Which type an unquoted scalar has: once as YAML 1.2 (core schema) says, once as YAML 1.1 did.
//!
//! Clients use parsers of both ages, and they disagree: `yes` is a text to one and a truth value
//! to the other. Sources: YAML 1.2.2 section 10.3.2; the YAML 1.1 type repository (bool, int,
//! float, null, timestamp) as `PyYAML` implements it.

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarType {
    /// Nothing: an empty value, `~`, `null`.
    Null,
    /// A truth value.
    Bool,
    /// A whole number.
    Int,
    /// A number with a fraction or an exponent.
    Float,
    /// A date, or a date with a time; YAML 1.1 only.
    Timestamp,
    /// A text.
    Text,
}

impl ScalarType {
    /// The word for it: "a number".
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool => "a truth value",
            Self::Int | Self::Float => "a number",
            Self::Timestamp => "a date",
            Self::Text => "a text",
        }
    }

    /// The type that a tag gives a scalar; a tag that is not of YAML's own types says nothing.
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
    parts
        .next()
        .is_some_and(|first| first.starts_with(|c: char| c.is_ascii_digit()) && is_digits(first))
        && parts.all(is_sexagesimal_digits)
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

/// YAML 1.1 wants a point in every float, and a sign in every exponent.
fn is_float_1_1(text: &str) -> bool {
    let exponent_is_signed =
        text.split_once(['e', 'E']).is_none_or(|(_, exponent)| exponent.starts_with(['+', '-']));
    text.contains('.') && exponent_is_signed && is_decimal_float(text, true)
}

/// `2026-01-31`, or the same with a time behind it.
fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digits = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let is_date = is_digits(0..4)
        && bytes.get(4) == Some(&b'-')
        && is_digits(5..7)
        && bytes.get(7) == Some(&b'-')
        && is_digits(8..10);
    let has_time = || {
        matches!(bytes[10], b'T' | b't' | b' ') && is_digits(11..13) && bytes.get(13) == Some(&b':')
    };
    is_date && (bytes.len() == 10 || has_time())
}
