//! The names of skills of the Skills Protocol, such as `family.dates.countdown`.

use std::fmt;

/// The most bytes of a dotted name.
pub const DOTTED_NAME_BYTES_MAX: usize = 128;

/// The name of a skill: two or more segments with dots between them.
///
/// A segment consists of lowercase letters and digits, and begins with a letter, because Python
/// imports the skill under this name. Names are ordered by their bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DottedName(String);

impl DottedName {
    /// Returns the name; none if it is not a dotted one.
    pub fn parse(name: &str) -> Option<Self> {
        let is_segment = |segment: &str| {
            segment.starts_with(|c: char| c.is_ascii_lowercase())
                && segment.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        let is_valid = name.len() <= DOTTED_NAME_BYTES_MAX
            && name.contains('.')
            && name.split('.').all(is_segment);
        is_valid.then(|| Self(name.to_owned()))
    }

    /// Returns the dotted name that was probably meant by an invalid one: its words in lowercase,
    /// with dots between them.
    pub(super) fn corrected(name: &str) -> Option<Self> {
        let lowercase = name.to_lowercase();
        // Without its other letters, a word is another one.
        if lowercase.contains(|c: char| c.is_alphanumeric() && !c.is_ascii()) {
            return None;
        }
        let words = lowercase.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
        Self::parse(&words.join("."))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first segment.
    pub fn namespace(&self) -> &str {
        self.0.split('.').next().unwrap_or_default()
    }

    /// Returns `true` if the name is in a namespace of one or more whole segments: `family.dates`
    /// has `family.dates.countdown`, and `fam` does not.
    pub fn is_in(&self, namespace: &str) -> bool {
        self.0.strip_prefix(namespace).is_some_and(|rest| rest.starts_with('.'))
    }
}

impl fmt::Display for DottedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
