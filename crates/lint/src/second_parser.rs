//! Where a parser of the libyaml family reads the same frontmatter differently.

use serde_yaml::Value;

use dibber_skill::skill::{Node, NodeKind, ScalarStyle};
use dibber_text::{Message, Problem, Span, message, quote};

/// Characters at which YAML 1.1 breaks a line and YAML 1.2 does not.
const SEPARATORS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// The help for a value that is read in two ways.
const QUOTE: &str = "write the value on one line, in double quotes";

/// Parses `content` with the other parser and compares the result with `root`, which is read
/// according to YAML 1.2.
pub(super) fn differences(text: &str, content: Span, root: &Node) -> Vec<Problem> {
    let mut comparison = Comparison { text, content, found: Vec::new() };
    if comparison.is_plain(root) {
        return Vec::new();
    }
    match serde_yaml::from_str::<Value>(&text[content.range()]) {
        Ok(theirs) => comparison.node(root, &theirs),
        Err(error) => comparison.refused(&error),
    }
    comparison.found
}

struct Comparison<'a> {
    text: &'a str,
    content: Span,
    found: Vec<Problem>,
}

impl Comparison<'_> {
    /// Returns `true` if there is nothing to disagree about: keys, and values on one line each, and
    /// between them only spaces, line breaks, colons and dashes. This saves the second parser for
    /// nearly every skill. A test compares it with the parser itself.
    fn is_plain(&self, root: &Node) -> bool {
        let content = &self.text[self.content.range()];
        let is_odd = |byte: u8| matches!(byte, 0..=0x09 | 0x0B..=0x1F | b'\\' | 0x7F);
        let mut read_to = self.content.start;
        !content.bytes().fold(false, |found, byte| found | is_odd(byte))
            && (content.is_ascii() || !content.contains(is_out_of_the_ordinary))
            && self.is_plain_node(root, &mut read_to)
            && self.is_gap(Span::new(read_to, self.content.end))
    }

    /// Visits the values in order; `read_to` is the end of the last one.
    fn is_plain_node(&self, node: &Node, read_to: &mut usize) -> bool {
        match &node.kind {
            NodeKind::Scalar { style, .. } => {
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                let is_in_order = *read_to <= node.span.start;
                let is_plain = is_in_order
                    && !is_block
                    && self.is_gap(Span::new(*read_to, node.span.start))
                    && memchr::memchr(b'\n', self.text[node.span.range()].as_bytes()).is_none();
                *read_to = node.span.end;
                is_plain
            }
            NodeKind::Sequence(items) => items.iter().all(|item| self.is_plain_node(item, read_to)),
            NodeKind::Mapping(entries) => entries.iter().all(|entry| {
                !entry.key.span.is_empty()
                    && self.is_plain_node(&entry.key, read_to)
                    && self.is_plain_node(&entry.value, read_to)
            }),
        }
    }

    fn is_gap(&self, gap: Span) -> bool {
        let gap = &self.text.as_bytes()[gap.range()];
        gap.iter().all(|byte| matches!(byte, b' ' | b'\n' | b':' | b'-'))
            && !gap.windows(2).any(|pair| pair == b"--")
    }

    /// Compares what both parsers read, as far as it is text and structure.
    fn node(&mut self, ours: &Node, theirs: &Value) {
        match (&ours.kind, theirs) {
            (_, Value::Tagged(tagged)) => self.node(ours, &tagged.value),
            (NodeKind::Mapping(entries), Value::Mapping(mapping))
                if entries.len() == mapping.len() =>
            {
                for (entry, (key, value)) in entries.iter().zip(mapping) {
                    self.node(&entry.key, key);
                    self.node(&entry.value, value);
                }
            }
            (NodeKind::Sequence(items), Value::Sequence(values)) if items.len() == values.len() => {
                for (item, value) in items.iter().zip(values) {
                    self.node(item, value);
                }
            }
            (NodeKind::Scalar { text, .. }, Value::String(other)) if text == other => {}
            (NodeKind::Scalar { .. }, Value::Null | Value::Bool(_) | Value::Number(_)) => {}
            (_, Value::Mapping(_)) => self.differs(ours, "as a mapping of other keys"),
            (_, Value::Sequence(_)) => self.differs(ours, "as a list of other items"),
            (_, Value::String(other)) => {
                self.differs(ours, message!["as the string `", quote(other), "`"]);
            }
            (_, Value::Null | Value::Bool(_) | Value::Number(_)) => {
                self.differs(ours, "as a single value");
            }
        }
    }

    fn differs(&mut self, ours: &Node, theirs: impl Into<Message>) {
        // What an alias repeats is compared at its anchor.
        if ours.is_alias {
            return;
        }
        if let Some(separator) = self.separator(ours.span) {
            self.found.push(separator);
            return;
        }
        let reading = match ours.as_str() {
            Some(text) => message!["the string `", quote(text), "`"],
            None => message![ours.describe()],
        };
        let message = message![
            "read as ",
            reading,
            " by parsers of YAML 1.2, and ",
            theirs.into(),
            " by those of the libyaml \
                 family"
        ];
        self.found.push(Problem::new(ours.span, message).with_help(QUOTE));
    }

    /// The other parser stops where ours does not.
    fn refused(&mut self, error: &serde_yaml::Error) {
        let reason = error.to_string();
        // Control characters are reported by rules of their own.
        if reason.contains("control characters") {
            return;
        }
        if let Some(separator) = self.separator(self.content) {
            self.found.push(separator);
            return;
        }
        let location = error.location();
        let line = location.as_ref().map_or(1, serde_yaml::Location::line);
        let column = location.as_ref().map_or(1, serde_yaml::Location::column);
        let line =
            dibber_skill::skill::lines_of(self.text, self.content).nth(line.saturating_sub(1));
        let line = dibber_skill::skill::trimmed(self.text, line.unwrap_or(self.content));
        let before = &self.text[self.content.start..line.start];
        let indent = before.len() - before.trim_end_matches(' ').len();
        let characters = self.text[line.range()].char_indices();
        let within = characters.map(|(at, _)| at).nth(column.saturating_sub(1 + indent));
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let span = Span::new(line.start + within.unwrap_or(0), line.end);
        let message = message!["parsers of the libyaml family refuse this: ", quote(reason)];
        self.found.push(Problem::new(span, message).with_help(QUOTE));
    }

    /// The first separator of lines in `part`.
    fn separator(&self, part: Span) -> Option<Problem> {
        let at = part.start + self.text[part.range()].find(SEPARATORS)?;
        let c = self.text[at..].chars().next()?;
        let message = message![
            quote(&format!("U+{:04X}", u32::from(c))),
            " breaks the line for parsers of the libyaml family, and not for those of YAML 1.2"
        ];
        let span = Span::new(at, at + c.len_utf8());
        Some(
            Problem::new(span, message)
                .with_help("write a space or a real line break in its place"),
        )
    }
}

/// Returns `true` if a parser may read `c` as anything but a letter.
fn is_out_of_the_ordinary(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{A0}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{E000}'..='\u{F8FF}'
        | '\u{FFF0}'..='\u{FFFF}' | '\u{E0000}'..='\u{10FFFF}')
}
