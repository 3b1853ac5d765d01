//! `gitlab`: a Code Quality report, which GitLab shows in merge requests.
//!
//! GitLab takes an array of issues whose fingerprints must be unique. The fingerprint of a finding
//! contains its rule, its path and the text of its line, so only two findings of one file can have
//! the same one: it is enough to count within the current file.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde::Serialize;

use super::format::{Context, Format, PathBase, Report};
use super::json_text::{self, Position};
use super::problem::Problem;
use super::summary::Summary;
use dibber_skill::diagnostic::{Diagnostic, Level};
use dibber_text::escape_line;

/// The format.
pub(super) const FORMAT: Format = Format {
    name: "gitlab",
    summary: "a Code Quality report for GitLab merge requests",
    paths: PathBase::Repository,
    open: |_: Context| Box::new(GitLab::default()),
    statistics: None,
};

/// The check name of a path that could not be checked.
const PROBLEM_CHECK_NAME: &str = "could-not-be-checked";

#[derive(Default)]
struct GitLab {
    position: Position,
    path: String,
    seen: HashMap<String, usize>,
}

#[derive(Serialize)]
struct Issue<'a> {
    description: &'a str,
    check_name: &'a str,
    fingerprint: &'a str,
    severity: &'a str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

impl Report for GitLab {
    fn begin(&mut self, out: &mut Vec<u8>) {
        out.push(b'[');
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic, out: &mut Vec<u8>) {
        let lines = match &diagnostic.range {
            Some(range) => Lines { begin: range.start.line, end: range.end.line },
            None => Lines { begin: 1, end: 1 },
        };
        let fingerprint = self.unique(&diagnostic.path, &diagnostic.fingerprint);
        let issue = Issue {
            description: &escape_line(&diagnostic.message),
            check_name: diagnostic.rule.id,
            fingerprint: &fingerprint,
            severity: match diagnostic.level {
                Level::Deny => "major",
                Level::Allow | Level::Warn => "minor",
            },
            location: Location { path: from_root(&diagnostic.path), lines },
        };
        json_text::write_element(&issue, self.position.advance(), out);
    }

    fn problem(&mut self, problem: &Problem, out: &mut Vec<u8>) {
        let path = from_root(&problem.path);
        let issue = Issue {
            description: &escape_line(&problem.message),
            check_name: PROBLEM_CHECK_NAME,
            fingerprint: &format!("{PROBLEM_CHECK_NAME}: {}", problem.message),
            severity: "critical",
            location: Location { path, lines: Lines { begin: 1, end: 1 } },
        };
        json_text::write_element(&issue, self.position.advance(), out);
    }

    fn end(&mut self, _summary: &Summary, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n]\n");
    }
}

impl GitLab {
    /// Returns the fingerprint, with a number appended if an earlier finding of the file has it.
    fn unique(&mut self, path: &str, fingerprint: &str) -> String {
        if self.path != path {
            path.clone_into(&mut self.path);
            self.seen.clear();
        }
        match self.seen.entry(fingerprint.to_owned()) {
            Entry::Vacant(slot) => {
                slot.insert(1);
                fingerprint.to_owned()
            }
            Entry::Occupied(mut slot) => {
                *slot.get_mut() += 1;
                format!("{fingerprint}-{}", slot.get())
            }
        }
    }
}

/// Returns the path relative to the root of the repository, without the `./` that GitLab rejects.
fn from_root(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}
