//! Which files the links of a skill's texts point at.
//!
//! A link may be meant from the folder of the file that holds it, as Markdown has it, or from
//! the skill's folder, as the specification has it; it is right when either leads to a file.
//! What is no path at all (addresses, anchors, templates, examples) is passed over.

use std::borrow::Cow;

use memchr::memmem;

use super::paths::{ancestors, is_placeholder, joined, percent_decoded};
use dibber_skill::diagnostic::Place;
use dibber_skill::skill::{Bundle, Link, Markdown, Resource, Skill};
use dibber_text::{Source, Span};

/// Folders whose Markdown is copied or filled in elsewhere, so that its links belong there.
const FOLDERS_OF_OTHER_TEXTS: [&str; 12] = [
    "assets",
    "templates",
    "template",
    "examples",
    "example",
    "evals",
    "eval",
    "tests",
    "test",
    "fixtures",
    "node_modules",
    "vendor",
];
/// Beginnings of the names of files that are written for people and not for a model.
const NAMES_OF_TEXTS_FOR_PEOPLE: [&str; 7] =
    ["readme", "changelog", "contributing", "license", "code_of_conduct", "security", "history"];
/// The most bytes of a link's label in `CommonMark`.
const LABEL_BYTES_MAX: usize = 999;
/// Characters that make a target a template, a pattern or an example.
const TEMPLATE_CHARACTERS: [char; 9] = ['{', '}', '<', '>', '$', '*', '|', '…', '"'];

/// A text of the skill that a model reads: the body of its `SKILL.md`, or a Markdown file.
#[derive(Clone, Copy)]
pub(crate) struct Page<'s> {
    skill: &'s Skill,
    /// The index of the resource; none for `SKILL.md`.
    index: Option<usize>,
}

/// Where a link leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// To that file of the skill, by its path from the skill's folder.
    File(String),
    /// To a folder of the skill, or to something that cannot be looked into.
    Elsewhere,
    /// Out of the skill's folder.
    Outside,
    /// To nothing: the path that was looked for, from the skill's folder.
    Missing(String),
}

/// The texts of the skill that a model reads, `SKILL.md` first.
pub(crate) fn pages(skill: &Skill) -> impl Iterator<Item = Page<'_>> {
    let resources = skill.resources.iter().enumerate();
    let resources = resources
        .filter(|(_, resource)| is_page(resource))
        .map(|(index, _)| Page { skill, index: Some(index) });
    std::iter::once(Page { skill, index: None }).chain(resources)
}

fn is_page(resource: &Resource) -> bool {
    let (folders, name) = resource.path.rsplit_once('/').unwrap_or(("", &resource.path));
    let has_ending = |ending: &str| {
        name.len() > ending.len()
            && name.as_bytes()[name.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
    };
    let starts_with = |start: &&str| {
        name.as_bytes().get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start.as_bytes()))
    };
    let is_other = |part: &str| part.starts_with('.') || FOLDERS_OF_OTHER_TEXTS.contains(&part);
    (has_ending(".md") || has_ending(".markdown"))
        && !NAMES_OF_TEXTS_FOR_PEOPLE.iter().any(starts_with)
        && !folders.split('/').any(is_other)
}

