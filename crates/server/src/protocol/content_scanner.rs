//! A call of `create_blob` that is larger than what is read into memory: its content is passed on while it
//! arrives, and everything else is kept.
//!
//! What is kept is the message with an empty content, which is then judged like any other. The parts of
//! the message may end anywhere, also within an escape.

/// The most bytes of a message beside its content (64 KiB).
const REST_BYTES_MAX: usize = 64 << 10;

/// The keys that lead to the content.
const PATH: [&[u8]; 2] = [b"params", b"content"];

/// Why a message is not passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScanError {
    /// There is too much beside a content.
    TooLarge,
    /// The content is not a string of JSON.
    NotAString,
}

/// Separates the content of a message from the rest.
#[derive(Debug, Default)]
pub(super) struct ContentScanner {
    rest: Vec<u8>,
    state: State,
    depth: usize,
    /// Of the outermost levels: whether it is an object.
    is_object: [bool; PATH.len()],
    /// Of the outermost levels: the last key.
    keys: [Vec<u8>; PATH.len()],
    /// Whether a value comes next, and not a key.
    is_value: bool,
    escape: Escape,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Outside,
    /// In a string that is kept; the next character is escaped or not.
    String { is_escaped: bool, is_key: bool },
    /// In the content.
    Content,
}

/// An escape in the content, as far as it has arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Escape {
    #[default]
    None,
    /// A backslash.
    Begun,
    /// Digits of a UTF-16 code unit, and the first half of a pair, if there is one.
    Digits { value: u32, count: u8, high: Option<u32> },
    /// The first half of a pair, after which an escape must come.
    High(u32),
    /// The same, and a backslash.
    HighBegun(u32),
}

impl ContentScanner {
    /// Reads a part of a message, and adds what it has of the content to `content`.
    pub(super) fn add(&mut self, part: &[u8], content: &mut Vec<u8>) -> Result<(), ScanError> {
        let mut rest = part;
        while let Some((&byte, after)) = rest.split_first() {
            if self.state == State::Content && self.escape == Escape::None {
                let is_plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | 0..=0x1F);
                let plain = rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
                if plain > 0 {
                    content.extend_from_slice(&rest[..plain]);
                    rest = &rest[plain..];
                    continue;
                }
            }
            match self.state {
                State::Content => self.in_content(byte, content)?,
                State::String { is_escaped, is_key } => self.in_string(byte, is_escaped, is_key)?,
                State::Outside => self.outside(byte)?,
            }
            rest = after;
        }
        Ok(())
    }

    /// Returns the message without its content; it is judged by whether it is JSON.
    pub(super) fn finish(self) -> Vec<u8> {
        self.rest
    }

    fn keep(&mut self, byte: u8) -> Result<(), ScanError> {
        if self.rest.len() >= REST_BYTES_MAX {
            return Err(ScanError::TooLarge);
        }
        self.rest.push(byte);
        Ok(())
    }

    fn outside(&mut self, byte: u8) -> Result<(), ScanError> {
        match byte {
            b'{' | b'[' => {
                if let Some(is_object) = self.is_object.get_mut(self.depth) {
                    *is_object = byte == b'{';
                    self.keys[self.depth].clear();
                }
                self.depth += 1;
                self.is_value = byte == b'[';
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                self.is_value = true;
            }
            b',' => self.is_value = false,
            b':' => self.is_value = true,
            b'"' if self.is_content() => self.state = State::Content,
            b'"' => {
                let is_key = !self.is_value && (1..=PATH.len()).contains(&self.depth);
                if is_key {
                    self.keys[self.depth - 1].clear();
                }
                self.state = State::String { is_escaped: false, is_key };
            }
            _ => {}
        }
        self.keep(byte)
    }

    /// Returns `true` if a string that begins now is the content.
    fn is_content(&self) -> bool {
        self.is_value
            && self.depth == PATH.len()
            && self.is_object == [true; PATH.len()]
            && self.keys.iter().zip(PATH).all(|(key, wanted)| key == wanted)
    }

    fn in_string(&mut self, byte: u8, is_escaped: bool, is_key: bool) -> Result<(), ScanError> {
        if byte == b'"' && !is_escaped {
            self.state = State::Outside;
        } else {
            if is_key {
                // The rest is limited, and so is the key in it.
                self.keys[self.depth - 1].push(byte);
            }
            let is_escaped = byte == b'\\' && !is_escaped;
            self.state = State::String { is_escaped, is_key };
        }
        self.keep(byte)
    }

    fn in_content(&mut self, byte: u8, content: &mut Vec<u8>) -> Result<(), ScanError> {
        self.escape = match self.escape {
            Escape::None => match byte {
                b'"' => {
                    self.state = State::Outside;
                    return self.keep(byte);
                }
                b'\\' => Escape::Begun,
                // A control character; others do not get here.
                _ => return Err(ScanError::NotAString),
            },
            Escape::Begun if byte == b'u' => Escape::Digits { value: 0, count: 0, high: None },
            Escape::Begun => {
                content.push(escaped(byte).ok_or(ScanError::NotAString)?);
                Escape::None
            }
            Escape::High(high) if byte == b'\\' => Escape::HighBegun(high),
            Escape::HighBegun(high) if byte == b'u' => {
                Escape::Digits { value: 0, count: 0, high: Some(high) }
            }
            Escape::High(_) | Escape::HighBegun(_) => return Err(ScanError::NotAString),
            Escape::Digits { value, count, high } => {
                let digit = char::from(byte).to_digit(16).ok_or(ScanError::NotAString)?;
                let value = value << 4 | digit;
                if count < 3 {
                    Escape::Digits { value, count: count + 1, high }
                } else {
                    code_unit(value, high, content)?
                }
            }
        };
        Ok(())
    }
}

