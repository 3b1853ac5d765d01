//! What an update changes.

use std::collections::BTreeSet;

use crate::contents::SkillContents;
use crate::description::SkillDescription;

/// What differs between two versions of a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillChanges {
    /// The fields of the frontmatter, those that grant something first.
    pub fields: Vec<FieldChange>,
    /// The files, sorted by path.
    pub files: Vec<FileChange>,
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The key in the frontmatter.
    pub field: &'static str,
    /// The value before.
    pub before: Option<String>,
    /// The value after.
    pub after: Option<String>,
}

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The path in the skill.
    pub path: String,
    /// How it differs.
    pub kind: FileChangeKind,
}

/// How a file differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its content differs.
    Changed,
    /// It can be executed and could not before, or the other way round.
    Mode,
}

impl FileChangeKind {
    /// Returns the word that messages and JSON have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Mode => "mode",
        }
    }
}

/// Compares two versions of a skill.
pub fn compare(before: &SkillContents, after: &SkillContents) -> SkillChanges {
    let paths: BTreeSet<_> = before.files().chain(after.files()).map(|(path, _)| path).collect();
    let kind = |path: &str| match (before.file(path), after.file(path)) {
        (None, _) => Some(FileChangeKind::Added),
        (_, None) => Some(FileChangeKind::Removed),
        (Some(old), Some(new)) if old.bytes != new.bytes => Some(FileChangeKind::Changed),
        (Some(old), Some(new)) if old.is_executable != new.is_executable => {
            Some(FileChangeKind::Mode)
        }
        _ => None,
    };
    let change = |path: &crate::path::SkillPath| {
        let path = path.as_str().to_owned();
        kind(&path).map(|kind| FileChange { path, kind })
    };
    SkillChanges {
        fields: fields(before, after),
        files: paths.into_iter().filter_map(change).collect(),
    }
}

fn fields(before: &SkillContents, after: &SkillContents) -> Vec<FieldChange> {
    let (before, after) = (before.describe().description, after.describe().description);
    FIELDS
        .iter()
        .filter_map(|(field, value)| {
            let before = before.as_ref().and_then(value);
            let after = after.as_ref().and_then(value);
            (before != after).then_some(FieldChange { field, before, after })
        })
        .collect()
}

type FieldValue = fn(&SkillDescription) -> Option<String>;

const FIELDS: [(&str, FieldValue); 6] = [
    ("allowed-tools", |it| (!it.allowed_tools.is_empty()).then(|| it.allowed_tools.join(", "))),
    ("license", |it| it.license.clone()),
    ("compatibility", |it| it.compatibility.clone()),
    ("disable-model-invocation", |it| (!it.flags.model_invocable).then(|| "true".to_owned())),
    ("name", |it| Some(it.name.clone())),
    ("description", |it| Some(it.description.clone())),
];
