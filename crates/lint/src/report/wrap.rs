//! Setting text in lines of so many columns.

/// The fewest columns in which text is set, however narrow the terminal is.
const TEXT_COLUMNS_MIN: usize = 20;

/// Breaks a line at its spaces so that the first part has at most `first` columns and each other
/// one `rest`; a longer word stays whole. There is always one part.
pub fn wrap(text: &str, first: usize, rest: usize) -> Vec<&str> {
    let (first, rest) = (first.max(TEXT_COLUMNS_MIN), rest.max(TEXT_COLUMNS_MIN));
    let mut lines = Vec::new();
    let (mut start, mut end, mut used) = (0, 0, 0);
    for word in text.split_inclusive(' ') {
        let at = end;
        end += word.len();
        let room = if lines.is_empty() { first } else { rest };
        if used > 0 && used + columns(word.trim_end()) > room {
            lines.push(text[start..at].trim_end());
            (start, used) = (at, 0);
        }
        used += columns(word);
    }
    lines.push(text[start..].trim_end());
    lines
}

/// Counts the columns of a text that is escaped already, or a few too many.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// Counts the columns of a character, or one too many: enough to know what fits. (The columns of
/// an underline are counted exactly where it is drawn.)
pub(super) const fn columns_of(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36F}' | '\u{FE00}'..='\u{FE0F}' => 0,
        '\u{1100}'..='\u{115F}'
        | '\u{231A}'..='\u{23FF}'
        | '\u{25A0}'..='\u{27BF}'
        | '\u{2B00}'..='\u{2BFF}'
        | '\u{2E80}'..='\u{A4CF}'
        | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FE10}'..='\u{FE6F}'
        | '\u{FF00}'..='\u{FFE6}'
        | '\u{16FE0}'..='\u{1B2FF}'
        | '\u{1F000}'..='\u{1FAFF}'
        | '\u{20000}'..='\u{3FFFD}' => 2,
        _ => 1,
    }
}

/// As much of a text as that many columns hold, with `…` at the end when there is more.
pub fn fitting(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += columns_of(c);
        if used > room {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}
