//! Saved previews, and the changes since one was saved.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use super::review::Review;
use crate::cli::error::CommandError;
use crate::cli::term::diff;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::style::Color;
use dibber_lint::report::write_json_pretty;
use dibber_skill::contract::{
    PolicyDecision, SKILL_WRITE, SKILL_WRITE_FIELDS, SkillPreview, SkillWrite,
};
use dibber_skill::names::Roster;
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{message, quote_in_full, quote_path, strict_json};

/// The version of the file's shape.
const VERSION: u32 = 1;
/// The most bytes of a saved preview: room for a prompt of 1 MiB twice, with its escapes.
const SAVED_BYTES_MAX: u64 = 32 << 20;

/// A preview read from a file.
pub(super) struct Saved {
    arguments: Map<String, Value>,
    hash: SpecHash,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SavedV1<'a> {
    version: u32,
    tool: &'a str,
    arguments: &'a SkillWrite,
    spec_hash: String,
    policy_decision: &'a PolicyDecision,
    preview_skill: &'a SkillPreview,
}

/// Returns the file of a preview; the arguments must contain nothing private.
pub(super) fn save(
    arguments: &SkillWrite,
    hash: SpecHash,
    preview: &SkillPreview,
    review: &Review,
) -> Vec<u8> {
    let saved = SavedV1 {
        version: VERSION,
        tool: SKILL_WRITE,
        arguments,
        spec_hash: hash.to_string(),
        policy_decision: &review.decision,
        preview_skill: preview,
    };
    let mut out = Vec::new();
    write_json_pretty(&saved, &mut out);
    out
}

impl Saved {
    /// Reads the preview in a file; none if there is no regular file at the path.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, CommandError> {
        let shown = quote_path(path);
        if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(SAVED_BYTES_MAX).read_to_end(&mut bytes))
            .map_err(|error| CommandError::io(message!["cannot read ", shown.clone()], error))?;
        let saved = Self::parse(&bytes).map_err(|cause| {
            CommandError::new(message![
                shown,
                " is not a preview that dibber saved: ",
                quote_in_full(&cause)
            ])
            .help("give `--save` another file; this one is unchanged")
        })?;
        Ok(Some(saved))
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        let json = strict_json::parse(text).map_err(|error| format!("not JSON: {error}"))?;
        if json["version"] != VERSION {
            return Err(format!("its `version` is not {VERSION}"));
        }
        if json["tool"] != SKILL_WRITE {
            return Err(format!("its `tool` is not `{SKILL_WRITE}`"));
        }
        let Value::Object(arguments) = &json["arguments"] else {
            return Err("it has no `arguments`".to_owned());
        };
        let hash: Option<SpecHash> = json["specHash"].as_str().and_then(|hash| hash.parse().ok());
        match hash.ok_or_else(|| "it has no `specHash`".to_owned())? {
            hash if SpecHash::compute(SKILL_WRITE, arguments) == Ok(hash) => {
                Ok(Self { arguments: arguments.clone(), hash })
            }
            _ => Err("its `arguments` do not have its `specHash`".to_owned()),
        }
    }

    /// Returns the hash that was saved.
    pub(super) const fn hash(&self) -> SpecHash {
        self.hash
    }

    /// Returns what has changed since, as a unified diff for each argument, with names masked.
    pub(super) fn changes(
        &self,
        now: &Map<String, Value>,
        color: Color,
        roster: &Roster,
    ) -> Rendered {
        let unknown: BTreeSet<&str> =
            self.arguments.keys().chain(now.keys()).map(String::as_str).collect();
        let unknown = unknown.into_iter().filter(|name| !SKILL_WRITE_FIELDS.contains(name));
        let mut out = Rendered::default();
        for name in SKILL_WRITE_FIELDS.into_iter().chain(unknown) {
            let (before, after) = (self.arguments.get(name), now.get(name));
            if before != after {
                let (before, after) = in_lines(before, after);
                out += diff::unified(name, &before, &after, roster).rendered(color);
            }
        }
        out
    }
}

/// Returns two values as lines for a diff. Most strings are one line without a line break, and the
/// diff would note its absence each time, so both get one.
fn in_lines(before: Option<&Value>, after: Option<&Value>) -> (String, String) {
    let in_lines = |value: Option<&Value>| match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => serde_json::to_string_pretty(value).expect("keys are strings"),
    };
    let (mut before, mut after) = (in_lines(before), in_lines(after));
    if !before.ends_with('\n') && !after.ends_with('\n') {
        for text in [&mut before, &mut after] {
            if !text.is_empty() {
                text.push('\n');
            }
        }
    }
    (before, after)
}
