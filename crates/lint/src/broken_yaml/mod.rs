//! Explains syntax errors of YAML and suggests fixes.
//!
//! A YAML parser reports where it stopped, which often is not where the mistake is. Here the lines
//! are examined again for common mistakes, from the most to the least specific. A fix is offered
//! only if the lines parse after it.

mod line;
mod problem;
mod value;

use line::KeyLine;

pub(super) use problem::SyntaxProblem;

use dibber_skill::diagnostic::{Applicability, Edit, Fix};
use dibber_skill::skill::yaml_scalar::quoted;
use dibber_skill::skill::{
    KeyStyle, Value, after_closing, indentation, key_of, lines_of, parses_as_mapping, skip_blanks,
    trimmed,
};
use dibber_text::{BYTE_ORDER_MARK, Problem, Span, message, quote, quote_in_full};

/// The maximum number of lines that are searched for the broken one.
const LINES_MAX: usize = 200;

/// Explains why the lines `entry` do not parse; `message` and `at` are the parser's error.
pub(super) fn diagnose(
    text: &str,
    at: usize,
    message: &str,
    entry: Span,
    content: Span,
) -> SyntaxProblem {
    let broken = Broken { text, at, message, entry, content };
    // Each check claims only what it is certain of, so the order is from the specific to the
    // general: a tab is always the mistake, an indentation only if no line ended the document.
    // Values come after indentation, because a value may look broken only where its lines end.
    broken
        .byte_order_mark()
        .or_else(|| broken.document_end())
        .or_else(|| broken.surrogate_escapes())
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
    fn first_key(&self) -> Option<KeyLine<'a>> {
        let first = lines_of(self.text, self.entry).find(|line| {
            let content = trimmed(self.text, *line);
            !content.is_empty() && !self.text[content.range()].starts_with('#')
        })?;
        KeyLine::new(self.text, first, self.entry.end)
    }

    /// Returns the line of the parser's error, without its line break.
    fn line_at(&self) -> Span {
        let line = lines_of(self.text, self.entry)
            .find(|line| line.contains(self.at))
            .unwrap_or(Span::empty(self.at));
        let content = self.text[line.range()].trim_end_matches(['\n', '\r']);
        Span::new(line.start, line.start + content.len())
    }

    fn byte_order_mark(&self) -> Option<SyntaxProblem> {
        let line = self.line_at();
        let at = line.start + self.text[line.range()].find(BYTE_ORDER_MARK)?;
        let span = Span::new(at, at + BYTE_ORDER_MARK.len_utf8());
        let message = "an invisible byte-order mark (U+FEFF) inside the frontmatter";
        let edits = vec![Edit { span, text: String::new() }];
        let repair = self.verified(Applicability::Safe, "Remove the byte-order mark", edits)?;
        Some(SyntaxProblem::new(span, message, "delete it").with_repair(Some(repair)))
    }

    /// Emoji that are written as JSON escapes, anywhere in the value.
    fn surrogate_escapes(&self) -> Option<SyntaxProblem> {
        let is_escape = self.message.contains("Unicode character escape");
        let rest = Span::new(self.at.max(self.entry.start), self.entry.end);
        if is_escape { value::surrogate_escapes(self.text, rest) } else { None }
    }

    fn document_end(&self) -> Option<SyntaxProblem> {
        if !self.message.starts_with("a second document") {
            return None;
        }
        let before = Span::new(self.content.start, self.at.min(self.content.end));
        // The parser reports the line after the end, so the `...` is the last one before it.
        let dots = lines_of(self.text, before)
            .map(|line| trimmed(self.text, line))
            .filter(|line| self.text[line.range()].starts_with("..."))
            .last();
        let message = "`...` ends the YAML, and the rest is not read";
        Some(match dots {
            Some(dots) => SyntaxProblem::new(dots, message, "delete this line"),
            None => SyntaxProblem::new(
                self.line_at(),
                "the YAML ends before this line, which is not read",
                "write one key on each line: `name: …`",
            ),
        })
    }

    fn tab(&self) -> Option<SyntaxProblem> {
        let is_tabbed = |line: &Span| {
            let text = &self.text[line.range()];
            text[..indentation(text)].contains('\t')
        };
        // The parser may stop before or after the line with the tab. If its message is about a
        // tab, the first tabbed line of the entry is the one; otherwise only its own line counts.
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
        let message = "tab in the indentation, where YAML allows only spaces";
        let cause = SyntaxProblem::new(span, message, "use two spaces for each tab");
        let title = "Replace the tabs with spaces";
        Some(cause.with_repair(self.verified(Applicability::Unsafe, title, edits)))
    }

    /// The first key is indented, and the keys below are not.
    fn first_line_indented(&self) -> Option<SyntaxProblem> {
        if !parses_as_mapping(&self.text[self.entry.range()]) {
            return None;
        }
        let mut lines = lines_of(self.text, self.content);
        let first = lines.find(|line| !trimmed(self.text, *line).is_empty())?;
        let indent = indentation(&self.text[first.range()]);
        let key = key_of(&self.text[first.range()])?;
        let name = &self.text[key.span.shift(first.start).range()];
        let span = Span::new(first.start, first.start + indent);
        let help = message!["remove the indentation of `", quote(name), "`, as for the other keys"];
        (indent > 0).then(|| {
            SyntaxProblem::new(span, "inconsistent indentation: only this key is indented", help)
        })
    }

    /// Lines of a value that are not indented more than its key.
    fn lines_not_indented(&self) -> Option<SyntaxProblem> {
        let first = self.first_key()?;
        if first.parts.style == KeyStyle::Glued {
            return None;
        }
        let margin = first.margin();
        let after_key = first.value.end.max(first.key.end);
        // A quote or bracket may open on a line below its key.
        let opening = match first.parts.value {
            Value::None => skip_blanks(&self.text[..self.entry.end], first.value.start),
            _ => first.value.start,
        };
        let closing = after_closing(&self.text[..self.entry.end], opening);
        // An open quote or bracket continues to its closing one, whatever the lines between look
        // like: only lines before that belong to the value.
        let is_open = closing.is_some_and(|end| end > after_key);
        let below = Span::new(after_key, self.entry.end);
        let mut lines: Vec<Span> = lines_of(self.text, below)
            .skip(1)
            .filter(|line| !trimmed(self.text, *line).is_empty())
            .take_while(|line| closing.is_none_or(|end| !is_open || line.start < end))
            .collect();
        let is_flat = |line: &Span| {
            let is_comment = self.text[line.range()].trim_start().starts_with('#');
            indentation(&self.text[line.range()]) <= margin && (is_open || !is_comment)
        };
        let flat = trimmed(self.text, *lines.iter().find(|line| is_flat(line))?);
        let is_block = first.parts.value == Value::Block;
        // A list may be at the margin of its key (YAML 1.2.2, section 8.2.1), so it is no mistake.
        let begins_list = self.text[flat.range()].starts_with("- ") && first.value.is_empty();
        if begins_list
            || (!is_open && !is_block && first.value_text().starts_with(['"', '\'', '[', '{']))
        {
            return None;
        }
        if !is_block && !is_open {
            // Lines of a plain value that are indented already stay as they are.
            lines.retain(is_flat);
            if !first.parses_alone() {
                return self.value_and_lines(&first, flat);
            }
        }
        let indent = |line: &Span| Edit { span: Span::empty(line.start), text: "  ".to_owned() };
        let edits = lines.iter().map(indent).collect();
        let key = quote(first.key_text());
        let (message, help, applicability) = if is_block {
            let indicator = &first.value_text()[..1];
            let message = message![
                "the block scalar of `",
                key,
                "` is not indented below its `",
                quote(indicator),
                "`"
            ];
            (message, "indent each line by two spaces", Applicability::Unsafe)
        } else if is_open {
            let message = message!["this line of the value of `", key, "` is not indented"];
            (message, "indent the lines of the value by two spaces", Applicability::Safe)
        } else if key_of(&self.text[flat.range()]).is_some() {
            let message = message!["the indentation of this line does not match the lines above"];
            (message, "begin all keys of a mapping in the same column", Applicability::Unsafe)
        } else {
            let message = message!["this line is neither a key nor indented below one"];
            let help = "indent it by two spaces if it belongs to the value above";
            (message, help, Applicability::Unsafe)
        };
        let label =
            Some((Span::new(first.key.start, first.value.end), "it seems to belong to this key"));
        let repair = self.verified(applicability, "Indent the lines of the value", edits);
        Some(SyntaxProblem::new(flat, message, help).with_label(label).with_repair(repair))
    }

    /// A value that needs quotes, continued on lines that are not indented.
    fn value_and_lines(&self, first: &KeyLine<'_>, flat: Span) -> Option<SyntaxProblem> {
        let Problem { place, message, .. } = value::diagnose(first, self.at)?.problem;
        let rest = trimmed(self.text, Span::new(flat.start, self.entry.end));
        let mut text = self.text[first.value.start..flat.start].to_owned();
        for line in lines_of(self.text, rest) {
            let is_blank = trimmed(self.text, line).is_empty();
            text.extend([if is_blank { "" } else { "  " }, &self.text[line.range()]]);
        }
        let span = Span::new(first.value.start, rest.end);
        let edits = vec![Edit { span, text: quoted(&text) }];
        let title = "Quote the value and indent its lines";
        let label = Some((rest, "these lines belong to the value, and are not indented"));
        let repair = self.verified(Applicability::Unsafe, title, edits);
        let help = "quote the whole value, and indent its lines by two spaces";
        Some(SyntaxProblem::new(place, message, help).with_label(label).with_repair(repair))
    }

    /// A key that is indented below a key which already has a value, or a line of a value that looks
    /// like a key.
    fn key_below_value(&self) -> Option<SyntaxProblem> {
        let first = self.first_key()?;
        let whole = first.whole_value();
        // Only a plain value is continued by indented lines in which a colon can begin a key.
        let is_plain = first.parts.value == Value::Some
            && !first.value_text().starts_with(['"', '\'', '[', '{', '|', '>', '#']);
        let colon = whole.start + value::first_colon(&self.text[whole.range()])?;
        if !is_plain || colon < first.value.end {
            return None;
        }
        let line = lines_of(self.text, self.entry).find(|line| line.contains(colon))?;
        let is_word = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_');
        let below = KeyLine::new(self.text, line, self.entry.end)
            .filter(|below| below.parts.style == KeyStyle::Word)
            .filter(|below| below.key_text().bytes().all(is_word));
        // A lowercase word is more likely a key with wrong indentation, for which there is no
        // certain fix; anything else is more likely text with a colon, which needs quotes.
        if let Some(below) = below {
            let (key, word) = (quote(first.key_text()), quote(below.key_text()));
            let message =
                message!["`", word, "` is indented below `", key, "`, which already has a value"];
            let help = message!["let `", word, "` begin where `", key, "` does"];
            let label = Some((first.value, "the value"));
            return Some(SyntaxProblem::new(below.key, message, help).with_label(label));
        }
        let SyntaxProblem { problem, repair } = value::colon_in_value(&first, colon, whole);
        let repair = repair.and_then(|Fix { title, applicability, edits }| {
            self.verified(applicability, title, edits)
        });
        Some(SyntaxProblem { problem, repair })
    }

    /// An invalid value: on the line of the parser's error, or else on the first line that does not
    /// parse by itself.
    fn value(&self) -> Option<SyntaxProblem> {
        let first = self.first_key()?;
        if first.value_text().starts_with(['[', '{', '"', '\''])
            || first.parts.style == KeyStyle::Glued
        {
            return value::diagnose(&first, self.at);
        }
        let at = self.line_at();
        if let Some(line) = KeyLine::new(self.text, at, self.entry.end)
            && !line.parses_alone()
            && let Some(cause) = value::diagnose(&line, self.at)
        {
            return Some(cause);
        }
        // The lines of a block scalar are text: they are skipped, so that a colon in them is not
        // taken for a key.
        let mut block_margin = None;
        for line in lines_of(self.text, self.entry).take(LINES_MAX) {
            let indent = indentation(&self.text[line.range()]);
            if block_margin.is_some_and(|margin| indent > margin) {
                continue;
            }
            let Some(line) = KeyLine::new(self.text, line, self.entry.end) else { continue };
            block_margin = (line.parts.value == Value::Block).then_some(indent);
            if !line.parses_alone()
                && let Some(cause) = value::diagnose(&line, self.at)
            {
                return Some(cause);
            }
        }
        None
    }

    fn unknown(&self) -> SyntaxProblem {
        let line = self.line_at();
        let rest = trimmed(self.text, Span::new(self.at.clamp(line.start, line.end), line.end));
        let span = if rest.is_empty() { trimmed(self.text, line) } else { rest };
        let (message, help) = match self.message {
            "a line that is neither a key nor the value of one" => (
                message!["this line is neither a key nor the value of one"],
                "write `key: value`, or begin the line with `#` for a comment",
            ),
            message if message.contains("expected key") || message.contains("indentation") => (
                message!["the indentation of this line does not match the lines above"],
                "begin all keys of a mapping in the same column",
            ),
            message if message.ends_with("unknown anchor") => (
                message!["`*` refers to an anchor that does not exist"],
                "quote the value if it is a string",
            ),
            message if message.contains("mapping values") => (
                message!["a key is not allowed here"],
                "quote the value, or write each key on a line of its own",
            ),
            message => (
                message!["not valid YAML: ", quote_in_full(message)],
                "quote the value, or indent it below its key",
            ),
        };
        SyntaxProblem::new(span, message, help)
    }

    /// Returns the fix if the entry parses after it, so that a wrong guess is never offered.
    fn verified(
        &self,
        applicability: Applicability,
        title: &'static str,
        edits: Vec<Edit>,
    ) -> Option<Fix<&'static str>> {
        let mut fixed = String::with_capacity(self.entry.len() + 2 * edits.len());
        let mut read_to = self.entry.start;
        for edit in &edits {
            fixed.push_str(self.text.get(read_to..edit.span.start)?);
            fixed.push_str(&edit.text);
            read_to = edit.span.end;
        }
        fixed.push_str(self.text.get(read_to..self.entry.end)?);
        parses_as_mapping(&fixed).then_some(Fix { applicability, title, edits })
    }
}
