//! Why some lines of frontmatter are not YAML, in plain words, and the edit that repairs them.
//!
//! The parser says where it gave up, which is often not where the mistake is. Here the lines are
//! looked at again, with the mistakes in mind that people really make. Whatever is offered as a
//! repair was parsed first.

mod line;
mod value;

use line::Line;

use dibber_skill::diagnostic::{Applicability, Edit};
use dibber_skill::skill::yaml_scalar::quoted;
use dibber_skill::skill::{
    KeyStyle, Value, after_closing, indentation, key_of, lines_of, parses_as_mapping, skip_blanks,
    trimmed,
};
use dibber_text::{BYTE_ORDER_MARK, Span, ellipsize};

/// The most lines that are looked at for the one that is broken.
const LINES_MAX: usize = 200;

/// What is wrong, where, and what to do about it.
pub(super) struct Cause {
    /// The characters that are wrong.
    pub(super) span: Span,
    /// What is wrong with them.
    pub(super) message: String,
    /// The way out.
    pub(super) help: String,
    /// A second place, and what it is.
    pub(super) label: Option<(Span, &'static str)>,
    /// The edits that repair it.
    pub(super) repair: Option<Repair>,
}

/// A repair that was tried out.
pub(super) struct Repair {
    /// Whether it may be applied without looking.
    pub(super) applicability: Applicability,
    /// What it does.
    pub(super) title: &'static str,
    /// The edits.
    pub(super) edits: Vec<Edit>,
}

impl Cause {
    pub(super) fn new(span: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        let (message, help) = (message.into(), help.into());
        Self { span, message, help, label: None, repair: None }
    }
}

/// Finds out why the lines `entry` do not parse, of which the parser says `message` at `at`.
pub(super) fn cause(text: &str, at: usize, message: &str, entry: Span, content: Span) -> Cause {
    let broken = Broken { text, at, message, entry, content };
    broken
        .byte_order_mark()
        .or_else(|| broken.document_end())
        .or_else(|| broken.escape())
        .or_else(|| broken.tab())
        .or_else(|| broken.first_line_indented())
        .or_else(|| broken.lines_not_indented())
        .or_else(|| broken.key_below_value())
        .or_else(|| broken.value())
        .unwrap_or_else(|| broken.unknown())
}

struct Broken<'a> {
    text: &'a str,
    at: usize,
    message: &'a str,
    entry: Span,
    content: Span,
}

