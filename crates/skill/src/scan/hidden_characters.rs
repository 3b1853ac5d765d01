//! Characters that are invisible to a person but read by a model, or that change the visible order.
//!
//! Legitimate uses are not among them: joiners and selectors in emoji, flags, joiners between
//! letters, and the direction marks of right-to-left text.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::word_finder::{Case, finder};
use dibber_text::{Span, line_around};

/// A run of such characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenRun {
    /// Its span.
    pub span: Span,
    /// Its kind.
    pub kind: HiddenKind,
}

/// The kind of a [`HiddenRun`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HiddenKind {
    /// Tag characters, each of which encodes an ASCII character.
    Tags,
    /// Characters that change the reading direction.
    Bidirectional,
    /// Three or more zero-width characters.
    ZeroWidth,
    /// Two or more variation selectors, each of which can encode a byte.
    Selectors,
    /// Annotation marks, invisible operators, and deprecated format characters.
    Format,
    /// An escape sequence, which a terminal executes.
    Escape,
    /// A character of a label that is not visible.
    InLabel,
}

/// Which escape sequences are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// Every ESC.
    All,
    /// Every sequence that does more than set colors, which are common in scripts and recorded output.
    ExceptColors,
}

/// The minimum number of zero-width characters in a run.
const ZERO_WIDTH_MIN: usize = 3;
/// The minimum number of variation selectors in a run.
const SELECTORS_MIN: usize = 2;
/// The maximum length of an escape sequence in bytes.
const ESCAPE_BYTES_MAX: usize = 256;
/// The base character of flags whose region is spelled with tag characters.
const BLACK_FLAG: char = '\u{1F3F4}';
const CANCEL_TAG: char = '\u{E007F}';
/// The maximum number of tag characters in a flag, including the cancel tag.
const FLAG_TAGS_MAX: usize = 7;

/// An automaton of the first bytes of hidden characters: whole characters, or the common prefix of
/// a block.
static STARTS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let blocks = ['\u{600}'..='\u{6FF}', '\u{2000}'..='\u{206F}', '\u{FE00}'..='\u{FFFF}'];
    let mut starts: Vec<Vec<u8>> = blocks
        .into_iter()
        .flatten()
        .filter(|c| is_hidden(*c))
        .map(|c| c.to_string().into_bytes())
        .collect();
    // Blocks of 64 characters: the tags, and the supplement of variation selectors.
    starts.extend([0x80, 0x81, 0x84, 0x85, 0x86, 0x87].map(|block| vec![0xF3, 0xA0, block]));
    finder(starts, Case::Sensitive)
});

/// Returns the hidden characters in order.
pub fn find(text: &str, escapes: Escapes) -> Vec<HiddenRun> {
    let mut found = Vec::new();
    if !text.is_ascii() {
        find_runs(text, &mut found);
    }
    if memchr::memchr(0x1B, text.as_bytes()).is_some() {
        find_escapes(text, escapes, &mut found);
        found.sort_by_key(|hidden| hidden.span);
    }
    found
}

const fn is_hidden(c: char) -> bool {
    is_tag(c) || is_bidirectional(c) || is_zero_width(c) || is_selector(c) || is_format(c)
}

pub(super) const fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0000}'..='\u{E007F}')
}

const fn is_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

const fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

const fn is_override(c: char) -> bool {
    matches!(c, '\u{202D}' | '\u{202E}')
}

const fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
}

const fn is_format(c: char) -> bool {
    matches!(c, '\u{2061}'..='\u{2064}' | '\u{206A}'..='\u{206F}' | '\u{FFF9}'..='\u{FFFB}')
}

fn find_runs(text: &str, found: &mut Vec<HiddenRun>) {
    // A byte-order mark at the start is reported by `byte-order-mark`.
    let mut end = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut line: Option<RunLine> = None;
    for hit in STARTS.find_iter(text) {
        let mut start = hit.start();
        if start < end {
            continue;
        }
        let run = text[start..].chars().take_while(|c| is_hidden(*c));
        end = start + run.map(char::len_utf8).sum::<usize>();
        start += flag_length(text, start, end);
        let span = Span::new(start, end);
        let is_same = |line: &RunLine| end <= line.span.end;
        let here = line.filter(is_same).unwrap_or_else(|| RunLine::around(text, start));
        line = Some(here);
        found.extend(kind_of(&text[span.range()], here).map(|kind| HiddenRun { span, kind }));
    }
}

/// The line that contains a run.
#[derive(Clone, Copy)]
struct RunLine {
    span: Span,
    is_right_to_left: bool,
}

