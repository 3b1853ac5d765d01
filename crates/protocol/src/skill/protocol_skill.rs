//! What is known of a skill.

use std::path::{Path, PathBuf};

use dibber_skill::protocol::{ProtocolKind, ProtocolManifest, Version, manifest_as_json};
use dibber_skill::skill::PROTOCOL_FILE_NAME;
use serde_json::{Map, Value};

/// A skill, as its directory was when it was read.
#[derive(Debug)]
pub struct ProtocolSkill {
    /// The name: a dotted one, or that of `SKILL.md` in a directory without `skill.toml`.
    pub name: String,
    /// The version; 0.0.0 in a directory without `skill.toml`.
    pub version: Version,
    /// Whether it is run or read.
    pub kind: ProtocolKind,
    /// The first segment of a dotted name; otherwise the label of the root.
    pub namespace: String,
    /// What it does.
    pub description: String,
    /// The contents of `skill.toml`; empty in a directory without it.
    pub manifest: ProtocolManifest,
    pub(super) source: SkillSource,
}

/// Where the files of a skill are.
#[derive(Debug)]
pub(crate) enum SkillSource {
    /// In a directory, whose path has no symbolic links.
    Directory { path: PathBuf, manifest: Option<Box<str>> },
    /// In the program: names and contents.
    BuiltIn(&'static [(&'static str, &'static str)]),
}

impl ProtocolSkill {
    /// Returns the directory; none if the skill is built in.
    pub fn directory(&self) -> Option<&Path> {
        match &self.source {
            SkillSource::Directory { path, .. } => Some(path),
            SkillSource::BuiltIn(_) => None,
        }
    }

    /// Returns the manifest as JSON, with the keys that have no meaning. That of a directory without
    /// `skill.toml` is what it would be.
    pub fn manifest_json(&self) -> Map<String, Value> {
        if let Some(text) = self.manifest_text() {
            return manifest_as_json(text);
        }
        let fields = [
            ("name", self.name.clone()),
            ("version", self.version.to_string()),
            ("description", self.description.clone()),
            ("kind", self.kind.name().to_owned()),
        ];
        fields.into_iter().map(|(key, value)| (key.to_owned(), Value::from(value))).collect()
    }

    /// Returns `true` if the name is in a namespace of whole segments.
    pub fn is_in(&self, namespace: &str) -> bool {
        // The name of a skill without a manifest has no segments.
        let path = if self.manifest.name.is_some() { &self.name } else { &self.namespace };
        let is_below = |rest: &str| rest.starts_with('.');
        path.strip_prefix(namespace)
            .is_some_and(|rest| is_below(rest) || rest.is_empty() && self.manifest.name.is_none())
    }

    /// Returns the text of `skill.toml`, if there is one.
    pub(crate) fn manifest_text(&self) -> Option<&str> {
        match &self.source {
            SkillSource::Directory { manifest, .. } => manifest.as_deref(),
            SkillSource::BuiltIn(files) => {
                let manifest = files.iter().find(|(name, _)| *name == PROTOCOL_FILE_NAME);
                manifest.map(|(_, text)| *text)
            }
        }
    }

    pub(crate) const fn source(&self) -> &SkillSource {
        &self.source
    }

    /// Returns the skill of a manifest without problems.
    pub(crate) fn from_manifest(manifest: ProtocolManifest, source: SkillSource) -> Option<Self> {
        let name = &manifest.name.as_ref()?.value;
        Some(Self {
            name: name.as_str().to_owned(),
            namespace: name.namespace().to_owned(),
            version: manifest.version.as_ref()?.value.clone(),
            kind: manifest.kind.as_ref()?.value,
            description: manifest.description.as_ref()?.value.clone(),
            manifest,
            source,
        })
    }
}
