//! The skills of one scan, by name and version.

use std::path::PathBuf;
use std::sync::Arc;

use dibber_skill::protocol::Version;
use dibber_text::{message, quote, quote_path};

use super::problem::IndexProblem;
use super::scan::Scan;
use crate::guide::{GUIDE_NAME, built_in};
use crate::skill::ProtocolSkill;

/// The most problems that are kept.
const PROBLEMS_MAX: usize = 1000;

/// The skills that there were at one time. It does not change; files are read when a call needs them.
#[derive(Debug)]
pub struct Index {
    /// Sorted by the bytes of the names.
    pub(super) names: Vec<NamedSkill>,
    problems: Vec<IndexProblem>,
}

/// The versions of a skill.
#[derive(Debug)]
pub(super) struct NamedSkill {
    pub(super) name: Box<str>,
    /// One or more, sorted by precedence.
    versions: Vec<Arc<ProtocolSkill>>,
}

impl NamedSkill {
    /// Returns the highest release; the highest pre-release if there is no other.
    pub(super) fn latest(&self) -> &Arc<ProtocolSkill> {
        let mut descending = self.versions.iter().rev();
        descending
            .find(|skill| skill.version.pre.is_empty())
            .unwrap_or(&self.versions[self.versions.len() - 1])
    }

    /// Returns the skill with that version, whatever its build metadata.
    pub(super) fn version(&self, version: &Version) -> Option<&Arc<ProtocolSkill>> {
        let found = self.versions.binary_search_by(|skill| skill.version.cmp_precedence(version));
        found.ok().map(|at| &self.versions[at])
    }

    /// Returns the versions, the latest one first, and pre-releases after releases.
    pub(super) fn versions(&self) -> Vec<String> {
        let descending = || self.versions.iter().rev().map(|skill| &skill.version);
        let releases = descending().filter(|version| version.pre.is_empty());
        let others = descending().filter(|version| !version.pre.is_empty());
        releases.chain(others).map(Version::to_string).collect()
    }
}

impl Index {
    pub(super) fn new(scan: &Scan) -> Self {
        let mut problems = Vec::new();
        let mut skills = vec![built_in()];
        for scanned in scan.roots.iter().flat_map(|root| &root.skills) {
            problems.extend(scanned.problem.clone());
            let Some(skill) = &scanned.skill else { continue };
            if skill.name == GUIDE_NAME {
                problems.push(reserved(scanned.directory.clone()));
            } else {
                skills.push(Arc::clone(skill));
            }
        }
        problems.extend(scan.roots.iter().flat_map(|root| root.problems.iter().cloned()));
        // The sort is stable: of the same version, that of the first root is first.
        skills
            .sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.version.cmp_precedence(&b.version)));
        let names = by_name(skills, &mut problems);
        problems.sort_by(|a, b| a.path.cmp(&b.path));
        limit(&mut problems);
        Self { names, problems }
    }

    /// Returns what is wrong with the directories, sorted by path.
    pub fn problems(&self) -> &[IndexProblem] {
        &self.problems
    }

    /// Returns all versions of all skills, in the order of their names and versions.
    pub fn skills(&self) -> impl Iterator<Item = &Arc<ProtocolSkill>> {
        self.names.iter().flat_map(|named| &named.versions)
    }

    pub(super) fn named(&self, name: &str) -> Option<&NamedSkill> {
        let found = self.names.binary_search_by(|named| (*named.name).cmp(name));
        found.ok().map(|at| &self.names[at])
    }
}

/// Groups sorted skills by name; of the same version, only the first one remains.
fn by_name(skills: Vec<Arc<ProtocolSkill>>, problems: &mut Vec<IndexProblem>) -> Vec<NamedSkill> {
    let mut groups: Vec<NamedSkill> = Vec::new();
    for skill in skills {
        let Some(last) = groups.last_mut().filter(|last| *last.name == *skill.name) else {
            let name = skill.name.as_str().into();
            groups.push(NamedSkill { name, versions: vec![skill] });
            continue;
        };
        match last.version(&skill.version) {
            Some(first) => problems.extend(duplicate(&skill, first)),
            None => last.versions.push(skill),
        }
    }
    groups
}

/// Returns the problem of a skill that there is already; none if roots share its directory.
fn duplicate(skill: &ProtocolSkill, first: &ProtocolSkill) -> Option<IndexProblem> {
    let (path, other) = (skill.directory()?, first.directory()?);
    let reason = message![
        "`",
        quote(&skill.name),
        "` ",
        quote(&skill.version.to_string()),
        " is also in `",
        quote_path(other),
        "`, which is served"
    ];
    let help = if skill.manifest.name.is_some() {
        "write another `version`, or remove one of the directories"
    } else {
        "rename one of the skills, or remove one of the directories"
    };
    (path != other).then(|| IndexProblem::skipped(path.to_owned(), &reason, &help.into()))
}

fn reserved(path: PathBuf) -> IndexProblem {
    let reason = message!["`", GUIDE_NAME, "` is the name of the built-in guide"];
    IndexProblem::skipped(path, &reason, &"write another `name`".into())
}

/// Leaves out the last of too many problems, and says so.
fn limit(problems: &mut Vec<IndexProblem>) {
    if problems.len() > PROBLEMS_MAX {
        let omitted = problems.len() - PROBLEMS_MAX;
        let first = problems.swap_remove(PROBLEMS_MAX);
        problems.truncate(PROBLEMS_MAX);
        let reason = message![omitted, " more problems begin here"];
        problems.push(IndexProblem::skipped(first.path, &reason, &"fix those above first".into()));
    }
}
