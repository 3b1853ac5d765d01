//! Letters without their diacritics, and the Latin letter that a letter of another script looks
//! like: what a reader takes for a name is compared as that name.
//!
//! The list has the letters of Unicode's `confusables.txt` (UTS #39) that look like one or two
//! basic Latin letters in ordinary fonts. It ignores case: where only the uppercase letter looks
//! alike (Greek Nu), the lowercase one is compared as the same Latin letter, so that a Greek or
//! Cyrillic name is found in any case.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_canonical;

use dibber_text::Span;

/// Appends a character as it is compared. It has to be in normal form (NFKC).
pub(super) fn push_plain(c: char, plain: &mut String) {
    if c.is_ascii() {
        plain.push(c);
    } else if has_letters_with_diacritics(c) {
        decompose_canonical(c, |part| match lookalike(part) {
            _ if is_diacritic(part) => {}
            Some(latin) => plain.push_str(latin),
            None => plain.push(part),
        });
    } else if !is_diacritic(c) {
        plain.push(c);
    }
}

/// Returns the first word that has Latin letters and letters of another script that look like Latin
/// ones, as `Homework` may have.
pub fn lookalike_word(text: &str) -> Option<Span> {
    let words = text.split(|c: char| !c.is_alphabetic());
    let mut words = words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word));
    let is_latin = |c: char| c.is_ascii_alphabetic() || matches!(c, '\u{C0}'..='\u{24F}');
    let is_mixed = |word: &str| {
        let is_imitation = |c: char| !is_latin(c) && imitates_latin(c);
        word.contains(is_latin) && word.contains(is_imitation)
    };
    let (at, word) = words.find(|(_, word)| is_mixed(word))?;
    Some(Span::new(at, at + word.len()))
}

/// Returns `true` if a letter looks like a Latin one, or is one in another style (`𝐇`, `Ｈ`).
fn imitates_latin(c: char) -> bool {
    let normal = std::iter::once(c).nfkc();
    let mut plain = String::new();
    normal.for_each(|c| push_plain(c, &mut plain));
    !c.is_ascii() && plain.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Returns `true` if a letter is compared as it is.
pub(super) fn stays_plain(c: char) -> bool {
    let mut is_plain = !is_diacritic(c);
    if has_letters_with_diacritics(c) {
        decompose_canonical(c, |part| is_plain &= part == c && lookalike(part).is_none());
    }
    is_plain
}

/// Returns `true` for characters of blocks with letters that have diacritics or look like Latin.
const fn has_letters_with_diacritics(c: char) -> bool {
    matches!(c,
        '\u{C0}'..='\u{58F}' | '\u{13A0}'..='\u{13FF}' | '\u{1C80}'..='\u{1C8F}'
        | '\u{1D00}'..='\u{1DBF}' | '\u{1E00}'..='\u{1FFF}' | '\u{2C60}'..='\u{2C7F}'
        | '\u{A640}'..='\u{A69F}' | '\u{A720}'..='\u{A7FF}' | '\u{AB30}'..='\u{AB6F}')
}

/// Returns `true` if a mark only modifies its letter: an accent, a Hebrew or an Arabic vowel sign.
/// The vowel signs of other scripts are not left out of a word by those who write it.
const fn is_diacritic(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5BD}' | '\u{5BF}'
        | '\u{5C1}' | '\u{5C2}' | '\u{5C4}' | '\u{5C5}' | '\u{5C7}' | '\u{610}'..='\u{61A}'
        | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{6D6}'..='\u{6DC}' | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}

/// Returns the basic Latin letters that a letter looks like, in its case.
const fn lookalike(c: char) -> Option<&'static str> {
    match c {
        '\u{C0}'..='\u{2FF}'
        | '\u{1D00}'..='\u{1DBF}'
        | '\u{1E00}'..='\u{1EFF}'
        | '\u{2C60}'..='\u{2C7F}'
        | '\u{A720}'..='\u{A7FF}'
        | '\u{AB30}'..='\u{AB6F}' => latin(c),
        '\u{370}'..='\u{3FF}' => greek(c),
        '\u{400}'..='\u{52F}' => cyrillic(c),
        _ => armenian_or_cherokee(c),
    }
}

