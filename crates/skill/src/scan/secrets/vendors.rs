//! Tokens that are a prefix and a body of a known length.
//!
//! Sources: the formats that the vendors publish; for lengths that they do not publish, the common
//! rules of secret scanners (gitleaks, GitHub secret scanning).

use std::ops::RangeInclusive;

use super::secret::Secret;
use super::{encoding, placeholder};
use dibber_text::Span;

/// The most bytes of the parameters of a terminal's colour.
const COLOUR_BYTES_MAX: usize = 32;

/// The format of a vendor's token.
#[derive(Debug)]
pub(super) struct TokenFormat {
    kind: &'static str,
    /// What every token starts with.
    pub(super) prefix: &'static str,
    /// The allowed lengths of the body.
    lengths: RangeInclusive<usize>,
    alphabet: Alphabet,
    /// A further check of the body.
    check: fn(&str) -> bool,
}

/// The characters of a body, and which of them are required.
#[derive(Clone, Copy, Debug)]
enum Alphabet {
    /// `0-9a-f`; letters and digits.
    Hex,
    /// `A-Z2-7`; letters.
    Base32,
    /// `A-Za-z`; both cases.
    Letters,
    /// `A-Za-z0-9`; both cases and digits.
    Base62,
    /// `A-Za-z0-9-`; digits and lowercase letters.
    Dashed,
    /// `A-Za-z0-9_-`; both cases and digits.
    Base64Url,
    /// The same with `.` between its parts.
    DottedBase64Url,
}

/// All known formats of this kind.
#[rustfmt::skip]
pub(super) static TOKEN_FORMATS: &[TokenFormat] = &[
    format("an AWS access key", "AKIA", 16..=16, Alphabet::Base32),
    format("a temporary AWS access key", "ASIA", 16..=16, Alphabet::Base32),
    checked("a GitHub token", "ghp_", 36..=36, Alphabet::Base62, encoding::has_valid_checksum),
    checked("a GitHub token", "gho_", 36..=36, Alphabet::Base62, encoding::has_valid_checksum),
    checked("a GitHub token", "ghu_", 36..=36, Alphabet::Base62, encoding::has_valid_checksum),
    checked("a GitHub token", "ghs_", 36..=36, Alphabet::Base62, encoding::has_valid_checksum),
    checked("a GitHub token", "ghr_", 36..=36, Alphabet::Base62, encoding::has_valid_checksum),
    checked("a GitHub token", "github_pat_", 82..=82, Alphabet::Base64Url, is_github_pat),
    checked("a GitLab token", "glpat-", 20..=300, Alphabet::Base64Url, is_gitlab),
    checked("an Anthropic key", "sk-ant-", 90..=130, Alphabet::Base64Url, is_anthropic),
    format("an OpenRouter key", "sk-or-v1-", 64..=64, Alphabet::Hex),
    checked("a Slack token", "xoxb-", 40..=100, Alphabet::Dashed, is_slack),
    checked("a Slack token", "xoxp-", 40..=100, Alphabet::Dashed, is_slack),
    checked("a Slack token", "xoxa-", 40..=100, Alphabet::Dashed, is_slack),
    checked("a Slack token", "xoxr-", 40..=100, Alphabet::Dashed, is_slack),
    checked("a Slack token", "xoxs-", 40..=100, Alphabet::Dashed, is_slack),
    format("a Google API key", "AIza", 35..=35, Alphabet::Base64Url),
    format("a Stripe key", "sk_live_", 24..=247, Alphabet::Base62),
    format("a Stripe key", "rk_live_", 24..=247, Alphabet::Base62),
    format("an npm token", "npm_", 36..=36, Alphabet::Base62),
    format("a PyPI token", "pypi-AgEIcHlwaS5vcmc", 50..=1000, Alphabet::Base64Url),
    format("a Hugging Face token", "hf_", 34..=34, Alphabet::Letters),
    checked("a SendGrid key", "SG.", 66..=66, Alphabet::DottedBase64Url, is_sendgrid),
    format("a DigitalOcean token", "dop_v1_", 64..=64, Alphabet::Hex),
    format("a Databricks token", "dapi", 32..=32, Alphabet::Hex),
    format("a Shopify token", "shpat_", 32..=32, Alphabet::Hex),
    format("a Shopify token", "shpca_", 32..=32, Alphabet::Hex),
    format("a Shopify token", "shppa_", 32..=32, Alphabet::Hex),
    format("a Shopify secret", "shpss_", 32..=32, Alphabet::Hex),
    format("a Groq key", "gsk_", 52..=52, Alphabet::Base62),
    format("a token of dibber", "dib_", 64..=64, Alphabet::Hex),
];