impl<'a> Broken<'a> {
    fn first_key(&self) -> Option<Line<'a>> {
        let first = lines_of(self.text, self.entry).find(|line| {
            let content = trimmed(self.text, *line);
            !content.is_empty() && !self.text[content.range()].starts_with('#')
        })?;
        Line::new(self.text, first, self.entry.end)
    }

    /// The line that the parser points at, without its line break.
    fn line_at(&self) -> Span {
        let line = lines_of(self.text, self.entry)
            .find(|line| line.contains(self.at))
            .unwrap_or(Span::empty(self.at));
        let content = self.text[line.range()].trim_end_matches(['\n', '\r']);
        Span::new(line.start, line.start + content.len())
    }

    fn byte_order_mark(&self) -> Option<Cause> {
        let line = self.line_at();
        let at = line.start + self.text[line.range()].find(BYTE_ORDER_MARK)?;
        let span = Span::new(at, at + BYTE_ORDER_MARK.len_utf8());
        let message = "an invisible byte-order mark (U+FEFF) stands inside the frontmatter";
        let edits = vec![Edit { span, text: String::new() }];
        let repair = self.tried(Applicability::Safe, "Remove the byte-order mark", edits)?;
        Some(Cause { repair: Some(repair), ..Cause::new(span, message, "delete it") })
    }

    /// Emoji as JSON writes them, wherever they stand in the value.
    fn escape(&self) -> Option<Cause> {
        let is_escape = self.message.contains("Unicode character escape");
        let rest = Span::new(self.at.max(self.entry.start), self.entry.end);
        if is_escape { value::halves(self.text, rest) } else { None }
    }

    fn document_end(&self) -> Option<Cause> {
        if !self.message.starts_with("a second document") {
            return None;
        }
        let before = Span::new(self.content.start, self.at.min(self.content.end));
        let dots = lines_of(self.text, before)
            .map(|line| trimmed(self.text, line))
            .filter(|line| self.text[line.range()].starts_with("..."))
            .last();
        let message = "`...` ends the YAML, and what follows is not read";
        Some(match dots {
            Some(dots) => Cause::new(dots, message, "delete this line"),
            None => Cause::new(
                self.line_at(),
                "the YAML ended above, and this line is not read",
                "write one key on each line: `name: …`",
            ),
        })
    }

    fn tab(&self) -> Option<Cause> {
        let is_tabbed = |line: &Span| {
            let text = &self.text[line.range()];
            text[..indentation(text)].contains('\t')
        };
        let at = self.line_at();
        let line = if is_tabbed(&at) {
            at
        } else if self.message.contains("tab") {
            lines_of(self.text, self.entry).find(is_tabbed)?
        } else {
            return None;
        };
        let indent = indentation(&self.text[line.range()]);
        let span = Span::new(line.start, line.start + indent);
        let edits = lines_of(self.text, self.entry)
            .filter(is_tabbed)
            .map(|line| {
                let indent = &self.text[line.range()];
                let indent = &indent[..indentation(indent)];
                let span = Span::new(line.start, line.start + indent.len());
                Edit { span, text: indent.replace('\t', "  ") }
            })
            .collect();
        let message = "a tab stands in the indentation, where YAML wants spaces";
        let cause = Cause::new(span, message, "use two spaces for each tab");
        Some(Cause {
            repair: self.tried(Applicability::Unsafe, "Replace the tabs by spaces", edits),
            ..cause
        })
    }

    /// The first key is indented, and the ones below are not.
    fn first_line_indented(&self) -> Option<Cause> {
        if !parses_as_mapping(&self.text[self.entry.range()]) {
            return None;
        }
        let mut lines = lines_of(self.text, self.content);
        let first = lines.find(|line| !trimmed(self.text, *line).is_empty())?;
        let indent = indentation(&self.text[first.range()]);
        let key = key_of(&self.text[first.range()])?;
        let name = &self.text[key.span.shift(first.start).range()];
        let span = Span::new(first.start, first.start + indent);
        let help =
            format!("let `{}` begin at the left margin, as the other keys do", ellipsize(name));
        (indent > 0).then(|| {
            Cause::new(span, "the keys are not indented alike: this one is indented", help)
        })
    }

    /// Lines of a value that stand at the margin of its key.
    fn lines_not_indented(&self) -> Option<Cause> {
        let first = self.first_key()?;
        if first.parts.style == KeyStyle::Glued {
            return None;
        }
        let margin = first.margin();
        let behind_key = first.value.end.max(first.key.end);
        let opening = match first.parts.value {
            Value::None => skip_blanks(&self.text[..self.entry.end], first.value.start),
            _ => first.value.start,
        };
        let reaches = after_closing(&self.text[..self.entry.end], opening);
        let is_open = reaches.is_some_and(|end| end > behind_key);
        let below = Span::new(behind_key, self.entry.end);
        let mut lines: Vec<Span> = lines_of(self.text, below)
            .skip(1)
            .filter(|line| !trimmed(self.text, *line).is_empty())
            .take_while(|line| reaches.is_none_or(|end| !is_open || line.start < end))
            .collect();
        let is_flat = |line: &Span| {
            let is_comment = self.text[line.range()].trim_start().starts_with('#');
            indentation(&self.text[line.range()]) <= margin && (is_open || !is_comment)
        };
        let flat = trimmed(self.text, *lines.iter().find(|line| is_flat(line))?);
        let is_block = first.parts.value == Value::Block;
        let begins_list = self.text[flat.range()].starts_with("- ") && first.value.is_empty();
        if begins_list
            || (!is_open && !is_block && first.value_text().starts_with(['"', '\'', '[', '{']))
        {
            return None;
        }
        if !is_block && !is_open {
            lines.retain(is_flat);
            if !first.parses_alone() {
                return self.value_and_lines(&first, flat);
            }
        }
        let indent = |line: &Span| Edit { span: Span::empty(line.start), text: "  ".to_owned() };
        let edits = lines.iter().map(indent).collect();
        let key = ellipsize(first.key_text());
        let (message, help, applicability) = if is_block {
            let indicator = &first.value_text()[..1];
            let message = format!("the text of `{key}` is not indented below its `{indicator}`");
            (message, "indent each of its lines by two spaces", Applicability::Unsafe)
        } else if is_open {
            let message = format!("this line of the value of `{key}` is not indented");
            (message, "indent the lines of the value by two spaces", Applicability::Safe)
        } else if key_of(&self.text[flat.range()]).is_some() {
            let message = "the indentation of this line does not fit the lines above it".to_owned();
            (message, "let the keys of one mapping begin in the same column", Applicability::Unsafe)
        } else {
            let message = "this line is neither a key nor indented below one".to_owned();
            let help = "indent it by two spaces if it belongs to the value above";
            (message, help, Applicability::Unsafe)
        };
        let label =
            Some((Span::new(first.key.start, first.value.end), "the key it seems to belong to"));
        let repair = self.tried(applicability, "Indent the lines of the value", edits);
        Some(Cause { label, repair, ..Cause::new(flat, message, help) })
    }

    /// A text that needs quotes, with more lines of it below that are not indented.
    fn value_and_lines(&self, first: &Line<'_>, flat: Span) -> Option<Cause> {
        let cause = value::cause(first, self.at)?;
        let rest = trimmed(self.text, Span::new(flat.start, self.entry.end));
        let mut text = self.text[first.value.start..flat.start].to_owned();
        for line in lines_of(self.text, rest) {
            let is_blank = trimmed(self.text, line).is_empty();
            text.extend([if is_blank { "" } else { "  " }, &self.text[line.range()]]);
        }
        let span = Span::new(first.value.start, rest.end);
        let edits = vec![Edit { span, text: quoted(&text) }];
        let title = "Put the text in quotes and indent its lines";
        let help = "put the whole text in quotes, and indent its lines by two spaces".to_owned();
        let label = Some((rest, "these lines belong to it, and are not indented"));
        let repair = self.tried(Applicability::Unsafe, title, edits);
        Some(Cause { help, label, repair, ..cause })
    }

    /// A key that is indented below another one which has a value already, or a line of a text
    /// that looks like one.
    fn key_below_value(&self) -> Option<Cause> {
        let first = self.first_key()?;
        let whole = first.whole_value();
        let is_plain = first.parts.value == Value::Some
            && !first.value_text().starts_with(['"', '\'', '[', '{', '|', '>', '#']);
        let colon = whole.start + value::first_colon(&self.text[whole.range()])?;
        if !is_plain || colon < first.value.end {
            return None;
        }
        let line = lines_of(self.text, self.entry).find(|line| line.contains(colon))?;
        let is_word = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_');
        let below = Line::new(self.text, line, self.entry.end)
            .filter(|below| below.parts.style == KeyStyle::Word)
            .filter(|below| below.key_text().bytes().all(is_word));
        if let Some(below) = below {
            let (key, word) = (ellipsize(first.key_text()), ellipsize(below.key_text()));
            let message = format!("`{word}` stands below `{key}`, which has a value already");
            let help = format!("let `{word}` begin where `{key}` does");
            let label = Some((first.value, "the value"));
            return Some(Cause { label, ..Cause::new(below.key, message, help) });
        }
        let cause = value::colon(&first, colon, whole);
        let repair = cause
            .repair
            .and_then(|repair| self.tried(repair.applicability, repair.title, repair.edits));
        Some(Cause { repair, ..cause })
    }

    /// A value that cannot stand as it is written: the line the parser points at, or else the
    /// first that does not parse by itself.
    fn value(&self) -> Option<Cause> {
        let first = self.first_key()?;
        if first.value_text().starts_with(['[', '{', '"', '\''])
            || first.parts.style == KeyStyle::Glued
        {
            return value::cause(&first, self.at);
        }
        let at = self.line_at();
        if let Some(line) = Line::new(self.text, at, self.entry.end)
            && !line.parses_alone()
            && let Some(cause) = value::cause(&line, self.at)
        {
            return Some(cause);
        }
        let mut block_margin = None;
        for line in lines_of(self.text, self.entry).take(LINES_MAX) {
            let indent = indentation(&self.text[line.range()]);
            if block_margin.is_some_and(|margin| indent > margin) {
                continue;
            }
            let Some(line) = Line::new(self.text, line, self.entry.end) else { continue };
            block_margin = (line.parts.value == Value::Block).then_some(indent);
            if !line.parses_alone()
                && let Some(cause) = value::cause(&line, self.at)
            {
                return Some(cause);
            }
        }
        None
    }

    fn unknown(&self) -> Cause {
        let line = self.line_at();
        let rest = trimmed(self.text, Span::new(self.at.clamp(line.start, line.end), line.end));
        let span = if rest.is_empty() { trimmed(self.text, line) } else { rest };
        let (message, help) = match self.message {
            "a line that is neither a key nor the value of one" => (
                "this line is neither a key nor the value of one".to_owned(),
                "write `key: value`, or put `#` in front of it to make it a comment",
            ),
            message if message.contains("expected key") || message.contains("indentation") => (
                "the indentation of this line does not fit the lines above it".to_owned(),
                "let the keys of one mapping begin in the same column",
            ),
            message if message.ends_with("unknown anchor") => (
                "`*` refers to an anchor, and there is none of that name".to_owned(),
                "put the text in quotes, if it is one",
            ),
            message if message.contains("mapping values") => (
                "a key begins where none can stand".to_owned(),
                "put the text in quotes, or each key on a line of its own",
            ),
            message => (
                format!("not valid YAML: {message}"),
                "put the value in quotes, or indent it below its key",
            ),
        };
        Cause::new(span, message, help)
    }

    /// The repair, if the entry is YAML after it.
    fn tried(
        &self,
        applicability: Applicability,
        title: &'static str,
        edits: Vec<Edit>,
    ) -> Option<Repair> {
        let mut fixed = String::with_capacity(self.entry.len() + 2 * edits.len());
        let mut read_to = self.entry.start;
        for edit in &edits {
            fixed.push_str(self.text.get(read_to..edit.span.start)?);
            fixed.push_str(&edit.text);
            read_to = edit.span.end;
        }
        fixed.push_str(self.text.get(read_to..self.entry.end)?);
        parses_as_mapping(&fixed).then_some(Repair { applicability, title, edits })
    }
}
