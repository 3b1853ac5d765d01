//! References to characters in HTML and Markdown: `&#90;`, `&#x5a;` and `&eacute;`.

/// The most bytes of a reference, from `&` to `;`. HTML permits any number of leading zeros.
const REFERENCE_BYTES_MAX: usize = 24;

/// Parses a reference at the beginning of a string. Returns the character, none for one that is
/// invisible, and the number of bytes.
pub(crate) fn parse(text: &str) -> Option<(Option<char>, usize)> {
    let limit = text.floor_char_boundary(REFERENCE_BYTES_MAX.min(text.len()));
    let rest = text[..limit].strip_prefix('&')?;
    let (decoded, length) = match rest.strip_prefix('#') {
        Some(number) => numeric(number).map(|(c, length)| (Some(c), 1 + length))?,
        None => named(rest)?,
    };
    let end = 1 + length;
    Some((decoded, end + usize::from(text.as_bytes().get(end) == Some(&b';'))))
}

/// Parses what is after `&#`: the character, and the number of bytes. Browsers do not need the
/// semicolon.
fn numeric(text: &str) -> Option<(char, usize)> {
    let (digits, radix, prefix) = match text.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 1),
        None => (text, 10, 0),
    };
    let length = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let code = u32::from_str_radix(&digits[..length], radix).ok()?;
    Some((char::from_u32(code)?, prefix + length))
}

/// Parses what is after `&` in a named reference: the character, and the number of bytes. Names
/// such as `eacute` show a letter with a diacritic, which is returned as the letter.
fn named(text: &str) -> Option<(Option<char>, usize)> {
    const DIACRITICS: [&str; 8] =
        ["acute", "grave", "circ", "uml", "tilde", "cedil", "ring", "caron"];
    let name = &text[..text.find(';')?];
    let decoded = match name {
        "shy" | "zwj" | "zwnj" | "ZeroWidthSpace" | "NoBreak" | "lrm" | "rlm" => None,
        "nbsp" => Some(' '),
        "NewLine" => Some('\n'),
        "amp" | "AMP" => Some('&'),
        "apos" => Some('\''),
        "bsol" => Some('\\'),
        "colon" => Some(':'),
        "dash" | "hyphen" => Some('-'),
        "lowbar" | "UnderBar" => Some('_'),
        "num" => Some('#'),
        "percnt" => Some('%'),
        "period" => Some('.'),
        "plus" => Some('+'),
        "semi" => Some(';'),
        "sol" => Some('/'),
        "aelig" => Some('æ'),
        "AElig" => Some('Æ'),
        "oelig" => Some('œ'),
        "OElig" => Some('Œ'),
        "oslash" => Some('ø'),
        "Oslash" => Some('Ø'),
        "szlig" => Some('ß'),
        "thorn" => Some('þ'),
        "THORN" => Some('Þ'),
        "eth" => Some('ð'),
        "ETH" => Some('Ð'),
        "lstrok" => Some('ł'),
        "Lstrok" => Some('Ł'),
        _ => {
            let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
            Some(DIACRITICS.contains(&&name[1..]).then_some(letter)?)
        }
    };
    Some((decoded, name.len()))
}
