//! The outermost keys of a JSON object that is too long to be held, or that is not valid.

use serde_json::{Deserializer, Value};

/// The most bytes that are kept of an object (64 KiB). The keys after those are not found.
const KEPT_BYTES_MAX: usize = 64 << 10;
/// The most bytes that are kept of a string: longer than every key and id that is looked for.
const STRING_BYTES_MAX: usize = 256;

/// What is outermost in an object that is read in parts: without the values inside its values, and with
/// the beginnings of long strings.
#[derive(Debug, Default)]
pub(super) struct Outermost {
    kept: Vec<u8>,
    depth: usize,
    /// The bytes of the string that is being read.
    string: Option<usize>,
    is_escaped: bool,
}

impl Outermost {
    /// Reads the next part.
    pub(super) fn read(&mut self, part: &[u8]) {
        for &byte in part {
            let is_kept = match self.string {
                Some(bytes) => self.read_in_string(byte, bytes),
                None => self.read_between_strings(byte),
            };
            if is_kept && self.depth <= 1 && self.kept.len() < KEPT_BYTES_MAX {
                self.kept.push(byte);
            }
        }
    }

    /// Returns `true` if the byte is kept: the quote at the end always is.
    fn read_in_string(&mut self, byte: u8, bytes: usize) -> bool {
        let is_end = byte == b'"' && !self.is_escaped;
        // Half of an escape would hide the quote.
        let ends_escape = self.is_escaped && bytes == STRING_BYTES_MAX;
        let is_kept = is_end || ends_escape || bytes < STRING_BYTES_MAX;
        self.is_escaped = byte == b'\\' && !self.is_escaped;
        self.string = (!is_end).then_some(bytes + 1);
        is_kept
    }

    const fn read_between_strings(&mut self, byte: u8) -> bool {
        match byte {
            b'"' => self.string = Some(0),
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        true
    }

    /// Returns the id of the request that the object answers. None if it is a request or a notification.
    pub(super) fn answered_id(&self) -> Option<Value> {
        let (kept, mut at, mut id, mut is_answer) = (&self.kept, 0, None, false);
        while let Some(byte) = kept.get(at) {
            if *byte != b'"' {
                at += 1;
                continue;
            }
            // The rest of a line that was cut off has no more keys.
            let Some(string) = string_at(kept, at) else { break };
            at += string.len();
            let Some(value) = kept[at..].trim_ascii_start().strip_prefix(b":") else { continue };
            match string {
                br#""method""# => return None,
                br#""result""# | br#""error""# => is_answer = true,
                br#""id""# => id = first_value(value),
                _ => {}
            }
        }
        id.filter(|id| is_answer && (id.is_number() || id.is_string()))
    }
}

/// Returns the string that begins here, with its quotes.
fn string_at(line: &[u8], start: usize) -> Option<&[u8]> {
    let mut end = start + 1;
    loop {
        match line.get(end)? {
            b'"' => return line.get(start..=end),
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
}

fn first_value(json: &[u8]) -> Option<Value> {
    Deserializer::from_slice(json).into_iter().next()?.ok()
}
