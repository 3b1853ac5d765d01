//! JSON that is typed, or read from a file of the user.

use serde_json::Value;

use dibber_text::strict_json;

/// A number with this many characters is always exact: a 64-bit float has 15 decimal digits.
const EXACT_CHARACTERS_MAX: usize = 15;

/// Parses JSON. The error is the reason: duplicate keys and numbers that would be changed are
/// errors, too.
pub(super) fn parse(text: &str) -> Result<Value, String> {
    let value = strict_json::parse(text).map_err(|error| format!("not JSON: {error}"))?;
    match inexact_number(text) {
        Some(number) => Err(format!(
            "JSON with a number that has too many digits (write it as a string): {number}"
        )),
        None => Ok(value),
    }
}

/// Returns the number because of which valid JSON is an error: it would be sent with other digits.
#[cfg(feature = "remote")]
pub(super) fn number_with_too_many_digits(json: &str) -> Option<&str> {
    inexact_number(json).filter(|_| strict_json::check(json).is_ok())
}

/// Returns `true` if JSON is a number that exceeds the largest 64-bit float.
#[cfg(feature = "remote")]
pub(super) fn is_too_large(json: &str) -> bool {
    let is_number = json.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    is_number && json.parse::<f64>().is_ok_and(f64::is_infinite)
}

/// Returns the first number of valid JSON that a 64-bit integer or float does not represent with the
/// same digits.
fn inexact_number(json: &str) -> Option<&str> {
    strict_json::numbers(json).find(|number| !is_exact(number))
}

fn is_exact(number: &str) -> bool {
    if number.len() <= EXACT_CHARACTERS_MAX && !number.contains(['e', 'E']) {
        return true;
    }
    let Ok(parsed) = serde_json::from_str::<Value>(number) else { return false };
    match (digits(number), digits(&parsed.to_string())) {
        (Some(written), Some(sent)) => written == sent,
        _ => false,
    }
}

/// Returns the digits of a number without zeros at either end, and its power of ten. The sign is
/// left out: it is never changed.
fn digits(number: &str) -> Option<(String, i64)> {
    let number = number.trim_start_matches('-');
    let (mantissa, power) = match number.split_once(['e', 'E']) {
        Some((mantissa, power)) => (mantissa, power.parse().ok()?),
        None => (number, 0_i64),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_end_matches('0');
    let zeros = i64::try_from(all.len() - significant.len()).ok()?;
    let power = power.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(zeros)?;
    let significant = significant.trim_start_matches('0');
    Some(if significant.is_empty() { (String::new(), 0) } else { (significant.to_owned(), power) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_keep_their_digits_are_exact() {
        for exact in [
            "0",
            "-0.0",
            "18446744073709551615",
            "-9223372036854775808",
            "0.1",
            "0.30000000000000004",
            "1.50000000000000000000",
            "100000000000000000000000",
            "1e300",
            "1.5E+10",
            r#"{"12345678901234567890123": "\"12345678901234567890123", "a": [-1.25]}"#,
        ] {
            assert_eq!(inexact_number(exact), None, "{exact}");
        }
        for (json, number) in [
            ("12345678901234567890123", "12345678901234567890123"),
            ("18446744073709551617", "18446744073709551617"),
            ("[1, -0.1234567890123456789]", "-0.1234567890123456789"),
            (r#"{"a\\": 9007199254740993.5}"#, "9007199254740993.5"),
            ("1e-400", "1e-400"),
        ] {
            assert_eq!(inexact_number(json), Some(number), "{json}");
        }
    }

    #[test]
    fn the_error_names_the_number() {
        let cause = parse("{\"id\": 12345678901234567890123}").expect_err("too many digits");
        let expected = "JSON with a number that has too many digits (write it as a string): \
                        12345678901234567890123";
        assert_eq!(cause, expected);
        assert!(parse("{\"a\": 1, \"a\": 2}").is_err_and(|cause| cause.starts_with("not JSON")));
    }
}
