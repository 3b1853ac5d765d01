//! Reading one skill of an index.

use dibber_skill::skill::name::{self, CHARACTERS_MAX};
use dibber_text::{Message, message, quote};
use serde_json::{Map, Value};

use super::artifact::{Artifact, IndexEntry, percent_encoded};
use super::index_problem::IndexProblem;
use super::index_version::IndexVersion;
use crate::contents::ContentsLimits;
use crate::description::DESCRIPTION_CHARACTERS_MAX;
use crate::digest::{Digest, InvalidDigest};
use crate::path::SkillPath;

/// Reads the skill at one place of the list.
pub(super) struct EntryReader<'a> {
    pub(super) at: usize,
    pub(super) version: IndexVersion,
    pub(super) problems: &'a mut Vec<IndexProblem>,
}

impl EntryReader<'_> {
    /// Returns the skill; none if it cannot be used.
    pub(super) fn read(&mut self, skill: &Value) -> Option<IndexEntry> {
        let Value::Object(skill) = skill else {
            self.error("", "is not an object");
            return None;
        };
        let name = self.name(skill)?;
        let description = self.description(skill);
        let artifact = if skill.contains_key("url") || self.is_typed(skill) {
            self.single(skill)?
        } else {
            self.files(&name, skill)?
        };
        Some(IndexEntry { at: self.at, name, description, artifact })
    }

    fn is_typed(&self, skill: &Map<String, Value>) -> bool {
        self.version == IndexVersion::V0_2 && !skill.contains_key("files")
    }

    fn name(&mut self, skill: &Map<String, Value>) -> Option<String> {
        let Some(Value::String(name)) = skill.get("name") else {
            self.error("/name", "is missing or not a string");
            return None;
        };
        if !name.is_ascii() || !name::is_valid(name) || name.len() > CHARACTERS_MAX {
            self.error("/name", message!["`", quote(name), "` is not a valid name"]);
            return None;
        }
        Some(name.clone())
    }

    fn description(&mut self, skill: &Map<String, Value>) -> Option<String> {
        let Some(Value::String(description)) = skill.get("description") else {
            self.error("/description", "is missing or not a string");
            return None;
        };
        let characters = description.chars().count();
        if characters > DESCRIPTION_CHARACTERS_MAX {
            let message = message!["has ", characters, " characters; the maximum is 1024"];
            self.error("/description", message);
        }
        Some(description.clone())
    }

    /// Reads a skill that is at one URL.
    fn single(&mut self, skill: &Map<String, Value>) -> Option<Artifact> {
        let Some(Value::String(url)) = skill.get("url") else {
            self.error("/url", "is missing or not a string");
            return None;
        };
        let (url, digest) = (url.clone(), self.digest(skill).ok()?);
        match skill.get("type") {
            Some(Value::String(kind)) if kind == "skill-md" => {
                Some(Artifact::SkillMd { url, digest })
            }
            Some(Value::String(kind)) if kind == "archive" => {
                Some(Artifact::Archive { url, digest })
            }
            Some(Value::String(kind)) => {
                let message = message!["`", quote(kind), "` is not known; the skill is left out"];
                self.warning("/type", message);
                None
            }
            _ => {
                self.error("/type", "is missing or not a string");
                None
            }
        }
    }

    /// Reads a skill that is a list of files.
    fn files(&mut self, name: &str, skill: &Map<String, Value>) -> Option<Artifact> {
        let Some(Value::Array(listed)) = skill.get("files") else {
            self.error("/files", "is missing or not a list");
            return None;
        };
        let files_max = ContentsLimits::ACCEPTED.files_max;
        if listed.len() > files_max {
            self.error("/files", message!["has more than ", files_max, " files"]);
            return None;
        }
        let mut files = Vec::new();
        for (at, file) in listed.iter().enumerate() {
            // A skill without one of its files is another skill.
            files.push(self.file(&format!("/files/{at}"), file)?);
        }
        let digest = match skill.get("digest") {
            Some(digest) => Some(self.parsed_digest("/digest", digest).ok()?),
            None => None,
        };
        Some(Artifact::Files { url: format!("{}/", percent_encoded(name)), files, digest })
    }

    fn file(&mut self, place: &str, file: &Value) -> Option<(SkillPath, Option<Digest>)> {
        let (path, digest) = match file {
            Value::String(path) => (path.as_str(), None),
            Value::Object(file) => {
                let path = file.get("path").and_then(Value::as_str).unwrap_or_default();
                (path, file.get("digest"))
            }
            _ => ("", None),
        };
        let path = match SkillPath::new(path) {
            Ok(path) => path,
            Err(error) => {
                self.error(place, error.message);
                return None;
            }
        };
        let Some(digest) = digest else { return Some((path, None)) };
        let digest = self.parsed_digest(&format!("{place}/digest"), digest).ok()?;
        Some((path, Some(digest)))
    }

    /// Returns the digest of what is at the URL; none if the index has none. An error if it is not one.
    fn digest(&mut self, skill: &Map<String, Value>) -> Result<Option<Digest>, InvalidDigest> {
        if let Some(digest) = skill.get("digest") {
            return self.parsed_digest("/digest", digest).map(Some);
        }
        let Some(digest) = skill.get("sha256") else {
            self.error("", "has no `digest`, so what it leads to cannot be verified");
            return Ok(None);
        };
        self.warning("/sha256", "is read as `digest`, which it should be");
        self.parsed_digest("/sha256", digest).map(Some)
    }

    fn parsed_digest(&mut self, place: &str, digest: &Value) -> Result<Digest, InvalidDigest> {
        let text = digest.as_str().unwrap_or_default();
        if let Ok(digest) = text.parse() {
            return Ok(digest);
        }
        let lenient = text.to_ascii_lowercase();
        let digits = lenient.strip_prefix("sha256:").unwrap_or(&lenient);
        let digest = format!("sha256:{digits}").parse().inspect_err(|_| {
            let message = "is not `sha256:` and 64 hexadecimal digits; the skill is left out";
            self.error(place, message);
        })?;
        self.warning(place, "is not written as `sha256:` and 64 lowercase hexadecimal digits");
        Ok(digest)
    }

    fn error(&mut self, place: &str, message: impl Into<Message>) {
        let pointer = format!("/skills/{}{place}", self.at);
        self.problems.push(IndexProblem::error(pointer, message));
    }

    fn warning(&mut self, place: &str, message: impl Into<Message>) {
        let pointer = format!("/skills/{}{place}", self.at);
        self.problems.push(IndexProblem::warning(pointer, message));
    }
}
