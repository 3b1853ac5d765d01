//! Pictures as SVG documents, which need no font, script or other file.

use std::fmt::Write;

use super::grid::{Cell, Grid, Kind};
use super::legend::{Entry, Sign};
use super::{Picture, mark};

/// The space around a picture, in pixels.
const MARGIN: usize = 16;
/// The height of the title and of a line of the legend, in pixels.
const LINE: usize = 20;
/// The width of a row's label, in pixels.
const LABEL: usize = 52;
/// The side of a cell with its gap, in pixels.
const CELL: usize = 22;
/// The side of a cell, in pixels.
const SQUARE: usize = 20;
/// The most characters of a line of the legend.
const LEGEND_CHARACTERS: usize = 100;
/// How many colours heartbeats have; further ones begin again with the first.
const COLORS: usize = 6;

/// The looks. Marks are told apart by their letters too, and everything is read on light and on
/// dark ground.
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

pub(super) fn document(picture: &Picture) -> String {
    let grid = &picture.grid;
    let legend: Vec<_> = picture.legend.iter().flat_map(cut).collect();
    let width = 2 * MARGIN + LABEL + grid.columns * CELL;
    let top = MARGIN + 2 * LINE + 6;
    let bottom = top + grid.rows.len() * CELL;
    let height = bottom + LINE / 2 + legend.len() * LINE + MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n"
    );
    let kind = if grid.period.kind == Kind::Week { "hour of a week" } else { "day of a year" };
    let legend_text: Vec<_> = picture.legend.iter().map(|entry| xml(&entry.text)).collect();
    line(&mut out, &format!("<title id=\"title\">Heartbeats, {}</title>", xml(&grid.title)));
    let desc = format!("<desc id=\"desc\">Fires by the {kind}. {}</desc>", legend_text.join("; "));
    line(&mut out, &desc);
    line(&mut out, &format!("<style>\n{STYLE}</style>"));
    line(&mut out, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>");
    text(&mut out, "title", MARGIN, MARGIN + 14, &grid.title);
    for (column, word) in &grid.header {
        let (class, x) = match grid.period.kind {
            Kind::Week => ("", MARGIN + LABEL + column * CELL),
            Kind::Year => ("date", MARGIN + LABEL + column * CELL + SQUARE / 2),
        };
        text(&mut out, class, x, top - 6, word);
    }
    for (number, row) in grid.rows.iter().enumerate() {
        let y = top + number * CELL;
        text(&mut out, "", MARGIN, y + 14, &row.label);
        for (column, cell) in row.cells.iter().enumerate() {
            if let Some(cell) = cell {
                draw_cell(&mut out, grid, cell, MARGIN + LABEL + column * CELL, y);
            }
        }
    }
    for (number, (sign, words)) in legend.iter().enumerate() {
        draw_sign(&mut out, *sign, bottom + LINE / 2 + number * LINE);
        let x = if *sign == Sign::None && !grid.has_marks { MARGIN } else { MARGIN + CELL + 6 };
        text(&mut out, "", x, bottom + LINE / 2 + number * LINE + 13, words);
    }
    out.push_str("</svg>\n");
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn text(out: &mut String, class: &str, x: usize, y: usize, words: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    line(out, &format!("<text{class} x=\"{x}\" y=\"{y}\">{}</text>", xml(words)));
}

fn square(out: &mut String, class: &str, x: usize, y: usize) {
    write!(
        out,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" rx=\"3\"/>"
    )
    .expect("a string takes all text");
}

fn draw_cell(out: &mut String, grid: &Grid, cell: &Cell, x: usize, y: usize) {
    let mut heartbeats = cell.heartbeats();
    let class = match (heartbeats.next(), heartbeats.next()) {
        (None, _) => "quiet".to_owned(),
        _ if cell.clash => "clash".to_owned(),
        (Some(one), None) => format!("h{}", one % COLORS),
        (Some(_), Some(_)) => "several".to_owned(),
    };
    let is_week = grid.period.kind == Kind::Week;
    let format = if is_week { "%a %-d %b %Y, %H:%M" } else { "%a %-d %b %Y" };
    let fires = match cell.fires {
        0 => "no fire".to_owned(),
        1 => "1 fire".to_owned(),
        fires => format!("{fires} fires"),
    };
    write!(out, "<g><title>{}: {fires}</title>", cell.start.strftime(format))
        .expect("a string takes all text");
    square(out, &class, x, y);
    if cell.change {
        square(out, "change", x, y);
    }
    let (class, words) = match cell.fires {
        0 if is_week => ("", String::new()),
        0 => ("date", cell.start.day().to_string()),
        _ if cell.clash => ("in on", "!".to_owned()),
        _ => ("in", cell.text(grid.has_marks, 2)),
    };
    if !words.is_empty() {
        text(out, class, x + SQUARE / 2, y + 14, &words);
    }
    line(out, "</g>");
}

fn draw_sign(out: &mut String, sign: Sign, y: usize) {
    let x = MARGIN;
    let middle = x + SQUARE / 2;
    let mut swatch = |class: &str, text_class: &str, words: &str| {
        square(out, class, x, y - 1);
        text(out, text_class, middle, y + 13, words);
    };
    match sign {
        Sign::Heartbeat(index) => {
            swatch(&format!("h{}", index % COLORS), "in", &mark(index).to_string());
        }
        Sign::More => swatch("several", "in", "+"),
        Sign::Clash => swatch("clash", "in on", "!"),
        Sign::Change => swatch("change", "in", ""),
        Sign::None => {}
    }
}

/// An entry of the legend in lines that fit, the first with its sign.
fn cut(entry: &Entry) -> Vec<(Sign, String)> {
    let lines = super::terminal::wrapped(&entry.text, LEGEND_CHARACTERS);
    let with_sign = |(number, text)| (if number == 0 { entry.sign } else { Sign::None }, text);
    lines.into_iter().enumerate().map(with_sign).collect()
}

/// A text in XML. Characters that XML has no place for are left out.
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
