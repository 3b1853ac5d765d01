//! `human`: the source lines of each finding, with its message and help.
//!
//! `miette` draws the lines with their numbers, underlines and labels; the heading above and the
//! help below are written here. [`Snippet`] prepares the lines: escaped, without tabs, and no
//! wider than the terminal.

use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    SourceCode, SourceSpan, SpanContents, ThemeCharacters, ThemeStyles,
};

use super::format::{Context, Format, PathBase, Report};
use super::layout::{columns, wrap, wrap_after};
use super::paint::{Ink, level_ink, paint};
use super::severity::severity;
use super::snippet::{Mark, Role, Snippet};
use super::statistics::StatisticsText;
use super::style::{Color, Style};
use dibber_skill::diagnostic::{Applicability, Diagnostic, Level, LevelSource, Range};
use dibber_text::escape_line;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "human",
    summary: "the source lines with their findings and the help, for people",
    paths: PathBase::CurrentDirectory,
    open: |Context { style, .. }| Box::new(Human { style }),
    statistics: Some(|Context { style, .. }| Box::new(StatisticsText::new(style))),
};

/// The fewest columns of a label beside its mark; with less room it goes below the lines.
const LABEL_COLUMNS_MIN: usize = 24;
/// The most lines of a label; a longer one goes below the lines.
const LABEL_LINES_MAX: usize = 3;
/// The most labels below the lines of a finding.
const LABELS_BELOW_MAX: usize = 5;
/// The columns between the bar of a label and its text.
const LABEL_BAR_COLUMNS: usize = 4;
/// The columns of the arrow beside a mark of several lines.
const ARROW_COLUMNS: usize = 4;

struct Human {
    style: Style,
}

impl Report for Human {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let mut page = Page { style: self.style, text: String::with_capacity(1_024) };
        page.push_heading(diagnostic);
        let below = page.push_lines(diagnostic);
        page.push_help(diagnostic, &below);
        page.text.push('\n');
        out.extend_from_slice(page.text.as_bytes());
    }
}

/// A label that does not fit beside its mark, and goes below the lines.
struct LabelBelow<'a> {
    word: String,
    text: &'a str,
}

/// The text of one finding while it is written.
struct Page {
    style: Style,
    text: String,
}

impl Page {
    fn push_heading(&mut self, diagnostic: &Diagnostic) {
        let color = self.style.color;
        let word = format!("{}[{}]", severity(diagnostic.level), diagnostic.rule.id);
        paint(&mut self.text, color, level_ink(diagnostic.level), &word);
        let message = escape_line(&diagnostic.message);
        let room = self.style.width.saturating_sub(2);
        self.text.push_str(": ");
        for (index, line) in
            wrap_after(&message, room.saturating_sub(columns(&word)), room).into_iter().enumerate()
        {
            self.text.push_str(if index == 0 { "" } else { "\n  " });
            paint(&mut self.text, color, Ink::Strong, line);
        }
        self.text.push('\n');
    }

