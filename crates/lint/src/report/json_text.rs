//! JSON as the machine formats write it: compact, in one pass, without raw invisible characters.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use dibber_text::{is_invisible, is_terminal_control};

/// Appends `value` as compact JSON. Terminal controls and invisible characters are written as
/// `\uXXXX`, so that they do no harm in a terminal and decode to the exact string.
///
/// # Panics
/// Never: keys are strings.
pub fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) {
    let mut serializer = Serializer::with_formatter(out, Visible);
    value
        .serialize(&mut serializer)
        .expect("keys are strings, and writing to a buffer cannot fail");
}

/// Appends an element of an array that is written element by element, each on its own line.
pub fn write_element<T: Serialize>(value: &T, position: Position, out: &mut Vec<u8>) {
    out.extend_from_slice(match position {
        Position::First => b"\n",
        Position::Later => b",\n",
    });
    write(value, out);
}

/// Appends `value` as indented JSON, for people and programs, with the escapes of [`write()`].
///
/// # Panics
/// Never: keys are strings.
pub fn write_pretty<T: Serialize>(value: &T, out: &mut Vec<u8>) {
    let pretty = serde_json::to_string_pretty(value).expect("keys are strings");
    // Outside of strings, the only such character in JSON is the line feed between its lines.
    let mut rest = pretty.as_str();
    while let Some(at) = rest.find(|c| c != '\n' && (is_terminal_control(c) || is_invisible(c))) {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let c = rest[at..].chars().next().expect("`find` has found it");
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
        }
        rest = &rest[at + c.len_utf8()..];
    }
    out.extend_from_slice(rest.as_bytes());
    out.push(b'\n');
}

/// The position of an element in its array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Position {
    /// The first element.
    #[default]
    First,
    /// Any other element.
    Later,
}

impl Position {
    /// Returns the position of the next element, and advances past it.
    #[must_use]
    pub fn advance(&mut self) -> Self {
        std::mem::replace(self, Self::Later)
    }
}

struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        let is_plain = |byte: u8| (0x20..0x7F).contains(&byte);
        if fragment.bytes().all(is_plain) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some(at) = rest.find(|c| is_terminal_control(c) || is_invisible(c)) {
            let (visible, hidden) = rest.split_at(at);
            writer.write_all(visible.as_bytes())?;
            let c = hidden.chars().next().expect("`find` has found it");
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &hidden[c.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}
