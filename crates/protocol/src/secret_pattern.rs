//! Finding a secret in a string, in every form in which Python and JSON print it.
//!
//! A character of it may be there as it is, or as one of its escapes: those of JSON, with and without
//! ASCII, of `repr` and `ascii`, and of the bytes of its UTF-8. An escape may have several backslashes,
//! because a form may have been escaped again.

/// The most backslashes of one escape: those of a form that was escaped four times.
const BACKSLASHES_MAX: usize = 16;

/// One secret, or one line of it.
pub(crate) struct SecretPattern(Vec<SecretCharacter>);

/// A character, and what follows the backslashes of each of its escapes. Some have several parts, as
/// surrogate pairs have.
struct SecretCharacter {
    character: char,
    escapes: Vec<Vec<String>>,
}

/// What is at a place of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecretMatch {
    /// Nothing of the secret that matters.
    None,
    /// The secret, up to here.
    Whole(usize),
    /// As many characters of the beginning of the secret, and then the end of the text.
    Cut(usize),
}

/// What is at a place of a string of one character.
enum Step {
    None,
    To(usize),
    Cut,
}

impl SecretPattern {
    /// Returns the pattern of a value, which is not empty.
    pub(crate) fn new(value: &str) -> Self {
        Self(value.chars().map(SecretCharacter::new).collect())
    }

    /// Returns the places where the secret may begin.
    pub(crate) fn candidates(&self, text: &[u8]) -> impl Iterator<Item = usize> {
        let mut buffer = [0; 4];
        let first =
            self.0.first().map(|first| first.character.encode_utf8(&mut buffer).as_bytes()[0]);
        let bytes = text.iter().enumerate();
        bytes.filter_map(move |(at, byte)| (*byte == b'\\' || Some(*byte) == first).then_some(at))
    }

    /// Returns what is at a place of a string.
    pub(crate) fn match_at(&self, text: &[u8], start: usize) -> SecretMatch {
        let mut ends = vec![start];
        for (matched, character) in self.0.iter().enumerate() {
            let mut next = Vec::new();
            let mut is_cut = false;
            for end in ends {
                is_cut |= character.step(text, end, &mut next);
            }
            if next.is_empty() {
                return if is_cut { SecretMatch::Cut(matched) } else { SecretMatch::None };
            }
            next.sort_unstable();
            next.dedup();
            ends = next;
        }
        ends.last().map_or(SecretMatch::None, |end| SecretMatch::Whole(*end))
    }
}

impl SecretCharacter {
    fn new(character: char) -> Self {
        let code = u32::from(character);
        let short = match character {
            '\n' => Some("n"),
            '\r' => Some("r"),
            '\t' => Some("t"),
            '\u{8}' => Some("b"),
            '\u{c}' => Some("f"),
            '"' => Some("\""),
            '\'' => Some("'"),
            '/' => Some("/"),
            _ => None,
        };
        let mut escapes: Vec<Vec<String>> =
            short.into_iter().map(|short| vec![short.to_owned()]).collect();
        if code < 0x100 {
            escapes.push(vec![format!("x{code:02x}")]);
        }
        let units = character.encode_utf16(&mut [0; 2]).to_vec();
        escapes.push(units.into_iter().map(|unit| format!("u{unit:04x}")).collect());
        escapes.push(vec![format!("U{code:08x}")]);
        if !character.is_ascii() {
            let bytes = character.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
            escapes.push(bytes.into_iter().map(|byte| format!("x{byte:02x}")).collect());
        }
        Self { character, escapes }
    }

    /// Adds where the character ends if it is at `start`, and returns `true` if the text ends within it.
    fn step(&self, text: &[u8], start: usize, ends: &mut Vec<usize>) -> bool {
        let mut is_cut = false;
        let mut add = |step| match step {
            Step::None => {}
            Step::To(end) => ends.push(end),
            Step::Cut => is_cut = true,
        };
        let mut buffer = [0; 4];
        add(literal(text, start, self.character.encode_utf8(&mut buffer)));
        let backslashes = backslashes_at(text, start);
        if backslashes > 0 {
            if self.character == '\\' {
                (2..=backslashes).for_each(|count| add(Step::To(start + count)));
            }
            self.escapes.iter().for_each(|parts| add(escape(text, start, parts)));
        }
        is_cut
    }
}

/// Returns where an escape ends that is at a place of a string.
fn escape(text: &[u8], start: usize, parts: &[String]) -> Step {
    let mut at = start;
    for part in parts {
        let backslashes = backslashes_at(text, at);
        if backslashes == 0 {
            return if at == text.len() { Step::Cut } else { Step::None };
        }
        match literal(text, at + backslashes, part) {
            Step::To(end) => at = end,
            other => return other,
        }
    }
    Step::To(at)
}

/// Returns where a string ends that is at a place of a string. The digits of an escape may be capital.
fn literal(text: &[u8], start: usize, expected: &str) -> Step {
    let (rest, expected) = (&text[start..], expected.as_bytes());
    let length = rest.len().min(expected.len());
    let is_equal = match expected {
        [b'u' | b'x' | b'U', _, ..] => rest[..length].eq_ignore_ascii_case(&expected[..length]),
        _ => rest[..length] == expected[..length],
    };
    match is_equal {
        false => Step::None,
        true if length < expected.len() => Step::Cut,
        true => Step::To(start + length),
    }
}

fn backslashes_at(text: &[u8], start: usize) -> usize {
    let run = text[start..].iter().take(BACKSLASHES_MAX);
    run.take_while(|byte| **byte == b'\\').count()
}
