//! MIME types (RFC 9110, section 8.3.1): `type/subtype`, and parameters.

use std::fmt;
use std::str::FromStr;

/// The most bytes of a MIME type.
const BYTES_MAX: usize = 255;

/// The subtypes of `application` that are text.
const TEXT_SUBTYPES: [&str; 16] = [
    "ecmascript",
    "graphql",
    "javascript",
    "json",
    "json5",
    "jsonl",
    "ndjson",
    "sql",
    "toml",
    "x-ndjson",
    "x-python",
    "x-sh",
    "x-www-form-urlencoded",
    "x-yaml",
    "xml",
    "yaml",
];

/// The ends of subtypes that are text (RFC 6839, section 3, and RFC 9512).
const TEXT_SUFFIXES: [&str; 3] = ["+json", "+xml", "+yaml"];

/// The character sets that are written as UTF-8.
const UTF8_CHARSETS: [&str; 3] = ["utf-8", "utf8", "us-ascii"];

/// A MIME type, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mime {
    /// The string.
    pub written: String,
    /// Whether contents of this type that are UTF-8 are text.
    pub is_text: bool,
}

/// A string is not a MIME type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidMime;

impl fmt::Display for InvalidMime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a MIME type is a type and a subtype of at most {BYTES_MAX} bytes, as in `text/plain`"
        )
    }
}

impl std::error::Error for InvalidMime {}

impl FromStr for Mime {
    type Err = InvalidMime;

    fn from_str(typed: &str) -> Result<Self, InvalidMime> {
        if typed.len() > BYTES_MAX {
            return Err(InvalidMime);
        }
        let essence_end = typed.find(';').unwrap_or(typed.len());
        let (essence, mut rest) = typed.split_at(essence_end);
        let (kind, subtype) =
            essence.trim_end_matches([' ', '\t']).split_once('/').ok_or(InvalidMime)?;
        if !is_token(kind) || !is_token(subtype) {
            return Err(InvalidMime);
        }
        let mut is_utf8 = true;
        while let Some(after) = rest.strip_prefix(';') {
            let (name, value, next) = parameter(after).ok_or(InvalidMime)?;
            if name.eq_ignore_ascii_case("charset") {
                is_utf8 = UTF8_CHARSETS.iter().any(|known| value.eq_ignore_ascii_case(known));
            }
            rest = next;
        }
        if !rest.is_empty() {
            return Err(InvalidMime);
        }
        let is_text = is_utf8 && is_text(kind, subtype);
        Ok(Self { written: typed.to_owned(), is_text })
    }
}

/// Returns the name and the value of a parameter, and what follows it. There may be nothing between
/// two semicolons.
fn parameter(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.trim_start_matches([' ', '\t']);
    if text.is_empty() || text.starts_with(';') {
        return Some(("", "", text));
    }
    let (name, after) = text.split_once('=')?;
    let (value, rest) = if let Some(quoted) = after.strip_prefix('"') {
        let end = end_of_quoted(quoted)?;
        (&quoted[..end], &quoted[end + 1..])
    } else {
        let end = after.find([';', ' ', '\t']).unwrap_or(after.len());
        let (value, rest) = after.split_at(end);
        is_token(value).then_some((value, rest))?
    };
    is_token(name).then(|| (name, value, rest.trim_start_matches([' ', '\t'])))
}

/// Returns where the quotation mark is that ends a quoted string.
fn end_of_quoted(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if !(byte == b'\t' || byte == b' ' || byte.is_ascii_graphic()) => return None,
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some(at),
            _ => {}
        }
    }
    None
}

/// Returns `true` if a string is a token (RFC 9110, section 5.6.2).
fn is_token(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_allowed)
}

fn is_text(kind: &str, subtype: &str) -> bool {
    let subtype = subtype.to_ascii_lowercase();
    kind.eq_ignore_ascii_case("text")
        || TEXT_SUFFIXES.iter().any(|suffix| subtype.ends_with(suffix))
        || kind.eq_ignore_ascii_case("application") && TEXT_SUBTYPES.contains(&subtype.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_text_of(typed: &str) -> Option<bool> {
        typed.parse().ok().map(|mime: Mime| mime.is_text)
    }

    #[test]
    fn types_with_parameters_are_read() {
        for text in [
            "text/plain",
            "TEXT/CSV",
            "text/plain; charset=utf-8",
            "text/plain ;charset=\"UTF-8\"",
            "text/plain;charset=us-ascii;",
            "application/json",
            "application/vnd.api+json; ext=\"a; \\\"b\"",
            "image/svg+xml",
        ] {
            assert_eq!(is_text_of(text), Some(true), "{text}");
        }
        for binary in ["application/octet-stream", "image/png", "text/plain; charset=latin1"] {
            assert_eq!(is_text_of(binary), Some(false), "{binary}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let long = format!("text/{}", "a".repeat(251));
        for invalid in [
            "",
            "text",
            "/",
            "text/",
            "/plain",
            " text/plain",
            "text/pl ain",
            "text/plain; charset",
            "text/plain; charset=",
            "text/plain; charset=utf 8",
            "text/plain; a=\"b",
            "text/plain; a=\"\u{1b}\"",
            "text/plain\n",
            "text/plain\u{0}",
            "text/pläin",
            "text/plain; a=\"ä\"",
            "text/plain, text/html",
            &long,
        ] {
            assert_eq!(is_text_of(invalid), None, "{invalid:?}");
        }
        assert_eq!(is_text_of(&long[..255]), Some(true));
    }
}
