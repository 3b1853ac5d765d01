//! `child-name`: the skill contains a child's name.

use std::collections::HashSet;

use crate::rule::{Check, Rule};
use crate::run_values::values_of_runs;
use crate::scan::{TextFile, push_first, text_files};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::manifest::{self, MANIFEST_FILE_NAME, Manifest};
use dibber_skill::names::{HELP_IN_NAMES, HELP_IN_PROMPT, HELP_IN_PROSE, Hit, Roster, Scope};
use dibber_skill::skill::{PlaceholderKind, Skill, placeholders};
use dibber_text::{Span, message};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "child-name",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the skill contains a child's name",
        docs: include_str!("child_name.md"),
    },
    check: Check::Names(check),
};

fn check(skill: &Skill, roster: &Roster, findings: &mut Vec<Finding>) {
    let manifest = manifest_of(skill);
    for file in text_files(skill) {
        let source = file.source.text();
        let mut hits: Vec<(Hit, &str)> = Vec::new();
        for (value, span) in identifiers(skill, manifest.as_ref(), file) {
            let found = hits_in_identifier(roster, source, &value, span);
            hits.extend(found.into_iter().map(|hit| (hit, HELP_IN_NAMES)));
        }
        let help_at = |hit: Hit| match file.resource {
            None if hit.span.start >= skill.body.start => HELP_IN_PROMPT,
            _ => HELP_IN_PROSE,
        };
        let mut prose = roster.find(source, Scope::Prose);
        prose.retain(|hit| !hits.iter().any(|(known, _)| known.span.overlaps(hit.span)));
        let is_value = values_of_runs(skill, file, manifest.as_ref());
        prose.retain(|hit| !is_value(hit.span));
        hits.extend(prose.into_iter().map(|hit| (hit, help_at(hit))));
        hits.sort_by_key(|(hit, _)| hit.span);
        push_first(findings, &hits, |(hit, help)| {
            Finding::at(&RULE.meta, file.place(hit.span), hit.message()).help(*help)
        });
    }
    findings.extend(in_file_names(skill, roster));
}

/// Returns what the `sprout.yaml` of a skill contains, if there is one.
fn manifest_of(skill: &Skill) -> Option<Manifest> {
    let file = skill.resources.iter().find(|file| file.path == MANIFEST_FILE_NAME)?;
    Some(manifest::parse(&file.source).0)
}

/// The values in a file that are names of something, in which case is ignored.
fn identifiers(
    skill: &Skill,
    manifest: Option<&Manifest>,
    file: TextFile<'_>,
) -> Vec<(String, Span)> {
    let declared = manifest.and_then(|manifest| manifest.inputs.as_ref());
    let is_included = |path: &str| {
        manifest.is_some_and(|manifest| manifest.include.iter().any(|file| file.value == path))
    };
    match file.resource {
        None => {
            let name = skill.string_field("name");
            let name = name.map(|(name, span)| (name.to_owned(), span));
            let inputs = declared.is_none().then(|| inputs_of(file, skill.body));
            name.into_iter().chain(inputs.into_iter().flatten()).collect()
        }
        Some(index) if skill.resources[index].path == MANIFEST_FILE_NAME => {
            let inputs = declared.into_iter().flatten();
            inputs.map(|input| (input.name.value.clone(), input.name.span)).collect()
        }
        Some(index) if declared.is_none() && is_included(&skill.resources[index].path) => {
            inputs_of(file, Span::new(0, file.source.text().len()))
        }
        Some(_) => Vec::new(),
    }
}

/// The inputs that a part of the prompt uses, each where it is used first: they are published if
/// `sprout.yaml` declares none.
fn inputs_of(file: TextFile<'_>, part: Span) -> Vec<(String, Span)> {
    let mut seen = HashSet::new();
    let inputs = placeholders(file.source.slice(part)).into_iter().filter_map(|found| {
        let PlaceholderKind::Input(name) = found.kind else { return None };
        seen.insert(name.clone()).then(|| (name, found.span.shift(part.start)))
    });
    inputs.collect()
}

/// The hits in such a value, which is somewhere in `span` of the file.
fn hits_in_identifier(roster: &Roster, source: &str, value: &str, span: Span) -> Vec<Hit> {
    let hits = roster.find(value, Scope::FileName).into_iter();
    match source[span.range()].find(value) {
        Some(at) => hits.map(|hit| Hit { span: hit.span.shift(span.start + at), ..hit }).collect(),
        None => hits.take(1).map(|hit| Hit { span, ..hit }).collect(),
    }
}

/// A finding for each file or directory whose name or path contains a child's name.
fn in_file_names(skill: &Skill, roster: &Roster) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut report = |hits: Vec<Hit>, file: &str, what: &'static str| {
        findings.extend(hits.into_iter().map(|hit| {
            let place = Place::File(file.to_owned());
            Finding::at(&RULE.meta, place, message![what, " ", hit.message()]).help(HELP_IN_NAMES)
        }));
    };
    let find = |name: &str| roster.find(name, Scope::FileName);
    let bundle = &skill.bundle;
    if let Some(name) = &bundle.name {
        report(find(name), &bundle.skill_file, "the name of the skill's directory");
    }
    let nested = bundle.nested_skills();
    let mut known_directories = HashSet::new();
    for file in bundle.files.iter().filter(|file| !nested.own(&file.path)) {
        let path = file.path.as_str();
        let (mut start, mut known_end) = (0, 0);
        for (slash, _) in path.match_indices('/') {
            if known_directories.insert(&path[..slash]) {
                report(find(&path[start..slash]), path, "the name of a directory");
            } else {
                known_end = slash;
            }
            start = slash + 1;
        }
        report(find(&path[start..]), path, "the name of the file");
        let across = hits_across_directories(roster, bundle.name.as_deref(), path, known_end);
        report(across, path, "the path of the file");
    }
    findings
}

/// The names whose words are in several components of a path, such as `anna/lena.md`. Those that end
/// up to byte `known_end` were found in the path of another file.
fn hits_across_directories(
    roster: &Roster,
    directory: Option<&str>,
    path: &str,
    known_end: usize,
) -> Vec<Hit> {
    let root = directory.map_or_else(String::new, |directory| format!("{directory}/"));
    let whole = format!("{root}{path}");
    let mut hits = roster.find(&whole, Scope::FileName);
    hits.retain(|hit| {
        whole[hit.span.range()].contains('/') && hit.span.end > root.len() + known_end
    });
    hits
}
