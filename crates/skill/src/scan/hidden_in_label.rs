//! Characters of a label that are not visible.
//!
//! Two labels that look the same are different skills to a server, so one such character is enough;
//! in prose, where pasted text often has one, [`hidden_characters`] reports only what can carry a
//! message. Legitimate uses are not reported here either: emoji, flags, joiners and selectors of
//! scripts that need them, and direction marks in right-to-left text.

use dibber_text::{Span, is_invisible, is_variation_selector};

use super::hidden_characters::{self, Escapes, HiddenKind, HiddenRun, is_right_to_left, is_tag};

/// A pattern without dots, which is shown as a space but is not whitespace.
const BRAILLE_BLANK: char = '\u{2800}';
const TEXT_SELECTOR: char = '\u{FE0E}';
const EMOJI_SELECTOR: char = '\u{FE0F}';
const ENCLOSING_KEYCAP: char = '\u{20E3}';
const NON_JOINER: char = '\u{200C}';
const JOINER: char = '\u{200D}';

/// Returns the hidden characters of a label in order.
pub fn find(label: &str) -> Vec<HiddenRun> {
    let mut found = hidden_characters::find(label, Escapes::All);
    if label.is_ascii() {
        return found;
    }
    let known = found.len();
    let is_right_to_left = label.chars().any(is_right_to_left);
    let mut previous = None;
    for (start, c) in label.char_indices() {
        let end = start + c.len_utf8();
        let next = label[end..].chars().next();
        let is_new = |known: &[HiddenRun]| !known.iter().any(|run| run.span.contains(start));
        if is_hidden(c)
            && !is_legitimate(previous, c, next, is_right_to_left)
            && is_new(&found[..known])
        {
            match found[known..].last_mut() {
                Some(last) if last.span.end == start => last.span.end = end,
                _ => {
                    let span = Span::new(start, end);
                    found.push(HiddenRun { span, kind: HiddenKind::InLabel });
                }
            }
        }
        previous = Some(c);
    }
    found.sort_by_key(|hidden| hidden.span);
    found
}

/// Returns `true` for what is not visible, except for tags: those that are not part of a flag are
/// reported in any text.
fn is_hidden(c: char) -> bool {
    (is_invisible(c) && !is_tag(c)) || is_selector(c) || c == BRAILLE_BLANK
}

const fn is_selector(c: char) -> bool {
    is_variation_selector(c) || matches!(c, '\u{E0100}'..='\u{E01EF}')
}

/// Returns `true` if a character that is not visible itself belongs to its neighbors.
fn is_legitimate(before: Option<char>, c: char, after: Option<char>, is_rtl: bool) -> bool {
    let is_emoji_before = before.is_some_and(|c| is_emoji(c) || c == EMOJI_SELECTOR);
    match c {
        JOINER if is_emoji_before => after.is_some_and(is_emoji),
        JOINER | NON_JOINER => before.is_some_and(is_joining) && after.is_some_and(is_joining),
        '\u{200E}' | '\u{200F}' | '\u{61C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            is_rtl
        }
        TEXT_SELECTOR | EMOJI_SELECTOR => match before {
            Some('0'..='9' | '#' | '*') => after == Some(ENCLOSING_KEYCAP),
            before => before.is_some_and(is_emoji),
        },
        '\u{180B}'..='\u{180F}' => before.is_some_and(|c| matches!(c, '\u{1820}'..='\u{18AA}')),
        c if is_selector(c) => before.is_some_and(is_ideograph),
        _ => false,
    }
}

/// Returns `true` for characters of the blocks that contain emoji.
const fn is_emoji(c: char) -> bool {
    matches!(c, '©' | '®' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{24C2}'
        | '\u{25A0}'..='\u{27BF}' | '\u{2934}' | '\u{2935}' | '\u{2B00}'..='\u{2BFF}'
        | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Returns `true` for the scripts whose letters change their form where they are joined: from Arabic
/// to Tibetan and Myanmar, Khmer and Mongolian.
const fn is_joining(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{109F}' | '\u{1780}'..='\u{18AF}' | '\u{FB50}'..='\u{FDFF}'
        | '\u{11000}'..='\u{11FFF}')
}

const fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_invisible_character_in_a_label_is_found() {
        for c in ['\u{200B}', '\u{2800}', '\u{3164}', '\u{AD}', '\u{2060}', '\u{FE0F}', '\u{FEFF}']
            .into_iter()
            .chain(['\u{200D}', '\u{200C}', '\u{200F}', '\u{E0100}', '\u{34F}', '\u{180B}'])
        {
            let label = format!("Home{c}work");
            let spans: Vec<Span> = find(&label).iter().map(|hidden| hidden.span).collect();
            assert_eq!(spans, [Span::new(4, 4 + c.len_utf8())], "{label:?}");
        }
        for (label, runs) in [
            ("\u{FEFF}Homework\u{200B}", 2),
            ("1\u{FE0F}23", 1),
            ("🌿\u{200D}ferns", 1),
            ("a\u{E0041}\u{200B}b", 1),
            ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}\u{AD}", 1),
        ] {
            assert_eq!(find(label).len(), runs, "{label:?}");
        }
    }

    #[test]
    fn emoji_and_scripts_are_not_found() {
        for label in [
            "Übung 🎈 ❤\u{FE0F}\u{200D}🔥 1\u{FE0F}\u{20E3} 👩🏽\u{200D}💻 👁\u{FE0F}\u{200D}🗨\u{FE0F}",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "می\u{200C}خواهم क्\u{200D}ष",
            "שלום \u{200F}(x)\u{200E} \u{2067}ab\u{2069}",
            "葛\u{E0100} 🕐\u{FE0E}",
        ] {
            assert_eq!(find(label), [], "{label:?}");
        }
    }
}