const fn latin(c: char) -> Option<&'static str> {
    Some(match c {
        'ɑ' | 'ᴀ' => "a",
        'Æ' => "AE",
        'æ' | 'ᴁ' => "ae",
        'ƀ' | 'ʙ' => "b",
        'Ɓ' => "B",
        'ƈ' | 'ᴄ' => "c",
        'Ƈ' => "C",
        'Đ' | 'Ð' | 'Ɖ' | 'Ɗ' => "D",
        'đ' | 'ð' | 'ɖ' | 'ɗ' | 'ᴅ' => "d",
        'Ɛ' => "E",
        'ɛ' | 'ᴇ' => "e",
        'Ƒ' => "F",
        'ƒ' | 'ꜰ' => "f",
        'Ɠ' => "G",
        'ɡ' | 'ɠ' | 'ɢ' => "g",
        'Ħ' => "H",
        'ħ' | 'ɦ' | 'ʜ' => "h",
        'Ɨ' => "I",
        'ı' | 'ɨ' | 'ɩ' | 'ɪ' => "i",
        'ȷ' | 'ɉ' | 'ᴊ' => "j",
        'Ƙ' => "K",
        'ƙ' | 'ᴋ' | 'ĸ' => "k",
        'Ł' | 'Ƚ' => "L",
        'ł' | 'ƚ' | 'ɫ' | 'ʟ' => "l",
        'ᴍ' | 'ɱ' => "m",
        'Ŋ' | 'Ɲ' => "N",
        'ŋ' | 'ɲ' | 'ɴ' => "n",
        'Ø' | 'Ɵ' => "O",
        'ø' | 'ɵ' | 'ᴏ' => "o",
        'Œ' => "OE",
        'œ' | 'ɶ' => "oe",
        'Ƥ' => "P",
        'ƥ' | 'ᴘ' => "p",
        'ɍ' | 'ʀ' => "r",
        'ꜱ' | 'ʂ' => "s",
        'ß' => "ss",
        'ẞ' => "SS",
        'Ŧ' | 'Ƭ' => "T",
        'ŧ' | 'ƭ' | 'ᴛ' => "t",
        'Þ' => "TH",
        'þ' => "th",
        'ᴜ' | 'ʋ' => "u",
        'ᴠ' => "v",
        'ᴡ' => "w",
        'Ƴ' => "Y",
        'ƴ' | 'ʏ' | 'ɣ' => "y",
        'Ƶ' => "Z",
        'ƶ' | 'ᴢ' | 'ʐ' => "z",
        _ => return None,
    })
}

const fn greek(c: char) -> Option<&'static str> {
    Some(match c {
        'Α' => "A",
        'α' => "a",
        'Β' => "B",
        'β' => "b",
        'Ϲ' => "C",
        'ϲ' => "c",
        'Ε' => "E",
        'ε' => "e",
        'Ϝ' => "F",
        'ϝ' => "f",
        'Η' => "H",
        'η' => "h",
        'Ι' => "I",
        'ι' => "i",
        'Ϳ' => "J",
        'ϳ' => "j",
        'Κ' => "K",
        'κ' => "k",
        'Μ' => "M",
        'μ' => "m",
        'Ν' => "N",
        'ν' => "n",
        'Ο' => "O",
        'ο' => "o",
        'Ρ' => "P",
        'ρ' => "p",
        'Τ' => "T",
        'τ' => "t",
        'Υ' => "Y",
        'υ' => "y",
        'Χ' => "X",
        'χ' => "x",
        'Ζ' => "Z",
        'ζ' => "z",
        _ => return None,
    })
}

const fn cyrillic(c: char) -> Option<&'static str> {
    Some(match c {
        'А' => "A",
        'а' => "a",
        'В' => "B",
        'в' => "b",
        'С' => "C",
        'с' => "c",
        'Ԁ' => "D",
        'ԁ' => "d",
        'Е' => "E",
        'е' => "e",
        'Ԍ' => "G",
        'ԍ' => "g",
        'Н' | 'Һ' => "H",
        'н' | 'һ' => "h",
        'І' => "I",
        'і' => "i",
        'Ј' => "J",
        'ј' => "j",
        'К' => "K",
        'к' => "k",
        'Ӏ' => "L",
        'ӏ' => "l",
        'М' => "M",
        'м' => "m",
        'О' => "O",
        'о' => "o",
        'Р' => "P",
        'р' => "p",
        'Ԛ' => "Q",
        'ԛ' => "q",
        'Ѕ' => "S",
        'ѕ' => "s",
        'Т' => "T",
        'т' => "t",
        'Ѵ' => "V",
        'ѵ' => "v",
        'Ԝ' => "W",
        'ԝ' => "w",
        'Х' => "X",
        'х' => "x",
        'У' | 'Ү' => "Y",
        'у' | 'ү' => "y",
        _ => return None,
    })
}

const fn armenian_or_cherokee(c: char) -> Option<&'static str> {
    Some(match c {
        'Օ' => "O",
        'օ' => "o",
        'Ս' => "U",
        'ս' => "u",
        'հ' => "h",
        'ո' => "n",
        'Ꭺ' => "A",
        'Ᏼ' => "B",
        'Ꮯ' => "C",
        'Ꭰ' => "D",
        'Ꭼ' => "E",
        'Ꮐ' => "G",
        'Ꮋ' => "H",
        'Ꭵ' => "I",
        'Ꭻ' => "J",
        'Ꮶ' => "K",
        'Ꮮ' => "L",
        'Ꮇ' => "M",
        'Ꮲ' => "P",
        'Ꭱ' => "R",
        'Ꮪ' => "S",
        'Ꭲ' => "T",
        'Ꮩ' => "V",
        'Ꮃ' => "W",
        'Ꮍ' => "Y",
        'Ꮓ' => "Z",
        _ => return None,
    })
}