/// Adds the character of a UTF-16 code unit, unless it is the first half of one.
fn code_unit(unit: u32, high: Option<u32>, content: &mut Vec<u8>) -> Result<Escape, ScanError> {
    let character = match (unit, high) {
        (0xD800..=0xDBFF, None) => return Ok(Escape::High(unit)),
        (0xDC00..=0xDFFF, Some(high)) => 0x10000 + ((high - 0xD800) << 10 | (unit - 0xDC00)),
        (_, Some(_)) => return Err(ScanError::NotAString),
        (unit, None) => unit,
    };
    let character = char::from_u32(character).ok_or(ScanError::NotAString)?;
    content.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    Ok(Escape::None)
}

const fn escaped(byte: u8) -> Option<u8> {
    Some(match byte {
        b'"' | b'\\' | b'/' => byte,
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    /// The rest and the content of a message that arrives in parts of a length.
    fn scanned(message: &str, length: usize) -> Result<(Value, String), ScanError> {
        let (mut scanner, mut content) = (ContentScanner::default(), Vec::new());
        for part in message.as_bytes().chunks(length) {
            scanner.add(part, &mut content)?;
        }
        let rest = serde_json::from_slice(&scanner.finish()).expect("JSON");
        Ok((rest, String::from_utf8(content).expect("UTF-8")))
    }

    #[test]
    fn only_the_content_of_the_parameters_is_taken() {
        let message = json!({
            "content": "a", "x": {"params": {"content": "b"}}, "y": [{"content": "c"}],
            "params": {"kind": "content", "content": "d", "z": {"content": "e"}, "l": ["content", "f"]},
            "params2": {"content": "g"},
        });
        let mut rest = message.clone();
        rest["params"]["content"] = json!("");
        assert_eq!(scanned(&message.to_string(), 3), Ok((rest, "d".to_owned())));
        for other in [
            json!([{"params": {"content": "a"}}]),
            json!({"params": ["content", "a"]}),
            json!("params"),
        ] {
            assert_eq!(scanned(&other.to_string(), 2), Ok((other, String::new())));
        }
    }

    #[test]
    fn what_is_no_string_is_refused() {
        for content in [
            "\n",
            "\\x",
            "\\u12g4",
            "\\ud800",
            "\\ud800x",
            "\\ud800\\n",
            "\\ud800\\ud800",
            "\\udc00",
        ] {
            let message = format!(r#"{{"params":{{"content":"{content}"}}}}"#);
            assert_eq!(scanned(&message, 1), Err(ScanError::NotAString), "{content}");
        }
        let large = json!({"params": {"code": "x".repeat(REST_BYTES_MAX)}}).to_string();
        assert_eq!(scanned(&large, 1000), Err(ScanError::TooLarge));
    }

    proptest! {
        /// However it is written and cut, the content is the one that a parser reads.
        #[test]
        fn the_content_is_that_of_a_parser(
            text in any::<String>(), before in any::<String>(), ascii in any::<bool>(), length in 1_usize..9,
        ) {
            let mut written = json!(text).to_string();
            if ascii {
                let escape = |c: char| c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
                written = written
                    .chars()
                    .map(|c| if c.is_ascii() { c.to_string() } else { escape(c) })
                    .collect();
            }
            let before = json!(before);
            let message = format!(r#" {{"a":{before},"params": {{"kind":{before},"content" :{written} ,"b":{before}}}}}"#);
            let (rest, content) = scanned(&message, length).expect("a string");
            prop_assert_eq!(content, text);
            prop_assert_eq!(rest, json!({"a": before, "params": {"kind": before, "content": "", "b": before}}));
        }
    }
}
