//! Masking the values of secrets in what a run says: its logs, its errors and its output.

use dibber_sandbox::Secrets;
use dibber_text::MASKED;
use serde_json::{Map, Value};

use crate::secret_pattern::{SecretMatch, SecretPattern};

/// The fewest bytes of a line that is masked by itself.
const LINE_BYTES_MIN: usize = 8;

/// The fewest characters of the beginning of a secret that are masked where a string was cut.
const CUT_CHARACTERS_MIN: usize = 4;

/// Replaces the values of secrets in what a run says.
pub(crate) struct SecretMask(Vec<SecretPattern>);

impl SecretMask {
    /// Masks the values of these secrets, and their lines, in every form that Python prints.
    pub(crate) fn new(secrets: &Secrets) -> Self {
        let mut values: Vec<&str> = Vec::new();
        for value in secrets.0.values() {
            values.push(value);
            values.extend(value.lines().map(str::trim).filter(|line| line.len() >= LINE_BYTES_MIN));
        }
        values.retain(|value| !value.is_empty());
        // The longest first: one secret may contain another.
        values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        Self(values.into_iter().map(SecretPattern::new).collect())
    }

    /// Returns a string without secrets.
    pub(crate) fn text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), without)
    }

    /// Returns a string without secrets, of which the end was cut off, and with it perhaps that of a secret.
    pub(crate) fn cut_text(&self, text: &str) -> String {
        let mut text = self.text(text);
        // Part of a character.
        let length = text.trim_end_matches(char::REPLACEMENT_CHARACTER).len();
        let bytes = &text.as_bytes()[..length];
        let begins = self.0.iter().filter_map(|pattern| {
            pattern.candidates(bytes).find(|at| match pattern.match_at(bytes, *at) {
                SecretMatch::Cut(characters) => characters >= CUT_CHARACTERS_MIN,
                SecretMatch::None | SecretMatch::Whole(_) => false,
            })
        });
        if let Some(begin) = begins.min() {
            text.truncate(begin);
            text.push_str(MASKED);
        }
        text
    }

    /// Returns a value without secrets in its strings and names.
    pub(crate) fn value(&self, value: Value) -> Value {
        if self.0.is_empty() {
            return value;
        }
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.value(item)).collect(),
            Value::Object(fields) => {
                let masked = fields.into_iter();
                let masked = masked.map(|(name, value)| (self.text(&name), self.value(value)));
                Value::Object(masked.collect::<Map<_, _>>())
            }
            other => other,
        }
    }
}

fn without(text: String, pattern: &SecretPattern) -> String {
    let bytes = text.as_bytes();
    let (mut masked, mut done) = (String::new(), 0);
    for at in pattern.candidates(bytes) {
        if at < done {
            continue;
        }
        if let SecretMatch::Whole(end) = pattern.match_at(bytes, at) {
            masked.push_str(&text[done..at]);
            masked.push_str(MASKED);
            done = end;
        }
    }
    if done == 0 {
        return text;
    }
    masked.push_str(&text[done..]);
    masked
}