impl RunLine {
    fn around(text: &str, at: usize) -> Self {
        let span = line_around(text, at);
        let is_right_to_left = text[span.range()].chars().any(is_right_to_left);
        Self { span, is_right_to_left }
    }
}

/// Returns `true` if `c` is in a block of right-to-left scripts.
pub(super) const fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{61B}' | '\u{61D}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFE}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// Returns the length in bytes of the tags that form a flag with the black flag before them.
fn flag_length(text: &str, start: usize, end: usize) -> usize {
    if !text[..start].ends_with(BLACK_FLAG) {
        return 0;
    }
    let tags = &text[start..end];
    let Some(last) = tags.find(CANCEL_TAG) else { return 0 };
    let is_country = |c| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}');
    let is_flag = tags[..last].chars().all(is_country) && last < FLAG_TAGS_MAX * 4;
    if is_flag { last + CANCEL_TAG.len_utf8() } else { 0 }
}

fn kind_of(run: &str, line: RunLine) -> Option<HiddenKind> {
    let count = |accept: fn(char) -> bool| run.chars().filter(|c| accept(*c)).count();
    // A doubled selector carries no information; pasted emoji have it.
    let is_doubled = run == "\u{FE0F}\u{FE0F}";
    // From the most to the least harmful, because a run has one kind.
    if count(is_tag) > 0 {
        Some(HiddenKind::Tags)
    } else if count(is_override) > 0 || (count(is_bidirectional) > 0 && !line.is_right_to_left) {
        Some(HiddenKind::Bidirectional)
    } else if count(is_format) > 0 {
        Some(HiddenKind::Format)
    } else if count(is_selector) >= SELECTORS_MIN && !is_doubled {
        Some(HiddenKind::Selectors)
    } else if count(is_zero_width) >= ZERO_WIDTH_MIN {
        Some(HiddenKind::ZeroWidth)
    } else {
        None
    }
}

/// Finds ESC characters, each with its sequence; adjacent sequences are one.
fn find_escapes(text: &str, escapes: Escapes, found: &mut Vec<HiddenRun>) {
    let mut last: Option<Span> = None;
    for start in memchr::memchr_iter(0x1B, text.as_bytes()) {
        if last.is_some_and(|last| start < last.end) {
            continue;
        }
        let sequence = escape_sequence(text, start);
        if escapes == Escapes::ExceptColors && !does_more_than_color(&text[sequence.range()]) {
            continue;
        }
        match (last, found.last_mut()) {
            (Some(last), Some(hidden)) if last.end == start => hidden.span.end = sequence.end,
            _ => found.push(HiddenRun { span: sequence, kind: HiddenKind::Escape }),
        }
        last = Some(sequence);
    }
}

/// Returns the sequence that begins with the ESC at `start` (ECMA-48): a control sequence, a
/// control string, or the ESC alone.
fn escape_sequence(text: &str, start: usize) -> Span {
    let rest = &text.as_bytes()[start..];
    let rest = &rest[..rest.len().min(ESCAPE_BYTES_MAX)];
    let length = match rest.get(1) {
        Some(b'[') => {
            let parameters = rest[2..].iter().take_while(|b| (0x20..0x40).contains(*b)).count();
            let has_final = rest.get(2 + parameters).is_some_and(|b| (0x40..0x7F).contains(b));
            if has_final { 3 + parameters } else { 1 }
        }
        Some(b']' | b'P' | b'X' | b'^' | b'_') => rest[2..]
            .iter()
            .position(|b| matches!(b, 0x07 | 0x1B | b'\n' | b'\r'))
            .filter(|end| matches!(rest[2 + end], 0x07 | 0x1B))
            .map_or(1, |end| {
                let is_long = rest[2 + end] == 0x1B && rest.get(3 + end) == Some(&b'\\');
                3 + end + usize::from(is_long)
            }),
        _ => 1,
    };
    Span::new(start, start + length)
}

/// Returns `true` if a sequence does more than set colors; concealing text is more.
fn does_more_than_color(sequence: &str) -> bool {
    const CONCEAL: &str = "8";
    match sequence.strip_prefix("\u{1B}[").and_then(|rest| rest.strip_suffix('m')) {
        Some(parameters) => parameters.split(';').any(|parameter| parameter == CONCEAL),
        // An ESC without a sequence is usually a damaged character, such as an arrow.
        None => sequence.len() > 1,
    }
}

