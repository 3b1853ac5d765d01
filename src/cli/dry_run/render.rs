//! The page about one skill, for the person who decides about it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::review::Review;
use crate::cli::locale_clock::clock_of_locale;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::{INDENT_COLUMNS, MARGIN_COLUMNS, Sheet};
use crate::cli::term::style::{Color, Ink, Style};
use crate::cli::term::wording::quantity;
use dibber_lint::Settings;
use dibber_lint::report::layout::{columns, wrap_after};
use dibber_skill::contract::{
    Category, Decision, InputVariable, Runner, Shape, SkillPreview, WireEnum,
};
use dibber_skill::draft::cadence;
use dibber_skill::manifest::Heartbeat;
use dibber_skill::names::Roster;
use dibber_skill::skill::{Placeholder, PlaceholderKind, placeholders};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{escape, shell_word};

/// The bar before a line of a prompt.
const BAR: &str = "│";
/// The bar before the rest of a line that was too long.
const BAR_OF_REST: &str = "┊";
/// A tab in a prompt, as it is shown.
const TAB: &str = "    ";
/// The marks around a placeholder without colour.
const MARKS: [&str; 2] = ["«", "»"];

/// The most files that are not published and are shown one by one.
const UNPUBLISHED_SHOWN_MAX: usize = 10;

/// For whom a page is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Wording {
    /// For a parent at a terminal, who decides whether to publish.
    #[cfg_attr(not(feature = "remote"), expect(dead_code, reason = "`push` asks a parent"))]
    Everyday,
    /// In the terms of the contracts, with sizes and hashes.
    Technical,
}

/// What a page needs besides the review.
pub(in crate::cli) struct RenderContext<'a> {
    pub(in crate::cli) wording: Wording,
    pub(in crate::cli) style: Style,
    pub(in crate::cli) settings: &'a Settings,
    pub(in crate::cli) roster: &'a Roster,
}

/// Returns the page about a skill, with the rendered prompt if there is one.
pub(in crate::cli) fn page(
    review: &Review,
    rendered: Option<&str>,
    context: &RenderContext,
) -> Rendered {
    let mut page = Page { context, sheet: open_page(review, rendered, context) };
    page.conclusion(review);
    page.sheet.finish()
}

/// Returns the page without the decision at its end: a push shows that of the server.
pub(in crate::cli) fn open_page<'a>(
    review: &Review,
    rendered: Option<&str>,
    context: &'a RenderContext<'a>,
) -> Sheet<'a> {
    let mut page = Page { context, sheet: Sheet::new(context.style, context.roster) };
    page.skill(review, rendered);
    page.sheet
}

/// Returns the first files that are not published, and how many more there are.
pub(in crate::cli) fn unpublished(files: &[String]) -> String {
    let (first, more) = files.split_at(files.len().min(UNPUBLISHED_SHOWN_MAX));
    let shown = first.join(", ");
    if more.is_empty() { shown } else { format!("{shown} and {} more", more.len()) }
}

/// The page while it is written.
struct Page<'a> {
    context: &'a RenderContext<'a>,
    sheet: Sheet<'a>,
}