    /// Draws the lines and returns the labels that do not fit there.
    fn push_lines<'a>(&mut self, diagnostic: &'a Diagnostic) -> Vec<LabelBelow<'a>> {
        let room = self.room(diagnostic);
        let Some(snippet) = Snippet::new(diagnostic, room) else {
            self.text.push_str("  ╶─[");
            paint(&mut self.text, self.style.color, Ink::Place, &place(diagnostic));
            self.text.push_str("]\n");
            let labels = (0..diagnostic.labels.len()).map(Role::Label);
            let all = std::iter::once(Role::Finding).chain(labels);
            return all.filter_map(|role| below(diagnostic, role)).collect();
        };
        let labels: Vec<_> =
            snippet.marks.iter().map(|mark| label_beside(diagnostic, mark, room)).collect();
        let unplaced: Vec<_> = snippet
            .marks
            .iter()
            .zip(&labels)
            .filter(|(_, label)| label.is_none())
            .map(|(mark, _)| mark.role)
            .collect();
        let labels = with_fillers(diagnostic, &snippet, labels);
        let handler = handler(self.style.color, diagnostic.level, &snippet);
        let drawing = Drawing { diagnostic, snippet: &snippet, labels: &labels };
        let mut out = AfterFirstLine { text: &mut self.text, is_after: false };
        handler.render_report(&mut out, &drawing).expect("writing to a string cannot fail");
        let left_over = snippet.left_over.iter().map(|index| Role::Label(*index));
        unplaced.into_iter().chain(left_over).filter_map(|role| below(diagnostic, role)).collect()
    }

    /// Returns the number of columns beside the line numbers and, if the finding has several lines,
    /// its arrow.
    fn room(&self, diagnostic: &Diagnostic) -> usize {
        let numbers = |range: &Range| range.end.line.to_string().len() + 4;
        let is_long = |range: &Range| range.start.line != range.end.line;
        let beside = diagnostic
            .range
            .as_ref()
            .map_or(0, |range| numbers(range) + if is_long(range) { ARROW_COLUMNS } else { 0 });
        self.style.width.saturating_sub(beside)
    }

    fn push_help(&mut self, diagnostic: &Diagnostic, below: &[LabelBelow]) {
        for LabelBelow { word, text } in below.iter().take(LABELS_BELOW_MAX) {
            self.push_item(word, text);
        }
        if let Some(more) = below.len().checked_sub(LABELS_BELOW_MAX).filter(|more| *more > 0) {
            let places = if more == 1 { "place" } else { "places" };
            self.push_item("more", &format!("{more} other {places}"));
        }
        if let Some(help) = &diagnostic.help {
            self.push_item("help", help);
        }
        if let Some(fix) = &diagnostic.fix {
            let how = match fix.applicability {
                Applicability::Safe => "safe, --fix",
                Applicability::Unsafe => "--unsafe-fixes",
            };
            self.push_item("fix", &format!("{} ({how})", fix.title));
        }
        if diagnostic.level_source != LevelSource::Default {
            let level = diagnostic.level.name();
            self.push_item("level", &format!("{level}, set by {}", diagnostic.level_source));
        }
        self.text.push_str("  ");
        let explain = format!("dibber explain {}", diagnostic.rule.id);
        paint(&mut self.text, self.style.color, Ink::Faint, &explain);
        self.text.push('\n');
    }

    /// Writes wrapped text after its label.
    fn push_item(&mut self, word: &str, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let indent = columns(word) + 4;
        let room = self.style.width.saturating_sub(indent);
        self.text.push_str("  ");
        paint(&mut self.text, self.style.color, Ink::Help, &format!("{word}:"));
        self.text.push(' ');
        for (index, paragraph) in text.lines().enumerate() {
            for (line_index, line) in wrap(&escape_line(paragraph), room).into_iter().enumerate() {
                if index + line_index > 0 {
                    self.text.extend(std::iter::repeat_n(' ', indent));
                }
                self.text.push_str(line);
                self.text.push('\n');
            }
        }
    }
}

fn place(diagnostic: &Diagnostic) -> String {
    let path = escape_line(&diagnostic.path);
    match &diagnostic.range {
        Some(range) => format!("{path}:{}:{}", range.start.line, range.start.column),
        None => path.into_owned(),
    }
}

/// Returns the label of a mark, and the number of its line.
fn label_text(diagnostic: &Diagnostic, role: Role) -> Option<(usize, &str)> {
    match role {
        Role::Finding => {
            let line = diagnostic.range.as_ref().map_or(0, |range| range.start.line);
            Some((line, diagnostic.note.as_deref()?))
        }
        Role::Label(index) => {
            let (range, text) = diagnostic.labels.get(index)?;
            Some((range.start.line, text))
        }
    }
}

fn below(diagnostic: &Diagnostic, role: Role) -> Option<LabelBelow<'_>> {
    let (line, text) = label_text(diagnostic, role)?;
    let word = match role {
        Role::Finding => "note".to_owned(),
        Role::Label(_) => format!("line {line}"),
    };
    Some(LabelBelow { word, text })
}

