//! Whether the frontmatter of a file is the one that was listed.

use serde_json::{Map, Value};

/// The booleans of YAML 1.1, which some servers read as such.
const TRUE: [&str; 3] = ["true", "yes", "on"];
const FALSE: [&str; 3] = ["false", "no", "off"];

/// Returns the first field that differs, in the order of their names; none if none does.
pub(super) fn first_difference<'a>(
    listed: &'a Map<String, Value>,
    of_file: &'a Map<String, Value>,
) -> Option<&'a str> {
    let keys = listed.keys().chain(of_file.keys());
    let differs = |key: &&String| match (listed.get(*key), of_file.get(*key)) {
        (Some(listed), Some(of_file)) => !is_same(listed, of_file),
        _ => true,
    };
    keys.filter(differs).map(String::as_str).min()
}

/// Returns `true` if two values are the same. Readers of YAML disagree about the types of scalars, such as
/// dates, versions and `yes`; what is written is the same.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => first_difference(a, b).is_none(),
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => false,
        _ => a == b || is_same_scalar(a, b) || is_same_scalar(b, a),
    }
}

fn is_same_scalar(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(text), Value::Bool(value)) => {
            let words = if *value { TRUE } else { FALSE };
            words.iter().any(|word| text.eq_ignore_ascii_case(word))
        }
        (Value::String(text), Value::Null) => {
            text.is_empty() || text == "~" || text.eq_ignore_ascii_case("null")
        }
        (Value::String(text), Value::Number(number)) => {
            text == &number.to_string() || text.parse::<f64>().ok() == number.as_f64()
        }
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn difference(listed: &Value, of_file: &Value) -> Option<String> {
        let (listed, of_file) = (listed.as_object(), of_file.as_object());
        let (listed, of_file) = (listed.expect("an object"), of_file.expect("an object"));
        first_difference(listed, of_file).map(str::to_owned)
    }

    #[test]
    fn types_of_scalars_do_not_matter() {
        let listed =
            json!({"a": true, "b": 1.1, "c": "2026-01-01", "d": null, "e": [1, {"f": "x"}]});
        let of_file =
            json!({"a": "yes", "b": "1.10", "c": "2026-01-01", "d": "", "e": ["1", {"f": "x"}]});
        assert_eq!(difference(&listed, &of_file), None);
        assert_eq!(difference(&of_file, &listed), None);
    }

    #[test]
    fn anything_else_does() {
        let file = json!({"a": "x", "b": [1, 2], "c": {"d": true}});
        for (listed, field) in [
            (json!({"a": "y", "b": [1, 2], "c": {"d": true}}), "a"),
            (json!({"b": [1, 2], "c": {"d": true}}), "a"),
            (json!({"a": "x", "b": [1], "c": {"d": true}}), "b"),
            (json!({"a": "x", "b": [1, 2], "c": {"d": false}}), "c"),
            (json!({"a": "x", "b": [1, 2], "c": "{}"}), "c"),
            (json!({"a": "x", "b": [1, 2], "c": {"d": true}, "e": null}), "e"),
        ] {
            assert_eq!(difference(&listed, &file).as_deref(), Some(field), "{listed}");
        }
    }
}
