//! Pictures as SVG documents, which need no font, script or other file.

use super::drawing::Picture;
use super::grid::{Cell, CellContent, Grid, PeriodKind};
use super::legend::{LegendEntry, LegendSign, with_cells, wrapped};
use super::marks::mark;

/// The space around a picture, in pixels.
const MARGIN: usize = 16;
/// The height of the title and of a line of the legend, in pixels.
const LINE: usize = 24;
/// The width of a row's label, in pixels.
const LABEL: usize = 52;
/// The side of a cell with its gap, in pixels.
const CELL: usize = 22;
/// The side of a cell, in pixels.
const SQUARE: usize = 20;
/// The top of the grid, in pixels.
const TOP: usize = MARGIN + 2 * LINE + 6;
/// From the top of a cell to the baseline of its text, in pixels.
const BASELINE: usize = 14;
/// The most characters of a line of the legend.
const LEGEND_CHARACTERS: usize = 80;
/// The number of colours; further heartbeats begin again with the first one.
const COLORS: usize = 6;

/// The style. Heartbeats have letters besides colours, and there are colours for a light and for a
/// dark background.
const STYLE: &str = "\
text{font-family:system-ui,sans-serif;font-size:12px;fill:#222}
.title{font-size:15px;font-weight:600}
.in{font-size:11px;text-anchor:middle;fill:#111}
.date{font-size:9px;text-anchor:middle;fill:#888}
.ground{fill:#fff}
.quiet{fill:#ececec}
.h0{fill:#56b4e9}.h1{fill:#e69f00}.h2{fill:#4cc38a}.h3{fill:#d68fb8}.h4{fill:#e5d84a}.h5{fill:#a9b4c2}
.several{fill:#c9c2f0}
.clash{fill:#c62839}
.in.on{fill:#fff;font-weight:700}
.change{fill:none;stroke:#8a5cd6;stroke-width:2;stroke-dasharray:3 2}
@media (prefers-color-scheme:dark){
text{fill:#e6e6e6}.in{fill:#111}.date{fill:#999}.ground{fill:#16181c}.quiet{fill:#2b2f36}
.change{stroke:#b48cff}}
";

impl Picture {
    /// Returns the picture as an SVG document without external references.
    pub fn svg(&self) -> String {
        let grid = &self.grid;
        let content = CellContent { marks: grid.has_several, width: 2 };
        let mut legend = with_cells(&self.legend, grid, content);
        if grid.period.kind != PeriodKind::Week {
            legend.push(LegendEntry {
                sign: LegendSign::None,
                text: "A grey number is the date.".to_owned(),
            });
        }
        let lines: Vec<_> = legend.iter().flat_map(entry_lines).collect();
        let width = 2 * MARGIN + LABEL + grid.columns * CELL;
        let bottom = TOP + grid.rows.len() * CELL;
        let height = bottom + LINE / 2 + lines.len() * LINE + MARGIN;
        let mut svg = SvgWriter { out: String::new(), content, kind: grid.period.kind };
        svg.line(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">"
        ));
        let one = match grid.period.kind {
            PeriodKind::Week => "hour of a week",
            PeriodKind::Month => "day of a month",
            PeriodKind::Year => "day of a year",
        };
        let legend: Vec<_> = legend.iter().map(|entry| xml(&entry.text)).collect();
        svg.line(&format!("<title id=\"title\">Heartbeats, {}</title>", xml(&grid.title)));
        svg.line(&format!("<desc id=\"desc\">Fires by the {one}. {}</desc>", legend.join("; ")));
        svg.line(&format!("<style>\n{STYLE}</style>"));
        svg.line("<rect class=\"ground\" width=\"100%\" height=\"100%\"/>");
        svg.text("title", MARGIN, MARGIN + 14, &grid.title);
        svg.grid(grid);
        for (number, (sign, words)) in lines.iter().enumerate() {
            let y = bottom + LINE / 2 + number * LINE;
            svg.sign(*sign, y);
            svg.text("", MARGIN + CELL + 6, y + BASELINE, words);
        }
        svg.line("</svg>");
        svg.out
    }
}

/// A document that is being written.
struct SvgWriter {
    out: String,
    content: CellContent,
    kind: PeriodKind,
}

impl SvgWriter {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn text(&mut self, class: &str, x: usize, y: usize, words: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        self.line(&format!("<text{class} x=\"{x}\" y=\"{y}\">{}</text>", xml(words)));
    }

    fn square(&mut self, class: &str, x: usize, y: usize) {
        self.out.push_str(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
             rx=\"3\"/>"
        ));
    }

    fn grid(&mut self, grid: &Grid) {
        let left = MARGIN + LABEL;
        for (column, word) in &grid.header {
            let x = left + column * CELL;
            match self.kind {
                PeriodKind::Week => self.text("", x, TOP - 6, word),
                PeriodKind::Month | PeriodKind::Year => {
                    self.text("date", x + SQUARE / 2, TOP - 6, word);
                }
            }
        }
        for (number, row) in grid.rows.iter().enumerate() {
            let y = TOP + number * CELL;
            self.text("", MARGIN, y + BASELINE, &row.label);
            for (column, cell) in row.cells.iter().enumerate() {
                if let Some(cell) = cell {
                    self.cell(cell, left + column * CELL, y);
                }
            }
        }
    }

    fn cell(&mut self, cell: &Cell, x: usize, y: usize) {
        let mut heartbeats = cell.heartbeats();
        let class = match (heartbeats.next(), heartbeats.next()) {
            (None, _) => "quiet".to_owned(),
            _ if cell.clash => "clash".to_owned(),
            (Some(one), None) => format!("h{}", one % COLORS),
            (Some(_), Some(_)) => "several".to_owned(),
        };
        let format = match self.kind {
            PeriodKind::Week => "%a %-d %b %Y, %H:%M",
            PeriodKind::Month | PeriodKind::Year => "%a %-d %b %Y",
        };
        let fires = match cell.fires {
            0 => "no fire".to_owned(),
            1 => "1 fire".to_owned(),
            fires => format!("{fires} fires"),
        };
        self.out.push_str(&format!("<g><title>{}: {fires}</title>", cell.start.strftime(format)));
        self.square(&class, x, y);
        if cell.change {
            self.square("change", x, y);
        }
        let (class, words) = match (cell.fires, self.kind) {
            (0, PeriodKind::Week) => ("", String::new()),
            (0, PeriodKind::Month | PeriodKind::Year) => ("date", cell.start.day().to_string()),
            _ if cell.clash => ("in on", "!".to_owned()),
            _ => ("in", cell.text(self.content)),
        };
        if !words.is_empty() {
            self.text(class, x + SQUARE / 2, y + BASELINE, &words);
        }
        self.line("</g>");
    }

    /// Draws the sign of a line of the legend.
    fn sign(&mut self, sign: LegendSign, y: usize) {
        let (class, text_class, words) = match sign {
            LegendSign::Heartbeat(index) => {
                let mark = if self.content.marks { mark(index).to_string() } else { String::new() };
                (format!("h{}", index % COLORS), "in", mark)
            }
            LegendSign::More => ("several".to_owned(), "in", "+".to_owned()),
            LegendSign::Clash => ("clash".to_owned(), "in on", "!".to_owned()),
            LegendSign::Change => ("change".to_owned(), "in", String::new()),
            LegendSign::None => return,
        };
        self.square(&class, MARGIN, y);
        if !words.is_empty() {
            self.text(text_class, MARGIN + SQUARE / 2, y + BASELINE, &words);
        }
    }
}

/// Breaks an entry of the legend into lines, the first with its sign.
fn entry_lines(entry: &LegendEntry) -> Vec<(LegendSign, String)> {
    let lines = wrapped(&entry.text, LEGEND_CHARACTERS);
    let with_sign =
        |(number, text)| (if number == 0 { entry.sign } else { LegendSign::None }, text);
    lines.into_iter().enumerate().map(with_sign).collect()
}

/// Escapes text for XML. Characters that XML does not allow are left out.
fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => {}
            c => escaped.push(c),
        }
    }
    escaped
}