/// Returns the wrapped label of a mark, if it fits beside its underline.
fn label_beside(diagnostic: &Diagnostic, mark: &Mark, room: usize) -> Option<String> {
    let (_, text) = label_text(diagnostic, mark.role)?;
    let text = escape_line(text);
    let is_long = mark.column_end < mark.column;
    let bar = if is_long { 0 } else { usize::midpoint(mark.column, mark.column_end) };
    let room = room.saturating_sub(bar + LABEL_BAR_COLUMNS);
    if columns(&text) <= room {
        return Some(text.into_owned());
    }
    let lines = wrap(&text, room);
    let fits = room >= LABEL_COLUMNS_MIN
        && lines.len() <= LABEL_LINES_MAX
        && lines.iter().all(|line| columns(line) <= room);
    fits.then(|| lines.join("\n"))
}

/// Adds to each mark without a label one that only points to it, if a mark after it has a label:
/// `miette` draws a bar for such a mark, which would otherwise end without text.
fn with_fillers(
    diagnostic: &Diagnostic,
    snippet: &Snippet,
    mut labels: Vec<Option<String>>,
) -> Vec<Option<String>> {
    let last = labels.iter().rposition(Option::is_some).unwrap_or(0);
    for (mark, label) in snippet.marks.iter().zip(&mut labels).take(last) {
        if label.is_none() {
            let is_below = label_text(diagnostic, mark.role).is_some();
            *label = Some(if is_below { "see below" } else { "here" }.to_owned());
        }
    }
    labels
}

fn handler(color: Color, level: Level, snippet: &Snippet) -> GraphicalReportHandler {
    let mut styles = match color {
        Color::Always => ThemeStyles::ansi(),
        Color::Never => ThemeStyles::none(),
    };
    styles.link = styles.help;
    let finding = match level {
        Level::Deny => styles.error,
        Level::Allow | Level::Warn => styles.warning,
    };
    let style_of = |mark: &Mark| match mark.role {
        Role::Finding => finding,
        Role::Label(_) => styles.help,
    };
    styles.highlights = snippet.marks.iter().map(style_of).collect();
    let theme = GraphicalTheme { characters: ThemeCharacters::unicode(), styles };
    GraphicalReportHandler::new_themed(theme).with_wrap_lines(false)
}

/// What `miette` draws: the lines and their labels, without a message.
#[derive(Clone, Copy)]
struct Drawing<'a> {
    diagnostic: &'a Diagnostic,
    snippet: &'a Snippet,
    labels: &'a [Option<String>],
}

impl fmt::Debug for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.diagnostic.rule.id)
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Drawing<'_> {}

impl miette::Diagnostic for Drawing<'_> {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let marks = self.snippet.marks.iter().zip(self.labels);
        Some(Box::new(marks.map(|(mark, label)| {
            let (start, length) = (mark.span.start, mark.span.len());
            match mark.role {
                Role::Finding => LabeledSpan::new_primary_with_span(label.clone(), (start, length)),
                Role::Label(_) => LabeledSpan::new(label.clone(), start, length),
            }
        })))
    }
}

impl SourceCode for Drawing<'_> {
    /// Returns all lines for every span, so that they are drawn in one frame. Without lines of
    /// context, `miette` asks for the place of the finding, which it writes on the frame.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        context_before: usize,
        _context_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let path = escape_line(&self.diagnostic.path).into_owned();
        let (text, lines) = (self.snippet.text.as_bytes(), self.snippet.line_count);
        let contents = if context_before == 0 {
            let start = self.diagnostic.range.as_ref().map_or((0, 0), |range| {
                (range.start.line.saturating_sub(1), range.start.column.saturating_sub(1))
            });
            MietteSpanContents::new_named(path, &[], *span, start.0, start.1, 1)
        } else {
            let whole = SourceSpan::from((0, text.len()));
            let first = self.snippet.line.saturating_sub(1);
            MietteSpanContents::new_named(path, text, whole, first, 0, lines)
        };
        Ok(Box::new(contents))
    }
}

/// Skips the first line, where `miette` writes the message: the heading already has it.
struct AfterFirstLine<'a> {
    text: &'a mut String,
    is_after: bool,
}

impl fmt::Write for AfterFirstLine<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.is_after {
            self.text.push_str(text);
        } else if let Some((_, rest)) = text.split_once('\n') {
            self.is_after = true;
            self.text.push_str(rest);
        }
        Ok(())
    }
}
