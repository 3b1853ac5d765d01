//! Finding a skill by name and version.

use std::sync::Arc;

use dibber_skill::contract::skills_protocol::{RpcError, RpcReason};
use dibber_skill::protocol::Version;
use dibber_text::{Message, closest_match, message, quote};

use super::index::{Index, NamedSkill};
use crate::refusal::refused;
use crate::skill::ProtocolSkill;

/// The most names that are compared with an unknown one in detail.
const CANDIDATES_MAX: usize = 100;

/// The most versions that help names.
const VERSIONS_SHOWN_MAX: usize = 10;

impl Index {
    /// Returns a skill; without a version, the latest one.
    pub fn find(&self, name: &str, version: Option<&str>) -> Result<Arc<ProtocolSkill>, RpcError> {
        let named = self.named(name).ok_or_else(|| self.unknown_name(name))?;
        let Some(version) = version else { return Ok(Arc::clone(named.latest())) };
        let found = Version::parse(version).ok().and_then(|version| named.version(&version));
        found.cloned().ok_or_else(|| unknown_version(named, version))
    }

    fn unknown_name(&self, name: &str) -> RpcError {
        let message = message!["there is no skill `", quote(name), "`"];
        refused(RpcReason::SkillNotFound, message, self.help_for(name))
    }

    fn help_for(&self, name: &str) -> Message {
        if let Some((base, _)) = name.split_once('@')
            && self.named(base).is_some()
        {
            return message!["write `", quote(base), "` as the name, and the version in `version`"];
        }
        if !name.is_empty() && self.names.iter().any(|named| named.latest().is_in(name)) {
            return message![
                "it is a namespace: call `list_skills` with the namespace `",
                quote(name),
                "`"
            ];
        }
        match closest_match(name, self.candidates(name)) {
            Some(meant) => message!["did you mean `", quote(meant), "`?"],
            None => "call `list_skills` for the names".into(),
        }
    }

    /// Returns the names that have the most letters in common with an unknown one: to compare it
    /// with all names in detail would take as long as thousands of calls.
    fn candidates(&self, name: &str) -> impl Iterator<Item = &str> {
        let letters = Letters::of(name);
        let mut names: Vec<_> = self
            .names
            .iter()
            .map(|named| (letters.difference(&Letters::of(&named.name)), &*named.name))
            .collect();
        if names.len() > CANDIDATES_MAX {
            names.select_nth_unstable(CANDIDATES_MAX);
            names.truncate(CANDIDATES_MAX);
        }
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name)
    }
}

/// How often each letter is in a name.
struct Letters([u8; 64]);

impl Letters {
    fn of(name: &str) -> Self {
        let mut counts = [0_u8; 64];
        for byte in name.bytes() {
            let count = &mut counts[usize::from(byte.to_ascii_lowercase() & 63)];
            *count = count.saturating_add(1);
        }
        Self(counts)
    }

    /// Returns by how many letters two names differ.
    fn difference(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
    }
}

fn unknown_version(named: &NamedSkill, version: &str) -> RpcError {
    let message =
        message!["the skill `", quote(&named.name), "` has no version `", quote(version), "`"];
    let versions = named.versions();
    let shown = versions.iter().take(VERSIONS_SHOWN_MAX).map(|version| quote(version));
    let shown = Message::join(shown, "`, `");
    let help = match versions.len().saturating_sub(VERSIONS_SHOWN_MAX) {
        0 => message!["its versions are `", shown, "`; without `version`, the latest one is used"],
        others => message!["its versions are `", shown, "` and ", others, " older ones"],
    };
    refused(RpcReason::VersionNotFound, message, help)
}