impl Page<'_> {
    fn skill(&mut self, review: &Review, rendered: Option<&str>) {
        match &review.preview {
            Some(preview) => {
                self.sheet.title(&preview.name, &review.path);
                let word = match self.context.wording {
                    Wording::Everyday => {
                        self.everyday(review, preview);
                        "text"
                    }
                    Wording::Technical => {
                        self.preview(review, preview);
                        "prompt"
                    }
                };
                self.prompt(word, preview.prompt_bytes, &preview.prompt, &preview.input_variables);
                if let Some(rendered) = rendered {
                    self.prompt("filled in", rendered.len(), rendered, &[]);
                }
            }
            None => self.sheet.title("", &review.path),
        }
        let style = self.context.style;
        self.sheet.push_rendered(&Rendered::findings(&review.faults, style));
        let reasons = review.reasons(self.context.settings);
        self.sheet.push_rendered(&Rendered::findings(&reasons, style));
    }

    fn preview(&mut self, review: &Review, preview: &SkillPreview) {
        self.sheet.paragraphs("summary", &preview.description);
        self.sheet.row("category", preview.category.name());
        self.audience(preview);
        if preview.shape == Shape::Assignment {
            self.sheet.row("shape", "assignment: it schedules another skill");
        }
        self.sheet.list("hands", &preview.hands_referenced);
        self.inputs(review, &preview.input_variables);
        self.sheet.list("canvases", &preview.canvas_ids);
        if let Some(model) = &preview.response_model {
            self.sheet.row("result", &fields_of(model));
        }
        self.files_and_heartbeats(review, "heartbeats", heartbeat_text);
    }

    /// Writes who can run a skill, and for children of which age.
    fn audience(&mut self, preview: &SkillPreview) {
        self.sheet.row("run by", &run_by(preview));
        let is_for_children = preview.runnable_by.contains(&Runner::Child);
        if let Some(ages) = preview.age_range.as_ref().filter(|_| !is_for_children) {
            self.sheet.row("ages", ages);
        }
    }

    /// Writes the files that are not published, and a row for each heartbeat.
    fn files_and_heartbeats(
        &mut self,
        review: &Review,
        label: &'static str,
        text: impl Fn(&Heartbeat) -> String,
    ) {
        if !review.unpublished.is_empty() {
            self.sheet.row("not sent", &unpublished(&review.unpublished));
        }
        let manifest = review.drafted().draft.manifest.as_ref();
        let heartbeats = manifest.map_or(&[][..], |manifest| &manifest.heartbeats);
        for (index, heartbeat) in heartbeats.iter().enumerate() {
            self.sheet.row(if index == 0 { label } else { "" }, &text(heartbeat));
        }
    }

    /// Writes what a parent decides about, without what there is none of.
    fn everyday(&mut self, review: &Review, preview: &SkillPreview) {
        self.sheet.paragraphs("does", &preview.description);
        self.audience(preview);
        if !preview.hands_referenced.is_empty() {
            self.sheet.list("may use", &preview.hands_referenced);
        }
        let inputs: Vec<_> = preview.input_variables.iter().map(|it| it.name.as_str()).collect();
        if !inputs.is_empty() {
            self.sheet.row("asks for", &inputs.join(", "));
        }
        if !preview.canvas_ids.is_empty() {
            self.sheet.list("canvases", &preview.canvas_ids);
        }
        self.files_and_heartbeats(review, "runs at", |heartbeat| {
            let schedule = heartbeat.wire_schedule();
            let words = cadence(&schedule.cron, schedule.time_zone.as_deref(), clock_of_locale());
            words.unwrap_or(schedule.cron)
        });
    }

    fn inputs(&mut self, review: &Review, inputs: &[InputVariable]) {
        if inputs.is_empty() {
            self.sheet.row("inputs", "none");
        }
        let optional: Vec<&str> = review.drafted().draft.optional_inputs().collect();
        let exact = &review.exact_arguments().input_variables;
        for (index, (input, exact)) in inputs.iter().zip(exact).enumerate() {
            let is_optional = optional.contains(&exact.name.as_str());
            let need = if is_optional { "optional" } else { "required" };
            let facts = match &input.kind {
                Some(kind) => format!("{} ({kind}, {need})", input.name),
                None => format!("{} ({need})", input.name),
            };
            self.sheet.row(if index == 0 { "inputs" } else { "" }, &facts);
            if let Some(description) = &input.description {
                self.sheet.indent(INDENT_COLUMNS + 2);
                self.sheet.wrap(INDENT_COLUMNS + 2, description, None);
            }
        }
    }

    /// Writes a whole prompt, each line after a bar.
    fn prompt(&mut self, word: &'static str, bytes: usize, prompt: &str, inputs: &[InputVariable]) {
        let (characters, lines) = (prompt.chars().count(), prompt.lines().count());
        let mut facts = quantity(lines, "line", "lines");
        if self.context.wording == Wording::Technical {
            let bytes = quantity(bytes, "byte", "bytes");
            let characters = quantity(characters, "character", "characters");
            facts = format!("{bytes}, {characters}, {facts}");
        }
        let names: BTreeSet<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        let lines: Vec<_> = prompt
            .lines()
            .map(|line| PromptLine::new(line, &names, self.context.style.color))
            .collect();
        let is_marked = lines.iter().any(|line| !line.marked.is_empty());
        if is_marked && self.context.style.color == Color::Never {
            facts += &format!("; {}…{} is filled in at each run", MARKS[0], MARKS[1]);
        }
        self.sheet.row(word, &facts);
        self.sheet.end_line();
        if lines.is_empty() {
            return;
        }
        for line in &lines {
            self.prompt_line(line);
        }
        self.sheet.end_line();
    }

    fn prompt_line(&mut self, line: &PromptLine) {
        let indent = line.text.len() - line.text.trim_start_matches(' ').len();
        let room = self.context.style.width.saturating_sub(MARGIN_COLUMNS + 2);
        let indent = indent.min(room / 2);
        let mut bar = BAR;
        for part in wrap_after(&line.text, room, room - indent) {
            let start = part.as_ptr() as usize - line.text.as_ptr() as usize;
            self.sheet.indent(MARGIN_COLUMNS);
            self.sheet.paint(Ink::Faint, bar);
            if !part.is_empty() {
                self.sheet.indent(if bar == BAR { 1 } else { 1 + indent });
                self.prompt_part(line, start, start + part.len());
            }
            self.sheet.end_line();
            bar = BAR_OF_REST;
        }
    }

    fn prompt_part(&mut self, line: &PromptLine, start: usize, end: usize) {
        let mut done = start;
        let first = line.marked.partition_point(|(from, _)| *from < start);
        for &(from, to) in line.marked[first..].iter().take_while(|(_, to)| *to <= end) {
            self.sheet.push(&line.text[done..from]);
            self.sheet.paint(Ink::Help, &line.text[from..to]);
            done = to;
        }
        self.sheet.push(&line.text[done..end]);
    }

    fn conclusion(&mut self, review: &Review) {
        let decision = review.decision.decision;
        let ink = match decision {
            Decision::Allow => Ink::Good,
            Decision::Review => Ink::Warning,
            Decision::Refuse => Ink::Error,
        };
        self.sheet.label("decision");
        self.sheet.paint(ink, decision_words(decision));
        self.sheet.end_line();
        match review.hash {
            Some(hash) => self.sheet.row("specHash", &hash.to_string()),
            None => {
                self.sheet.row("specHash", "none, because it is not certain what would be sent");
            }
        }
        let Some(hash) = review.hash else { return self.sheet.row("next", &review.next_step) };
        let shown = match review.decision.decision {
            Decision::Allow => "the preview to the parent. Once they agree",
            Decision::Review => {
                "the preview and the reasons to the parent. Once they agree to both"
            }
            Decision::Refuse => return self.sheet.row("next", "Fix what the reasons name."),
        };
        self.sheet.row("next", &format!("Show {shown}, this publishes it:"));
        self.command(&format!("dibber push {}", shell_word(&review.path)), hash);
    }

    /// Writes a command with the hash that it expects, in two lines of a shell if one has no room: a
    /// hash that is cut at the end of a line cannot be copied.
    fn command(&mut self, command: &str, hash: SpecHash) {
        const MARGIN: usize = 2 * MARGIN_COLUMNS;
        let expect = format!("--expect {hash}");
        let line = format!("{command} {expect}");
        let room = self.sheet.room() + INDENT_COLUMNS - MARGIN;
        let lines =
            if columns(&line) <= room { vec![line] } else { vec![format!("{command} \\"), expect] };
        for line in lines {
            self.sheet.indent(MARGIN);
            self.sheet.push(&line);
            self.sheet.end_line();
        }
    }
}

