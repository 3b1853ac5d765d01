//! `SKILL.md` and `skill.toml`: the answers instead of the template's own values.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::answers::{Answers, Detail};
use super::templates::{Slot, Template};
use crate::contract::InputVariable;
use crate::diagnostic::{Edit, with_edits};
use crate::skill::yaml_scalar::{as_any_scalar, as_folded};
use crate::skill::{Bundle, PROTOCOL_FILE_NAME, SKILL_FILE_NAME, Skill, name, placeholder_of};
use dibber_text::{Source, Span};

/// The heading above the list of inputs.
const GIVEN: &str = "## What is given\n\n";

/// Returns the `SKILL.md` of a template with the answers.
pub(super) fn write(template: &Template, answers: &Answers, title: Option<&str>) -> String {
    let text = template.file(SKILL_FILE_NAME).map_or("", |file| file.text);
    let bundle = Bundle::of_text(template.skill, Some(template.skill.to_owned()));
    let skill = Skill::parse(bundle, Source::new(SKILL_FILE_NAME, text), Vec::new());
    let mut edits = Vec::new();
    let mut set = |field: &str, text: String| {
        edits.extend(skill.field(field).map(|entry| Edit { span: entry.value.span, text }));
    };
    // In the Skills Protocol, the name is in `skill.toml`, and here is a title.
    let is_protocol = template.file(PROTOCOL_FILE_NAME).is_some();
    let name = if is_protocol { title } else { answers.name.as_deref() };
    if let Some(name) = name {
        set("name", as_any_scalar(name));
    }
    if let Some(description) = &answers.description {
        set("description", as_folded("description", description.trim()));
        set("short_description", as_folded("short_description", first_sentence(description)));
    }
    if let (Some(title), Some(heading)) = (title, &skill.markdown().heading) {
        edits.push(Edit { span: heading.span, text: as_heading(title) });
    }
    edits.extend(answers.description.as_deref().and_then(|text| first_paragraph(&skill, text)));
    edits.extend(details(template, &skill, answers));
    with_inputs(with_edits(text, &edits), &answers.inputs)
}

/// Returns the edit of the first paragraph of the body, if it is what the description says that
/// the skill does: an agent that sees only the body reads there what to do.
fn first_paragraph(skill: &Skill, description: &str) -> Option<Edit> {
    let (known, _) = skill.string_field("description")?;
    let span = find_first_paragraph(skill, what_it_does(known))?;
    Some(Edit { span, text: as_paragraph(what_it_does(description)) })
}

/// Returns the place of the first paragraph of the body, which may have a heading above it, if it
/// is this text.
pub(crate) fn find_first_paragraph(skill: &Skill, text: &str) -> Option<Span> {
    let (heading, body) = (skill.markdown().heading.as_ref(), skill.body_text());
    let heading = heading.and_then(|heading| {
        let above = &body[..heading.span.start - skill.body.start];
        above.trim().is_empty().then(|| heading.span.end - skill.body.start)
    });
    let after = heading.unwrap_or_default();
    let at = body.len() - body[after..].trim_start().len();
    let mut rest = body[at..].strip_prefix(text)?.lines();
    let ends =
        rest.next().unwrap_or_default().is_empty() && rest.next().unwrap_or_default().is_empty();
    let start = skill.body.start + at;
    ends.then(|| Span::new(start, start + text.len()))
}

/// Returns the edits of the slots that have an answer.
fn details(template: &Template, skill: &Skill, answers: &Answers) -> Vec<Edit> {
    let edit = |slot: &Slot| {
        let text = match answers.details.get(slot.name)? {
            Detail::Text(text) => as_markdown(text.trim()),
            Detail::Input { before, name, after } => {
                let (before, after) = (as_markdown(before), as_markdown(after));
                format!("{before}{}{after}", placeholder_of(name)).trim().to_owned()
            }
        };
        let start = skill.body.start + skill.body_text().find(slot.text)?;
        Some(Edit { span: Span::new(start, start + slot.text.len()), text })
    };
    template.slots.iter().filter_map(edit).collect()
}

/// Returns the `skill.toml` of a template with the answers.
pub(super) fn write_protocol(text: &str, answers: &Answers) -> String {
    let Ok(table) = DeTable::parse(text) else { return text.to_owned() };
    let value = |key: &str| -> Option<&Spanned<DeValue<'_>>> { table.get_ref().get(key) };
    let mut edits = Vec::new();
    let mut set = |key: &str, text: &str| {
        // A string of JSON without control characters is one of TOML.
        let text = serde_json::Value::from(text).to_string();
        edits.extend(value(key).map(|value| Edit { span: Span::from(value.span()), text }));
    };
    if let Some(name) = &answers.name {
        set("name", name);
    }
    if let Some(description) = &answers.description {
        set("description", first_sentence(description));
    }
    with_edits(text, &edits)
}

