//! Masking the values of secrets in what a run says: its logs, its errors and its output.

use dibber_sandbox::Secrets;
use dibber_text::MASKED;
use serde_json::{Map, Value};

/// The fewest bytes of a line that is masked by itself.
const LINE_BYTES_MIN: usize = 8;

/// Replaces the values of secrets in what a run says.
pub(crate) struct SecretMask(Vec<String>);

impl SecretMask {
    /// Masks the values of these secrets, as they are and as Python and JSON escape them.
    pub(crate) fn new(secrets: &Secrets) -> Self {
        let mut forms = Vec::new();
        for value in secrets.0.values() {
            forms.push(value.clone());
            let escaped = Value::from(value.as_str()).to_string();
            forms.push(escaped[1..escaped.len() - 1].to_owned());
            let lines = value.lines().map(str::trim).filter(|line| line.len() >= LINE_BYTES_MIN);
            forms.extend(lines.map(str::to_owned));
        }
        forms.retain(|form| !form.is_empty());
        // The longest first: one secret may contain another.
        forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
        Self(forms)
    }

    /// Returns a text without secrets.
    pub(crate) fn text(&self, text: &str) -> String {
        let replace = |text: String, form: &String| {
            if text.contains(form.as_str()) { text.replace(form.as_str(), MASKED) } else { text }
        };
        self.0.iter().fold(text.to_owned(), replace)
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
