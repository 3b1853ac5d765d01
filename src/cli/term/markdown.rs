//! Markdown for a terminal: headings are bold, text is wrapped, code stays as it is.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::style::{Color, Ink, Style, paint};
use dibber_lint::report::layout::{columns, wrap};
use dibber_text::{escape, escape_line};

/// The columns before the text under a heading.
const BODY_COLUMNS: usize = 2;
/// The columns before code, counted from the text around it.
const CODE_COLUMNS: usize = 4;
/// The most columns before text: deeper lists are not indented further.
const INDENT_COLUMNS_MAX: usize = 24;
/// The fewest columns that the last cell of a row has.
const LAST_CELL_COLUMNS_MIN: usize = 24;
/// The blanks between two cells of a row.
const GAP: &str = "  ";

/// Renders untrusted Markdown: everything that a terminal would act on is escaped. Lines have at
/// most the columns of the style, except for code and for longer words.
pub fn render_markdown(text: &str, style: Style) -> String {
    let mut renderer = Renderer::new(style);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        renderer.event(event);
    }
    renderer.end_paragraph();
    renderer.out
}

/// The output as it grows, and what is open in the document.
struct Renderer {
    style: Style,
    out: String,
    /// The text of the paragraph that is being read.
    line: Inline,
    /// The colour of each open emphasis.
    inks: Vec<Ink>,
    /// The next number of each open list; none when it has no numbers.
    lists: Vec<Option<u64>>,
    /// The list marker before the next paragraph.
    marker: Option<String>,
    /// The columns that each open list item or quotation adds.
    indents: Vec<usize>,
    heading: Option<HeadingLevel>,
    /// The addresses of the open links.
    links: Vec<String>,
    code: Option<String>,
    table: Option<Table>,
    is_after_item: bool,
    /// Whether the paragraph goes on after a hard line break.
    is_continued: bool,
}

/// Text of several colours, in one line.
#[derive(Default)]
struct Inline {
    text: String,
    inks: Vec<(Range<usize>, Ink)>,
}

#[derive(Default)]
struct Table {
    rows: Vec<Vec<Inline>>,
}

impl Inline {
    fn push(&mut self, text: &str, ink: Option<Ink>) {
        let start = self.text.len();
        self.text.push_str(&escape_line(text));
        if let Some(ink) = ink {
            self.inks.push((start..self.text.len(), ink));
        }
    }

    /// Writes a part of the text, painted.
    fn paint(&self, part: Range<usize>, color: Color, out: &mut String) {
        let mut at = part.start;
        for (range, ink) in &self.inks {
            let (start, end) = (range.start.max(at), range.end.min(part.end));
            if start < end {
                out.push_str(&self.text[at..start]);
                paint(out, color, *ink, &self.text[start..end]);
                at = end;
            }
        }
        out.push_str(&self.text[at..part.end]);
    }

    /// Returns the parts of the text that fit into `room` columns, line by line.
    fn lines(&self, room: usize) -> Vec<Range<usize>> {
        let mut at = 0;
        let place = |line: &str| {
            let start = at + self.text[at..].find(line).expect("a part of the text");
            at = start + line.len();
            start..at
        };
        wrap(&self.text, room).into_iter().map(place).collect()
    }
}

