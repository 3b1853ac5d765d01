//! Which files the links in a skill point at.
//!
//! A link may be relative to the directory of its file, as in Markdown, or to the root of the
//! skill, as in the specification; it is valid if either leads to a file. Targets that are not
//! paths (URLs, anchors, templates, examples) are skipped.

use std::borrow::Cow;

use memchr::memmem;

use super::paths::{ancestors, is_placeholder, join, percent_decoded};
use dibber_skill::diagnostic::Place;
use dibber_skill::skill::{Bundle, Link, Markdown, Resource, Skill};
use dibber_text::{Quote, Source, Span, quote};

/// Directories whose Markdown is copied or filled in elsewhere, so that its links belong there.
const TEMPLATE_DIRECTORIES: [&str; 12] = [
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
/// Prefixes of the names of files that are written for people and not for a model.
const HUMAN_FILE_PREFIXES: [&str; 7] =
    ["readme", "changelog", "contributing", "license", "code_of_conduct", "security", "history"];
/// The maximum length in bytes of a link label in `CommonMark`.
const LABEL_BYTES_MAX: usize = 999;
/// Characters that show that a target is a template, a pattern or an example.
const TEMPLATE_CHARACTERS: [char; 9] = ['{', '}', '<', '>', '$', '*', '|', '…', '"'];

/// A page that a model reads: the body of `SKILL.md`, or a Markdown file of the skill.
#[derive(Clone, Copy)]
pub(crate) struct SkillPage<'s> {
    skill: &'s Skill,
    /// The index of the resource; `None` for `SKILL.md`.
    index: Option<usize>,
}

/// What a link points at.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// A file of the skill, as a path from the root of the skill.
    File(String),
    /// A directory of the skill, or something whose content is unknown.
    Elsewhere,
    /// Something outside of the skill.
    Outside,
    /// A file that does not exist, as a path from the root of the skill.
    Missing(String),
}

/// Returns the pages of the skill, `SKILL.md` first.
pub(crate) fn pages(skill: &Skill) -> impl Iterator<Item = SkillPage<'_>> {
    let resources = skill.resources.iter().enumerate();
    let resources = resources
        .filter(|(_, resource)| is_page(resource))
        .map(|(index, _)| SkillPage { skill, index: Some(index) });
    std::iter::once(SkillPage { skill, index: None }).chain(resources)
}

fn is_page(resource: &Resource) -> bool {
    let (directories, name) = resource.path.rsplit_once('/').unwrap_or(("", &resource.path));
    let has_extension = |extension: &str| {
        name.len() > extension.len()
            && name.as_bytes()[name.len() - extension.len()..]
                .eq_ignore_ascii_case(extension.as_bytes())
    };
    let starts_with = |start: &&str| {
        name.as_bytes().get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start.as_bytes()))
    };
    let is_other = |part: &str| part.starts_with('.') || TEMPLATE_DIRECTORIES.contains(&part);
    (has_extension(".md") || has_extension(".markdown"))
        && !HUMAN_FILE_PREFIXES.iter().any(starts_with)
        && !directories.split('/').any(is_other)
}

impl<'s> SkillPage<'s> {
    /// Returns the path from the root of the skill.
    pub(crate) fn path(self) -> &'s str {
        match self.index {
            None => &self.skill.bundle.skill_file,
            Some(index) => &self.skill.resources[index].path,
        }
    }

    /// Returns `true` if the page is `SKILL.md`.
    pub(crate) const fn is_skill_file(self) -> bool {
        self.index.is_none()
    }

    /// Returns the whole file.
    pub(crate) fn source(self) -> &'s Source {
        match self.index {
            None => &self.skill.source,
            Some(index) => &self.skill.resources[index].source,
        }
    }

    /// Returns the span of the Markdown: without the frontmatter of `SKILL.md`.
    pub(crate) fn body(self) -> Span {
        match self.index {
            None => self.skill.body,
            Some(index) => Span::new(0, self.skill.resources[index].source.text().len()),
        }
    }

    /// Returns the links and code. The first call parses the page.
    pub(crate) fn markdown(self) -> &'s Markdown {
        match self.index {
            None => self.skill.markdown(),
            Some(index) => self.skill.resources[index].markdown(),
        }
    }

    /// Returns the place of a span in the page.
    pub(crate) fn place(self, span: Span) -> Place {
        self.index.map_or(Place::SkillFile(span), |index| Place::Resource(index, span))
    }

    /// Returns the links with relative paths, each with its decoded path.
    pub(crate) fn relative_links(self) -> impl Iterator<Item = (&'s Link, Cow<'s, str>)> {
        let links: &[Link] = if may_contain_relative_link(self.source().slice(self.body())) {
            &self.markdown().links
        } else {
            &[]
        };
        links.iter().filter_map(|link| Some((link, relative_path(&link.target)?)))
    }

    /// Resolves a relative path on this page.
    pub(crate) fn destination(self, path: &str) -> Destination {
        let bundle = &self.skill.bundle;
        let directory = self.path().rsplit_once('/').map_or("", |(directory, _)| directory);
        let from_here = join(directory, path);
        // At the root both are the same path.
        let from_root = if directory.is_empty() { None } else { join("", path) };
        for path in from_here.iter().chain(&from_root) {
            if let Some(destination) = existing(bundle, path) {
                return destination;
            }
        }
        from_here.map_or(Destination::Outside, Destination::Missing)
    }
}

/// Quotes the path of a link. It has slashes for the backslashes of the link, with which encoded
/// characters of a name or a secret may begin.
pub(crate) fn quote_path<'a>(path: &'a str, link: &'a Link) -> Quote<'a> {
    let quoted = quote(path);
    if link.target.contains('\\') { quoted.derived_from(&link.target) } else { quoted }
}

/// Returns `true` if `text` may contain a link to a file: a fast check before Markdown is parsed.
fn may_contain_relative_link(text: &str) -> bool {
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

/// Returns `true` if the line before the byte `end` begins with a label in brackets, as in
/// `[label]: target`.
fn starts_with_label(bytes: &[u8], end: usize) -> bool {
    let before = &bytes[end.saturating_sub(LABEL_BYTES_MAX)..end];
    let line = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    before[line..].trim_ascii_start().starts_with(b"[")
}

/// Returns the path of a link target without fragment and query; `None` if it is not a path.
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

/// Returns `true` if `path` looks like a path. A bare word does only if it is the name of a file
/// that commonly has no extension.
fn looks_like_path(path: &str) -> bool {
    path.contains(['/', '.']) || matches!(path, "LICENSE" | "NOTICE" | "Makefile" | "Dockerfile")
}

fn existing(bundle: &Bundle, path: &str) -> Option<Destination> {
    if path.is_empty() || bundle.has_directory(path) {
        return Some(Destination::Elsewhere);
    }
    if bundle.is_regular(path).is_some() {
        return Some(Destination::File(path.to_owned()));
    }
    // What is below a symbolic link, or in a directory that is never walked, is unknown.
    let is_unknown = |directory: &str| {
        let last = directory.rsplit_once('/').map_or(directory, |(_, last)| last);
        matches!(last, "node_modules" | ".git") || bundle.is_regular(directory) == Some(false)
    };
    ancestors(path).any(is_unknown).then_some(Destination::Elsewhere)
}