/// Returns what a description says that the skill does: all of it before the last sentence that
/// begins with "Use", which says when to use it.
pub(crate) fn what_it_does(description: &str) -> &str {
    let text = description.trim();
    let ends = |before: &str| {
        let before = before.trim_end_matches(['"', '\'', ')', '”', '’']);
        before.ends_with(['.', '!', '?', '。', '…'])
    };
    let triggers = text.rmatch_indices(" Use ").map(|(at, _)| at);
    triggers.into_iter().find(|&at| ends(&text[..at])).map_or(text, |at| &text[..at])
}

/// Returns the first sentence of a string, or all of it.
fn first_sentence(text: &str) -> &str {
    const ABBREVIATIONS: [&str; 8] = ["Dr", "Mr", "Mrs", "Ms", "Prof", "St", "e.g", "i.e"];
    let text = text.trim();
    let is_end = |at: &usize| {
        let word = text[..*at].rsplit(char::is_whitespace).next().unwrap_or_default();
        !ABBREVIATIONS.contains(&word)
    };
    let end = text.match_indices(". ").map(|(at, _)| at).find(is_end);
    end.map_or(text, |at| &text[..=at])
}

/// Returns a title as the heading of a body.
pub(crate) fn as_heading(title: &str) -> String {
    format!("# {}", as_markdown(title))
}

/// Escapes a string so that Markdown shows it as it is.
fn as_markdown(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '&' | '~') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Escapes a string as a paragraph: its beginning must not be read as a list.
pub(crate) fn as_paragraph(text: &str) -> String {
    let escaped = as_markdown(text);
    let digits = escaped.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = escaped.split_at(digits);
    let begins_list = match digits {
        0 => rest.starts_with(['-', '+', '=']),
        _ => rest.starts_with(['.', ')']),
    };
    let sign = if begins_list { "\\" } else { "" };
    format!("{number}{sign}{rest}")
}

/// Adds the placeholders of inputs that the text does not use yet to the list of inputs. If there
/// is no list, it is created before the first section.
pub(crate) fn with_inputs(mut text: String, inputs: &[InputVariable]) -> String {
    let line = |name: &str| format!("- {}: {}\n", name::to_heading(name), placeholder_of(name));
    let is_new = |name: &&str| !text.contains(&placeholder_of(name));
    let names = inputs.iter().map(|input| input.name.as_str());
    let lines: String = names.filter(is_new).map(line).collect();
    if lines.is_empty() {
        return text;
    }
    if let Some(at) = text.find(GIVEN) {
        let list = at + GIVEN.len();
        let length: usize = text[list..]
            .split_inclusive('\n')
            .take_while(|line| line.starts_with("- "))
            .map(str::len)
            .sum();
        text.insert_str(list + length, &lines);
        return text;
    }
    match text.find("\n## ") {
        Some(at) => text.insert_str(at + 1, &format!("{GIVEN}{lines}\n")),
        None => text += &format!("\n{GIVEN}{lines}"),
    }
    text
}

/// Removes the lines of these inputs, which are nothing but a label and the placeholder, from the
/// list of inputs in the body, which begins here; its heading too if no line is left.
pub(crate) fn without_inputs(mut text: String, body: usize, inputs: &[String]) -> String {
    let Some(list) = text[body..].find(GIVEN).map(|at| body + at + GIVEN.len()) else {
        return text;
    };
    let is_removed = |line: &str| {
        let mut placeholders = inputs.iter().map(|name| placeholder_of(name));
        let value = line.trim_end().rsplit_once(": ").map_or("", |(_, value)| value);
        placeholders.any(|placeholder| value == placeholder)
    };
    let lines = text[list..].split_inclusive('\n').take_while(|line| line.starts_with("- "));
    let (kept, all) = lines.fold((String::new(), 0), |(mut kept, all), line| {
        if !is_removed(line) {
            kept += line;
        }
        (kept, all + line.len())
    });
    if kept.len() == all {
        return text;
    }
    let start = if kept.is_empty() { list - GIVEN.len() } else { list };
    // The line between the list and what comes after it.
    let blank = usize::from(kept.is_empty() && text[list + all..].starts_with('\n'));
    text.replace_range(start..list + all + blank, &kept);
    text
}