impl<'s> Page<'s> {
    /// The path from the skill's folder.
    pub(crate) fn path(self) -> &'s str {
        match self.index {
            None => &self.skill.bundle.skill_file,
            Some(index) => &self.skill.resources[index].path,
        }
    }

    /// Tells whether it is the skill's own file.
    pub(crate) const fn is_skill_file(self) -> bool {
        self.index.is_none()
    }

    /// The whole file.
    pub(crate) fn source(self) -> &'s Source {
        match self.index {
            None => &self.skill.source,
            Some(index) => &self.skill.resources[index].source,
        }
    }

    /// The bytes that are Markdown: not the frontmatter of `SKILL.md`.
    pub(crate) fn body(self) -> Span {
        match self.index {
            None => self.skill.body,
            Some(index) => Span::new(0, self.skill.resources[index].source.text().len()),
        }
    }

    /// The links and code. Slow on first use.
    pub(crate) fn markdown(self) -> &'s Markdown {
        match self.index {
            None => self.skill.markdown(),
            Some(index) => self.skill.resources[index].markdown(),
        }
    }

    /// A place in it.
    pub(crate) fn place(self, span: Span) -> Place {
        self.index.map_or(Place::SkillFile(span), |index| Place::Resource(index, span))
    }

    /// The links that are relative paths, each with the path as it is meant.
    pub(crate) fn relative_links(self) -> impl Iterator<Item = (&'s Link, Cow<'s, str>)> {
        let links: &[Link] = if may_hold_relative_link(self.source().slice(self.body())) {
            &self.markdown().links
        } else {
            &[]
        };
        links.iter().filter_map(|link| Some((link, relative_path(&link.target)?)))
    }

    /// Finds out where a relative path in this text leads.
    pub(crate) fn destination(self, path: &str) -> Destination {
        let bundle = &self.skill.bundle;
        let folder = self.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        let from_here = joined(folder, path);
        let from_root = if folder.is_empty() { None } else { joined("", path) };
        for path in from_here.iter().chain(&from_root) {
            if let Some(destination) = existing(bundle, path) {
                return destination;
            }
        }
        from_here.map_or(Destination::Outside, Destination::Missing)
    }
}

/// Tells, without reading it as Markdown, whether a text may hold a link to a file.
fn may_hold_relative_link(text: &str) -> bool {
    let bytes = text.as_bytes();
    let leads_to_file = |at: usize| {
        let target = bytes[at + 2..].trim_ascii_start();
        let target = target.strip_prefix(b"<").unwrap_or(target);
        !(target.starts_with(b"http") || target.starts_with(b"#"))
    };
    memmem::find_iter(bytes, b"](").any(leads_to_file)
        || memmem::find_iter(bytes, b"]:")
            .any(|at| leads_to_file(at) && starts_with_label(bytes, at))
}

/// Tells whether nothing but a label in brackets, as of `[label]: target`, stands on the line of
/// the byte `end` in front of it.
fn starts_with_label(bytes: &[u8], end: usize) -> bool {
    let before = &bytes[end.saturating_sub(LABEL_BYTES_MAX)..end];
    let line = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    before[line..].trim_ascii_start().starts_with(b"[")
}

/// The path that a link's target names, without fragment and query; none when it is no path.
fn relative_path(target: &str) -> Option<Cow<'_, str>> {
    let path = &target[..target.find(['#', '?']).unwrap_or(target.len())];
    let first = path.bytes().next()?;
    let before_slash = &path[..path.find('/').unwrap_or(path.len())];
    if matches!(first, b'/' | b'\\' | b'~' | b'@' | b'%') || before_slash.contains(':') {
        return None;
    }
    if path.contains(TEMPLATE_CHARACTERS) || path.contains("...") {
        return None;
    }
    let decoded = percent_decoded(path)?;
    let path = if decoded.contains('\\') { decoded.replace('\\', "/").into() } else { decoded };
    (looks_like_path(&path) && !is_placeholder(&path)).then_some(path)
}

/// A bare word is a path only if it is the name of a file that commonly has no ending.
fn looks_like_path(path: &str) -> bool {
    path.contains(['/', '.']) || matches!(path, "LICENSE" | "NOTICE" | "Makefile" | "Dockerfile")
}

fn existing(bundle: &Bundle, path: &str) -> Option<Destination> {
    if path.is_empty() || bundle.has_folder(path) {
        return Some(Destination::Elsewhere);
    }
    if bundle.is_regular(path).is_some() {
        return Some(Destination::File(path.to_owned()));
    }
    // What lies behind a symbolic link, or in a folder that is never walked, is not known.
    let is_unknown = |folder: &str| {
        let last = folder.rsplit_once('/').map_or(folder, |(_, last)| last);
        matches!(last, "node_modules" | ".git") || bundle.is_regular(folder) == Some(false)
    };
    ancestors(path).any(is_unknown).then_some(Destination::Elsewhere)
}
