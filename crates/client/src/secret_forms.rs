//! Secrets in every form in which a server may repeat them: as they are, with characters in encoded
//! form, such as those of a URL, and in base64.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use dibber_text::{DecodedText, MASKED, Span};

/// The fewest bytes of a secret: a shorter one is a part of usual words.
const SECRET_BYTES_MIN: usize = 6;

/// Secrets, with their forms in base64; the longest is first.
#[derive(Clone, Default)]
pub(super) struct SecretForms(Arc<[String]>);

impl FromIterator<String> for SecretForms {
    fn from_iter<I: IntoIterator<Item = String>>(secrets: I) -> Self {
        let mut secrets: Vec<String> = secrets.into_iter().collect();
        secrets.retain(|secret| secret.len() >= SECRET_BYTES_MIN);
        let in_base64: Vec<_> = secrets.iter().flat_map(|secret| in_base64(secret)).collect();
        secrets.extend(in_base64);
        // One may contain another.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Self(secrets.into())
    }
}

impl SecretForms {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a string with them masked, if it contains one.
    pub(super) fn masked(&self, text: &str) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let is_plain = self.0.iter().any(|secret| text.contains(secret));
        let plain = is_plain
            .then(|| self.0.iter().fold(text.to_owned(), |text, it| text.replace(it, MASKED)));
        self.mask_encoded(plain.as_deref().unwrap_or(text)).or(plain)
    }

    /// Returns a string with those masked that have characters in encoded form, if there are any.
    fn mask_encoded(&self, text: &str) -> Option<String> {
        let decoded = DecodedText::decode(text)?;
        let found = |secret: &String| decoded.text().match_indices(secret).collect::<Vec<_>>();
        let found = self.0.iter().flat_map(found);
        let span = |(start, secret): (usize, &str)| Span::new(start, start + secret.len());
        let mut spans: Vec<_> = found.map(|found| decoded.original(span(found))).collect();
        if spans.is_empty() {
            return None;
        }
        spans.sort_by_key(|span| span.start);
        let (mut masked, mut done) = (String::new(), 0);
        for span in spans {
            if span.start >= done {
                masked.extend([&text[done..span.start], MASKED]);
            }
            done = done.max(span.end);
        }
        masked.push_str(&text[done..]);
        Some(masked)
    }
}

/// Returns what base64 of anything with the secret in it contains, in both alphabets: the secret
/// begins at the first, the second or the third byte of a group.
fn in_base64(secret: &str) -> impl Iterator<Item = String> {
    (0..3_usize).flat_map(move |offset| {
        let bytes: Vec<u8> = std::iter::repeat_n(0, offset).chain(secret.bytes()).collect();
        // The characters at both ends have bits of what is beside the secret.
        let (from, to) = ((offset * 4).div_ceil(3), bytes.len() * 4 / 3);
        [STANDARD_NO_PAD, URL_SAFE_NO_PAD].map(|engine| engine.encode(&bytes)[from..to].to_owned())
    })
}
