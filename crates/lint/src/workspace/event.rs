//! What a run passes to its caller.

use std::path::PathBuf;

use dibber_skill::diagnostic::Diagnostic;
use dibber_skill::discover::DiscoverError;

/// One step of a run: problems with paths, [`Event::Found`], then one event for each skill, and
/// [`Event::Configuration`].
#[derive(Debug)]
pub enum Event {
    /// A path, or a skill, cannot be read.
    Problem(DiscoverError),
    /// The skills are found, and this many will be checked.
    Found(usize),
    /// A skill was checked.
    Checked(SkillReport),
    /// dibber panicked on a skill: the finding in place of those that are missing.
    Unchecked(Box<Diagnostic>),
    /// All skills are done; these are the findings in `dibber.toml` itself.
    Configuration(Vec<Diagnostic>),
}

/// The result of checking one skill.
#[derive(Debug)]
pub struct SkillReport {
    /// The path of its skill file, as it is shown, with the names of children.
    pub path: String,
    /// The findings that are reported, in the order of path and place.
    pub diagnostics: Vec<Diagnostic>,
    /// The fixes, if there are any to write.
    pub fixes: Option<SkillFixes>,
}

/// The fixes of one skill file, planned and not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFixes {
    /// The path to write to; none if the content did not come from a file.
    pub path: Option<PathBuf>,
    /// The path, as it is shown.
    pub shown: String,
    /// The content before the fixes.
    pub before: String,
    /// The content after the fixes.
    pub after: String,
    /// The titles of the fixes, in the order in which they were applied.
    pub applied: Vec<String>,
    /// The number of the changes that waive findings about security.
    pub waived_security: usize,
}