/// Returns the name of a character in Unicode.
pub const fn name(c: char) -> &'static str {
    match c {
        '\u{1B}' => "ESCAPE",
        '\u{61C}' => "ARABIC LETTER MARK",
        '\u{200B}' => "ZERO WIDTH SPACE",
        '\u{200C}' => "ZERO WIDTH NON-JOINER",
        '\u{200D}' => "ZERO WIDTH JOINER",
        '\u{200E}' => "LEFT-TO-RIGHT MARK",
        '\u{200F}' => "RIGHT-TO-LEFT MARK",
        '\u{202A}' => "LEFT-TO-RIGHT EMBEDDING",
        '\u{202B}' => "RIGHT-TO-LEFT EMBEDDING",
        '\u{202C}' => "POP DIRECTIONAL FORMATTING",
        '\u{202D}' => "LEFT-TO-RIGHT OVERRIDE",
        '\u{202E}' => "RIGHT-TO-LEFT OVERRIDE",
        '\u{2060}' => "WORD JOINER",
        '\u{2061}' => "FUNCTION APPLICATION",
        '\u{2062}' => "INVISIBLE TIMES",
        '\u{2063}' => "INVISIBLE SEPARATOR",
        '\u{2064}' => "INVISIBLE PLUS",
        '\u{2066}' => "LEFT-TO-RIGHT ISOLATE",
        '\u{2067}' => "RIGHT-TO-LEFT ISOLATE",
        '\u{2068}' => "FIRST STRONG ISOLATE",
        '\u{2069}' => "POP DIRECTIONAL ISOLATE",
        '\u{206A}'..='\u{206F}' => "DEPRECATED FORMAT CHARACTER",
        '\u{FEFF}' => "ZERO WIDTH NO-BREAK SPACE",
        '\u{FFF9}'..='\u{FFFB}' => "INTERLINEAR ANNOTATION MARK",
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => "VARIATION SELECTOR",
        '\u{AD}' => "SOFT HYPHEN",
        '\u{34F}' => "COMBINING GRAPHEME JOINER",
        '\u{2800}' => "BRAILLE PATTERN BLANK",
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' => "HANGUL FILLER",
        c if is_tag(c) => "TAG CHARACTER",
        _ => "INVISIBLE CHARACTER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<HiddenKind> {
        find(text, Escapes::All).iter().map(|hidden| hidden.kind).collect()
    }

    #[test]
    fn legitimate_text_is_not_reported() {
        for text in [
            "\u{FEFF}plain",
            "❤\u{FE0F}\u{200D}🔥 1\u{FE0F}\u{20E3} 👩🏽\u{200D}💻 👁\u{FE0F}\u{200D}🗨\u{FE0F}",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "می\u{200C}خواهم क्\u{200D}ष",
            "שלום \u{200F}(x)\u{200E} \u{2067}ab\u{2069}",
            "葛\u{E0100}",
        ] {
            assert_eq!(kinds(text), [], "{text:?}");
        }
    }

    #[test]
    fn each_kind_is_found() {
        for (text, kind) in [
            ("a\u{E0041}b", HiddenKind::Tags),
            ("🏴\u{E0067}\u{E007F}\u{E0041}", HiddenKind::Tags),
            ("a\u{202E}b", HiddenKind::Bidirectional),
            ("שלום\u{202E}", HiddenKind::Bidirectional),
            ("a\u{200B}\u{200C}\u{FEFF}b", HiddenKind::ZeroWidth),
            ("😀\u{FE00}\u{E0101}", HiddenKind::Selectors),
            ("a\u{2062}b", HiddenKind::Format),
            ("a\u{1B}[31mb", HiddenKind::Escape),
        ] {
            assert_eq!(kinds(text), [kind], "{text:?}");
        }
    }

    #[test]
    fn escape_sequences_are_whole() {
        let spans = |text| -> Vec<Span> {
            find(text, Escapes::All).iter().map(|hidden| hidden.span).collect()
        };
        assert_eq!(spans("a\u{1B}[1;31m\u{1B}[4mb"), [Span::new(1, 12)]);
        assert_eq!(spans("\u{1B}]0;title\u{7}x"), [Span::new(0, 10)]);
        assert_eq!(spans("\u{1B} x"), [Span::new(0, 1)]);
        assert!(find("\u{1B}[31mx \u{1B} y", Escapes::ExceptColors).is_empty());
        assert_eq!(find("\u{1B}[0;8mx", Escapes::ExceptColors).len(), 1);
    }

    #[test]
    fn every_hidden_character_has_a_start() {
        for c in ('\0'..=char::MAX).filter(|c| is_hidden(*c)) {
            let hit = STARTS.find(&c.to_string()).map(|hit| hit.start());
            assert_eq!(hit, Some(0), "{}", c.escape_unicode());
        }
    }
}