const fn format(
    kind: &'static str,
    prefix: &'static str,
    lengths: RangeInclusive<usize>,
    alphabet: Alphabet,
) -> TokenFormat {
    checked(kind, prefix, lengths, alphabet, |_| true)
}

const fn checked(
    kind: &'static str,
    prefix: &'static str,
    lengths: RangeInclusive<usize>,
    alphabet: Alphabet,
    check: fn(&str) -> bool,
) -> TokenFormat {
    TokenFormat { kind, prefix, lengths, alphabet, check }
}

impl TokenFormat {
    fn has_fixed_length(&self) -> bool {
        self.lengths.start() == self.lengths.end()
    }

    /// Parses the token whose prefix starts at byte `start`.
    pub(super) fn read(&self, text: &str, start: usize) -> Option<Secret> {
        let bytes = text.as_bytes();
        let starts_word =
            start == 0 || !is_word(bytes[start - 1]) || is_after_colour(&bytes[..start]);
        let body_start = start + self.prefix.len();
        let most = *self.lengths.end() + usize::from(!self.has_fixed_length());
        let body_bytes = bytes[body_start..].iter().take(most);
        let length = body_bytes.take_while(|byte| self.alphabet.has(**byte)).count();
        let body_end = body_start + length;
        let ends_word = bytes.get(body_end).is_none_or(|byte| !is_word(*byte));
        if !starts_word || !self.lengths.contains(&length) {
            return None;
        }
        let body = &text[body_start..body_end];
        // What follows may be stuck to the token. Without a digit, both are rather a long identifier.
        let has_digit = || body.bytes().any(|byte| byte.is_ascii_digit());
        let is_whole = ends_word || self.has_fixed_length() && has_digit();
        if !is_whole {
            return None;
        }
        let is_real = self.alphabet.is_mixed(body)
            && (self.check)(body)
            && placeholder::is_random(body)
            && !placeholder::looks_made_up(body)
            && !placeholder::is_truncated(&text[body_end..]);
        let (span, masked) = (Span::new(start, body_end), Span::new(body_start, body_end));
        is_real.then_some(Secret { kind: self.kind, span, masked })
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns `true` if the bytes end in the parameters of a terminal's colour, such as `[31m`: its `m`
/// does not belong to the word after it.
fn is_after_colour(before: &[u8]) -> bool {
    let Some(before) = before.strip_suffix(b"m") else { return false };
    let is_parameter = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let parameters = before.iter().rev().take(COLOUR_BYTES_MAX).take_while(is_parameter).count();
    before[..before.len() - parameters].ends_with(b"[")
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Hex => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Base32 => matches!(byte, b'A'..=b'Z' | b'2'..=b'7'),
            Self::Letters => byte.is_ascii_alphabetic(),
            Self::Base62 => byte.is_ascii_alphanumeric(),
            Self::Dashed => byte.is_ascii_alphanumeric() || byte == b'-',
            Self::Base64Url => is_word(byte) || byte == b'-',
            Self::DottedBase64Url => is_word(byte) || matches!(byte, b'-' | b'.'),
        }
    }

    fn is_mixed(self, body: &str) -> bool {
        // A random body of these lengths lacks one of the classes with negligible probability,
        // while words and repeated characters usually lack one.
        let has_upper = body.bytes().any(|byte| byte.is_ascii_uppercase());
        let has_lower = body.bytes().any(|byte| byte.is_ascii_lowercase());
        let has_digit = body.bytes().any(|byte| byte.is_ascii_digit());
        match self {
            Self::Hex | Self::Dashed => has_lower && has_digit,
            Self::Base32 => has_upper,
            Self::Letters => has_upper && has_lower,
            Self::Base62 | Self::Base64Url | Self::DottedBase64Url => {
                has_upper && has_lower && has_digit
            }
        }
    }
}

fn is_github_pat(body: &str) -> bool {
    let is_base62 = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    body.split_once('_')
        .is_some_and(|(id, rest)| id.len() == 22 && is_base62(id) && is_base62(rest))
}

/// Old tokens have 20 characters; routable ones have 27 or more.
fn is_gitlab(body: &str) -> bool {
    body.len() == 20 || body.len() >= 27
}

fn is_anthropic(body: &str) -> bool {
    let kinds = ["api03-", "admin01-", "oat01-", "ort01-"];
    kinds.iter().any(|kind| body.starts_with(kind)) && body.ends_with("AA")
}

/// The numbers of the team and the app, then the secret.
fn is_slack(body: &str) -> bool {
    let Some((numbers, secret)) = body.rsplit_once('-') else { return false };
    let is_number = |part: &str| {
        (9..=14).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    (24..=36).contains(&secret.len()) && numbers.split('-').all(is_number)
}

fn is_sendgrid(body: &str) -> bool {
    body.split_once('.').is_some_and(|(id, secret)| id.len() == 22 && !secret.contains('.'))
}
