//! Secrets that are more than a prefix and a body: keys with an anchor inside, web tokens, and
//! private keys.

use super::secret::Secret;
use super::{encoding, placeholder};
use dibber_text::Span;

/// The maximum number of bytes on either side of an anchor inside a token.
const SIDE_BYTES_MAX: usize = 200;
/// The maximum length in bytes of one part of a web token.
const PART_BYTES_MAX: usize = 4096;
/// The minimum length in bytes of the signature of a web token (HMAC with SHA-256).
const SIGNATURE_BYTES_MIN: usize = 43;
/// The maximum length in bytes of the label of a private key.
const OPENING_BYTES_MAX: usize = 40;
/// The maximum length in bytes of a private key.
const PRIVATE_KEY_BYTES_MAX: usize = 16 << 10;

/// The length in bytes of the secret part of an AWS access key.
const AWS_SECRET_BYTES: usize = 40;
/// The maximum number of bytes between the name of its setting and its value.
const AWS_SEPARATOR_BYTES_MAX: usize = 8;

/// A format that is more than a prefix and a body.
pub(super) struct AnchoredFormat {
    /// A string that every secret of this format contains.
    pub(super) anchor: &'static str,
    /// Parses the secret around the anchor, which starts at that byte.
    pub(super) read: fn(&str, usize) -> Option<Secret>,
}

pub(super) static ANCHORED_FORMATS: &[AnchoredFormat] = &[
    AnchoredFormat { anchor: "T3BlbkFJ", read: openai },
    AnchoredFormat { anchor: ":AA", read: telegram },
    AnchoredFormat { anchor: "eyJ", read: web_token },
    AnchoredFormat { anchor: "PRIVATE KEY-----", read: private_key },
    AnchoredFormat { anchor: "SECRET_ACCESS_KEY", read: aws_secret },
    AnchoredFormat { anchor: "secret_access_key", read: aws_secret },
    AnchoredFormat { anchor: "SecretAccessKey", read: aws_secret },
];

const fn is_base64_url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn run(bytes: impl Iterator<Item = u8>, max: usize) -> usize {
    bytes.take(max + 1).take_while(|byte| is_base64_url(*byte)).count()
}

/// `sk-`, a random part, the vendor's name in base64, a random part of the same length.
fn openai(text: &str, anchor: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let before = run(bytes[..anchor].iter().rev().copied(), SIDE_BYTES_MAX);
    let after = run(bytes[anchor..].iter().copied(), SIDE_BYTES_MAX);
    let span = Span::new(anchor - before, anchor + after);
    let token = &text[span.range()];
    let prefix = ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-"]
        .into_iter()
        .find(|prefix| token.starts_with(prefix))?;
    let masked = Span::new(span.start + prefix.len(), span.end);
    let (first, second) = text[masked.range()].split_once("T3BlbkFJ")?;
    let is_whole = first.len() >= 20 && first.len() == second.len();
    (is_whole && is_real(&text[masked.range()], &text[span.end..])).then_some(Secret {
        kind: "an OpenAI key",
        span,
        masked,
    })
}

/// The number of the bot, a colon, and 35 characters that begin with `AA`.
fn telegram(text: &str, colon: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let digits = bytes[..colon].iter().rev().take(11).take_while(|b| b.is_ascii_digit()).count();
    let body = run(bytes[colon + 1..].iter().copied(), 35);
    let span = Span::new(colon - digits, colon + 1 + body);
    let before = text[..span.start].bytes().next_back();
    // In URLs of the API, the number follows the word "bot".
    let starts_word = text[..span.start].ends_with("bot")
        || before.is_none_or(|byte| !byte.is_ascii_alphanumeric());
    let is_whole = (8..=10).contains(&digits) && body == 35 && starts_word;
    let token = &text[span.range()];
    (is_whole && !token.contains("12345") && is_real(&token[digits + 1..], &text[span.end..]))
        .then_some(Secret { kind: "a Telegram bot token", span, masked: span })
}

fn is_real(body: &str, rest: &str) -> bool {
    placeholder::is_random(body)
        && !placeholder::looks_made_up(body)
        && !placeholder::is_truncated(rest)
}