impl Renderer {
    fn new(style: Style) -> Self {
        Self {
            style,
            out: String::new(),
            line: Inline::default(),
            inks: Vec::new(),
            lists: Vec::new(),
            marker: None,
            indents: Vec::new(),
            heading: None,
            links: Vec::new(),
            code: None,
            table: None,
            is_after_item: false,
            is_continued: false,
        }
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.line.push(&text, self.inks.last().copied()),
            },
            // Without colour, the backticks show what is to be typed literally.
            Event::Code(code) => self.line.push(&format!("`{code}`"), Some(Ink::Place)),
            Event::Html(html) => self.line.push(html.trim_end_matches('\n'), None),
            Event::InlineHtml(html) => self.line.push(&html, None),
            Event::SoftBreak => self.line.push(" ", None),
            Event::HardBreak => {
                self.end_piece();
                self.is_continued = true;
            }
            Event::Rule => self.paragraph(|renderer| renderer.line.push("---", Some(Ink::Faint))),
            Event::FootnoteReference(_)
            | Event::TaskListMarker(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::Heading { level, .. } => {
                self.end_paragraph();
                self.heading = Some(level);
                self.inks.push(Ink::Strong);
            }
            Tag::Paragraph | Tag::HtmlBlock => self.end_paragraph(),
            Tag::Strong => self.inks.push(Ink::Strong),
            Tag::Emphasis => self.inks.push(Ink::Help),
            Tag::Strikethrough => self.inks.push(Ink::Faint),
            Tag::Link { dest_url, .. } => self.links.push(dest_url.into_string()),
            Tag::CodeBlock(_) => {
                self.end_paragraph();
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                self.end_paragraph();
                self.lists.push(first);
            }
            Tag::Item => self.start_item(),
            Tag::BlockQuote(_) => {
                self.end_paragraph();
                self.indents.push(BODY_COLUMNS);
            }
            Tag::Table(_) => {
                self.end_paragraph();
                self.table = Some(Table::default());
            }
            Tag::TableHead => {
                self.start_row();
                self.inks.push(Ink::Strong);
            }
            Tag::TableRow => self.start_row(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.inks.pop();
                self.end_paragraph();
                self.heading = None;
            }
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end_paragraph(),
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::Strikethrough | TagEnd::TableHead => {
                self.inks.pop();
            }
            TagEnd::Link => self.end_link(),
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.end_paragraph();
                self.lists.pop();
                self.is_after_item = false;
            }
            TagEnd::Item => {
                self.end_paragraph();
                self.indents.pop();
                self.marker = None;
                self.is_after_item = true;
            }
            TagEnd::BlockQuote(_) => {
                self.end_paragraph();
                self.indents.pop();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.line);
                if let Some(row) = self.table.as_mut().and_then(|table| table.rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => self.end_table(),
            _ => {}
        }
    }

    fn start_row(&mut self) {
        if let Some(table) = &mut self.table {
            table.rows.push(Vec::new());
        }
    }

    fn start_item(&mut self) {
        self.end_paragraph();
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => "- ".to_owned(),
        };
        self.indents.push(marker.len());
        self.marker = Some(marker);
    }

    fn end_link(&mut self) {
        let Some(address) = self.links.pop() else { return };
        if !address.starts_with('#') && !self.line.text.ends_with(&*escape_line(&address)) {
            self.line.push(&format!(" ({address})"), Some(Ink::Place));
        }
    }

    /// Returns the columns before the paragraph that is being read.
    fn indent(&self) -> usize {
        let body = match self.heading {
            Some(HeadingLevel::H1 | HeadingLevel::H2) => 0,
            _ => BODY_COLUMNS,
        };
        (body + self.indents.iter().sum::<usize>()).min(INDENT_COLUMNS_MAX)
    }

    /// Writes an empty line before a paragraph, but not within a list.
    fn gap(&mut self) {
        let is_in_list = !self.lists.is_empty() && (self.marker.is_some() && self.is_after_item);
        if !self.out.is_empty() && !is_in_list {
            self.out.push('\n');
        }
        self.is_after_item = false;
    }

    fn paragraph(&mut self, write: impl FnOnce(&mut Self)) {
        self.end_paragraph();
        write(self);
        self.end_paragraph();
    }

    fn end_paragraph(&mut self) {
        self.end_piece();
        self.is_continued = false;
    }

    /// Writes what was read of a paragraph.
    fn end_piece(&mut self) {
        if self.line.text.trim().is_empty() {
            self.line = Inline::default();
            return;
        }
        if !self.is_continued {
            self.gap();
        }
        self.end_lines();
    }

    /// Writes what was read so far, in lines.
    fn end_lines(&mut self) {
        let line = std::mem::take(&mut self.line);
        let indent = self.indent();
        let mut marker = self.marker.take().unwrap_or_default();
        for part in line.lines(self.style.width.saturating_sub(indent)) {
            blanks(&mut self.out, indent.saturating_sub(marker.len()));
            self.out.push_str(&std::mem::take(&mut marker));
            line.paint(part, self.style.color, &mut self.out);
            self.out.push('\n');
        }
    }

    fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        self.gap();
        let (text_indent, indent) = (self.indent(), self.indent() + CODE_COLUMNS);
        if let Some(marker) = self.marker.take() {
            blanks(&mut self.out, text_indent.saturating_sub(marker.len()));
            self.out.push_str(marker.trim_end());
            self.out.push('\n');
        }
        for line in code.trim_end_matches('\n').split('\n') {
            if !line.is_empty() {
                blanks(&mut self.out, indent);
                self.out.push_str(&escape(line));
            }
            self.out.push('\n');
        }
    }

    fn end_table(&mut self) {
        let Some(table) = self.table.take() else { return };
        self.gap();
        let indent = self.indent();
        let count = table.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            let cells = table.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| columns(&cell.text)).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..count.saturating_sub(1)).map(width).collect();
        let before: usize = widths.iter().map(|width| width + GAP.len()).sum();
        let room = self.style.width.saturating_sub(indent + before);
        if room < LAST_CELL_COLUMNS_MIN {
            self.narrow_rows(&table);
            return;
        }
        for row in &table.rows {
            blanks(&mut self.out, indent);
            for (cell, width) in row.iter().zip(&widths) {
                cell.paint(0..cell.text.len(), self.style.color, &mut self.out);
                blanks(&mut self.out, width - columns(&cell.text) + GAP.len());
            }
            let last = row.get(widths.len());
            let parts = last.map(|cell| (cell, cell.lines(room)));
            for (index, part) in parts.iter().flat_map(|(_, parts)| parts).enumerate() {
                if index > 0 {
                    self.out.push('\n');
                    blanks(&mut self.out, indent + before);
                }
                let cell = last.expect("it has parts");
                cell.paint(part.clone(), self.style.color, &mut self.out);
            }
            self.end_row();
        }
    }

    /// Writes the cells of each row below each other, for a terminal too narrow for columns.
    fn narrow_rows(&mut self, table: &Table) {
        let indent = self.indent();
        for (number, row) in table.rows.iter().enumerate() {
            if number > 0 {
                self.out.push('\n');
            }
            for (index, cell) in row.iter().enumerate() {
                let indent = if index == 0 { indent } else { indent + BODY_COLUMNS };
                for part in cell.lines(self.style.width.saturating_sub(indent)) {
                    blanks(&mut self.out, indent);
                    cell.paint(part, self.style.color, &mut self.out);
                    self.end_row();
                }
            }
        }
    }

    fn end_row(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
    }
}

fn blanks(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}