/// Returns a decision as the contracts name it, and what it means.
pub(in crate::cli) const fn decision_words(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow (nothing to review)",
        Decision::Review => "review (read the reasons above first)",
        Decision::Refuse => "refuse (it cannot be published like this)",
    }
}

/// A line of a prompt as it is shown, and the bytes of its placeholders for inputs. There is no
/// space in those bytes.
struct PromptLine {
    text: String,
    marked: Vec<(usize, usize)>,
}

impl PromptLine {
    fn new(line: &str, names: &BTreeSet<&str>, color: Color) -> Self {
        let mut shown = Self { text: String::with_capacity(line.len()), marked: Vec::new() };
        let mut done = 0;
        for Placeholder { span, kind } in placeholders(line) {
            let PlaceholderKind::Input(name) = kind else { continue };
            if !names.contains(name.as_str()) {
                continue;
            }
            shown.push(&line[done..span.start]);
            let [before, after] = if color == Color::Never { MARKS } else { ["", ""] };
            let start = shown.text.len();
            shown.text.push_str(before);
            shown.text.push_str(&line[span.range()]);
            shown.text.push_str(after);
            shown.marked.push((start, shown.text.len()));
            done = span.end;
        }
        shown.push(&line[done..]);
        shown
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(&escape(text).replace('\t', TAB));
    }
}

fn run_by(preview: &SkillPreview) -> String {
    if preview.category == Category::HomeAgent {
        return "the home agent alone".to_owned();
    }
    let describe = |runner: &Runner| match (runner, &preview.age_range) {
        (Runner::SproutAgent, _) => "Sprout's agent".to_owned(),
        (Runner::HomeAgent, _) => "the home agent".to_owned(),
        (Runner::Child, Some(ages)) => format!("a child ({ages} years old)"),
        (Runner::Child, None) => "a child".to_owned(),
    };
    let who: Vec<_> = preview.runnable_by.iter().map(describe).collect();
    who.join(", ")
}

fn heartbeat_text(heartbeat: &Heartbeat) -> String {
    let (name, schedule) = (&heartbeat.name.value, heartbeat.wire_schedule());
    let (cron, time_zone) = (&schedule.cron, schedule.time_zone.as_deref());
    match (cadence(cron, time_zone, clock_of_locale()), time_zone) {
        (Some(words), _) => format!("{name}: {words} ({cron})"),
        (None, Some(time_zone)) => format!("{name}: {cron} ({time_zone})"),
        (None, None) => format!("{name}: {cron}"),
    }
}

/// Returns the names of the fields that the schema of a result describes.
fn fields_of(model: &Map<String, Value>) -> String {
    let properties = model.get("properties").and_then(Value::as_object);
    let names: Vec<_> =
        properties.into_iter().flat_map(|it| it.keys().map(String::as_str)).collect();
    if names.is_empty() { "has a schema".to_owned() } else { names.join(", ") }
}