/// A header, claims and a signature (RFC 7519), unless the claims are those of an example.
fn web_token(text: &str, start: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    if start > 0 && (is_base64_url(bytes[start - 1]) || bytes[start - 1] == b'.') {
        return None;
    }
    let mut end = start;
    let mut parts = [""; 3];
    for (index, part) in parts.iter_mut().enumerate() {
        if index > 0 {
            end += usize::from(bytes.get(end) == Some(&b'.'));
        }
        let length = run(bytes[end..].iter().copied(), PART_BYTES_MAX);
        *part = &text[end..end + length];
        end += length;
    }
    let [header, claims, signature] = parts;
    let is_whole = claims.starts_with("eyJ")
        && signature.len() >= SIGNATURE_BYTES_MIN
        && encoding::decode_token_part(header).is_some_and(|header| header.contains("\"alg\""))
        && encoding::decode_token_part(claims)
            .is_some_and(|claims| !placeholder::are_example_claims(&claims));
    let (span, masked) = (Span::new(start, end), Span::new(start + "eyJ".len(), end));
    (is_whole && is_real(signature, &text[end..])).then_some(Secret {
        kind: "a JSON web token",
        span,
        masked,
    })
}

/// The secret part of an AWS access key, which is recognised by the name of its setting alone.
fn aws_secret(text: &str, name: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let length = |start: usize, is_part: fn(&u8) -> bool, max: usize| {
        bytes[start..].iter().take(max + 1).take_while(|byte| is_part(byte)).count()
    };
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let end = name + length(name, |byte| byte.is_ascii_alphabetic() || *byte == b'_', 20);
    let between = length(end, |byte| b" \t\"'`\\:=".contains(byte), AWS_SEPARATOR_BYTES_MAX);
    let start = end + between;
    let masked = Span::new(start, start + length(start, is_base64, AWS_SECRET_BYTES));
    let is_whole = between > 0
        && between <= AWS_SEPARATOR_BYTES_MAX
        && masked.end - masked.start == AWS_SECRET_BYTES;
    (is_whole && is_real(&text[masked.range()], &text[masked.end..])).then_some(Secret {
        kind: "an AWS secret key",
        span: masked,
        masked,
    })
}

/// A complete private key in PEM without a password.
fn private_key(text: &str, label: usize) -> Option<Secret> {
    const BEGIN: &str = "-----BEGIN ";
    const END: &[u8] = b"-----END ";
    let window_start = text.floor_char_boundary(label.saturating_sub(OPENING_BYTES_MAX));
    let start = window_start + text[window_start..label].rfind(BEGIN)?;
    let algorithm = &text[start + BEGIN.len()..label];
    let body_start = label + "PRIVATE KEY-----".len();
    let window_end = text.floor_char_boundary(body_start + PRIVATE_KEY_BYTES_MAX);
    let body_length = memchr::memmem::find(&text.as_bytes()[body_start..window_end], END)?;
    let masked = Span::new(body_start, body_start + body_length);
    let base64 = unquoted(&text[masked.range()]);
    let is_plain = !algorithm.contains("ENCRYPTED");
    (is_plain && encoding::is_complete_private_key(&base64)).then_some(Secret {
        kind: "a private key",
        span: Span::new(start, body_start),
        masked,
    })
}

/// Returns the base64 of a key without white space and without what each line begins with in a quote,
/// a comment or a diff. The body of a key begins with a letter, so what precedes it is the prefix of
/// the lines, of which a line may lack the end.
fn unquoted(body: &str) -> String {
    let body = body.replace("\\r", "").replace("\\n", "\n");
    let mut lines = body.lines().map(without_whitespace);
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let Some(first) = lines.find(|line| line.contains(is_letter)) else { return String::new() };
    let (prefix, start) = first.split_at(first.find(is_letter).unwrap_or_default());
    let rest = lines.map(|line| match line.strip_prefix(prefix) {
        Some(rest) => rest.to_owned(),
        None if prefix.starts_with(&line) => String::new(),
        None => line,
    });
    start.chars().chain(rest.collect::<String>().chars()).collect()
}

fn without_whitespace(line: &str) -> String {
    line.chars().filter(|c| !c.is_ascii_whitespace()).collect()
}
