//! The probable encoding of a file that is not UTF-8.

use std::str::Utf8Error;

use super::message::Message;
use super::quote::quote;
use crate::message;

/// The first place at which a file is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotUtf8 {
    /// Its offset.
    pub at: usize,
    /// The byte there.
    pub byte: u8,
    /// The probable encoding of the whole file.
    pub encoding: Encoding,
}

/// The probable encoding of a file that is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-16 with the byte-order mark `FF FE`.
    Utf16LittleEndian,
    /// UTF-16 with the byte-order mark `FE FF`.
    Utf16BigEndian,
    /// Windows-1252, of which Latin-1 is the part above `9F`: single bytes between ASCII.
    Windows1252,
    /// UTF-8 whose last character is incomplete.
    CutOff,
    /// Another one.
    Unknown,
}

impl NotUtf8 {
    /// Guesses the encoding from all bytes of a file, which `error` is about.
    pub(super) fn new(bytes: &[u8], error: Utf8Error) -> Self {
        let at = error.valid_up_to();
        let encoding = match bytes {
            [0xFF, 0xFE, ..] => Encoding::Utf16LittleEndian,
            [0xFE, 0xFF, ..] => Encoding::Utf16BigEndian,
            _ if error.error_len().is_none() => Encoding::CutOff,
            _ if has_only_single_bytes(bytes) => Encoding::Windows1252,
            _ => Encoding::Unknown,
        };
        Self { at, byte: bytes[at], encoding }
    }

    /// Returns what is wrong, as a sentence fragment.
    pub fn describe(self) -> Message {
        match (self.encoding, windows_1252(self.byte)) {
            (Encoding::Utf16LittleEndian | Encoding::Utf16BigEndian, _) => {
                "the file is UTF-16, not UTF-8".into()
            }
            (Encoding::Windows1252, Some(c)) => {
                message!["the file is not UTF-8: it seems to be Windows-1252, with `", c, "` here"]
            }
            (Encoding::CutOff, _) => "the file is not UTF-8: its last character is cut off".into(),
            _ => {
                let byte = format!("{:02X}", self.byte);
                let byte = quote(&byte);
                message!["the file is not UTF-8: the byte ", byte, " is not part of a character"]
            }
        }
    }

    /// Returns what to do about it.
    pub const fn help(self) -> &'static str {
        match self.encoding {
            Encoding::Utf16LittleEndian => {
                "save the file as UTF-8, or run `iconv -f UTF-16 -t UTF-8`; Notepad and the `>` of \
                 older PowerShells write UTF-16"
            }
            Encoding::Utf16BigEndian => "save the file as UTF-8, or run `iconv -f UTF-16 -t UTF-8`",
            Encoding::Windows1252 => {
                "save the file as UTF-8, or run `iconv -f WINDOWS-1252 -t UTF-8` over it"
            }
            Encoding::CutOff => "check whether the end of the file is missing",
            Encoding::Unknown => "open the file in its own encoding and save it as UTF-8",
        }
    }
}

/// Returns `true` if each byte above ASCII is between ASCII bytes, as accented letters are in
/// Western languages. Two of them in a row would rather be a character of several bytes.
fn has_only_single_bytes(bytes: &[u8]) -> bool {
    let is_defined = bytes.iter().all(|&byte| byte.is_ascii() || windows_1252(byte).is_some());
    is_defined && bytes.windows(2).all(|pair| pair[0].is_ascii() || pair[1].is_ascii())
}

/// Returns the character of a byte above ASCII in Windows-1252.
pub const fn windows_1252(byte: u8) -> Option<char> {
    const TABLE: [char; 32] = [
        '\u{20AC}', '\0', '\u{201A}', '\u{0192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}',
        '\u{02C6}', '\u{2030}', '\u{0160}', '\u{2039}', '\u{0152}', '\0', '\u{017D}', '\0', '\0',
        '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}',
        '\u{02DC}', '\u{2122}', '\u{0161}', '\u{203A}', '\u{0153}', '\0', '\u{017E}', '\u{0178}',
    ];
    match byte {
        0x80..=0x9F => match TABLE[byte as usize - 0x80] {
            '\0' => None,
            c => Some(c),
        },
        0xA0..=0xFF => Some(byte as char),
        _ => None,
    }
}
