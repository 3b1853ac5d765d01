//! Distinguishes examples from real secrets.

/// Words in made-up examples.
const MADE_UP_WORDS: [&str; 22] = [
    "example",
    "placeholder",
    "xxxx",
    "your",
    "test",
    "dummy",
    "fake",
    "sample",
    "redacted",
    "changeme",
    "replace",
    "insert",
    "secret",
    "token",
    "invalid",
    "mock",
    "demo",
    "foobar",
    "notreal",
    "qwerty",
    "asdf",
    "deadbeef",
];

/// Words in the claims of example web tokens and of public ones.
const EXAMPLE_CLAIMS: [&str; 14] = [
    "john doe",
    "jane doe",
    "1234567890",
    "example",
    "test",
    "demo",
    "dummy",
    "sample",
    "fake",
    "alice",
    "user123",
    "placeholder",
    "foo",
    "\"role\":\"anon\"",
];

/// The minimum entropy of a random string in bits per character.
const ENTROPY_MIN: f32 = 3.5;
/// The same for strings that are too short, or have too small an alphabet, for more.
const ENTROPY_MIN_SHORT: f32 = 3.0;
/// The number of equal or consecutive characters that shows a made-up string.
const ROW: usize = 5;

/// Returns `true` if the entropy of `body` is that of a random string.
pub(super) fn is_random(body: &str) -> bool {
    let is_hex = body.bytes().all(|byte| byte.is_ascii_hexdigit());
    let min = if is_hex || body.len() <= 24 { ENTROPY_MIN_SHORT } else { ENTROPY_MIN };
    entropy(body) >= min
}

/// Returns the Shannon entropy in bits per character.
fn entropy(text: &str) -> f32 {
    let mut counts = [0_u16; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] = counts[usize::from(byte)].saturating_add(1);
    }
    let length: f32 = counts.iter().map(|count| f32::from(*count)).sum();
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f32::from(*count) / length);
    shares.map(|share| -share * share.log2()).sum()
}

/// Returns `true` if `body` looks like a hand-typed example.
pub(super) fn looks_made_up(body: &str) -> bool {
    let lower = body.to_ascii_lowercase();
    let only = |accept: fn(&u8) -> bool| lower.bytes().filter(accept).collect::<Vec<u8>>();
    MADE_UP_WORDS.iter().any(|word| lower.contains(word))
        || has_row(lower.as_bytes())
        // Digits and letters alternate in sequence, as in "a1b2c3d4e5".
        || (starts_with_row(&only(u8::is_ascii_digit))
            && starts_with_row(&only(u8::is_ascii_alphabetic)))
}

fn has_row(bytes: &[u8]) -> bool {
    bytes.windows(ROW).any(is_row)
}

fn starts_with_row(bytes: &[u8]) -> bool {
    bytes.get(..ROW).is_some_and(is_row)
}

fn is_row(bytes: &[u8]) -> bool {
    let steps_by = |step: u8| bytes.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step);
    steps_by(0) || steps_by(1) || steps_by(1_u8.wrapping_neg())
}

/// Returns `true` if the text after a token shows that it was truncated.
pub(super) fn is_truncated(rest: &str) -> bool {
    ["...", "…", "*"].iter().any(|mark| rest.starts_with(mark))
}

/// Returns `true` if the claims of a web token are those of an example or of a public key.
pub(super) fn are_example_claims(claims: &str) -> bool {
    let lower = claims.to_ascii_lowercase();
    EXAMPLE_CLAIMS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_distinguished_from_random_strings() {
        for made_up in ["IOSFODNN7EXAMPLE", "abcdefgh", "xx99999xx", "a1b2c3d4e5f6", "54321abq"] {
            assert!(looks_made_up(made_up), "{made_up}");
        }
        for random in ["zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17", "3f9c1be07a52d48e6b90"] {
            assert!(!looks_made_up(random) && is_random(random), "{random}");
        }
        assert!(!is_random("abababababababab"));
    }
}
