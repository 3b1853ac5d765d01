//! A session: which commands the agent has announced, and under which names skills are added to them.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::proxy_skill::ProxySkill;
use crate::acp::announce::command;
use crate::acp::version::Version;

/// The longest list of an agent that is kept. A longer one is extended when it passes, and not sent
/// again when folders change.
const LIST_BYTES_MAX: usize = 256 << 10;

/// What follows the name of a skill if the agent has a command of that name.
const SUFFIX: &str = "-skill";

/// A session, as far as it was announced.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// The commands of the agent as it wrote them, without brackets; none if they are too long to keep.
    list: Option<String>,
    /// Their names.
    names: BTreeSet<String>,
    /// Skills were added once, so a list without them has to be sent when there are none any more.
    pub(super) has_skills: bool,
    /// When the session was seen first.
    pub(super) number: u64,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

impl Session {
    pub(super) fn new(number: u64) -> Self {
        Self { list: Some(String::new()), number, ..Self::default() }
    }

    /// Notes the commands of the agent. Returns `false` if it is not a list.
    pub(super) fn set_commands(&mut self, list: &RawValue) -> bool {
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(list.get()) else { return false };
        let named = |item: &&RawValue| serde_json::from_str::<Named>(item.get()).ok();
        self.names = items.iter().filter_map(named).map(|named| named.name).collect();
        let inner = list.get()[1..list.get().len() - 1].trim();
        self.list = (inner.len() <= LIST_BYTES_MAX).then(|| inner.to_owned());
        true
    }

    /// Returns the skill of that name. Skills are sorted by name.
    pub(super) fn skill<'a>(&self, name: &str, skills: &'a [ProxySkill]) -> Option<&'a ProxySkill> {
        let found = find(skills, name).or_else(|| find(skills, name.strip_suffix(SUFFIX)?))?;
        (self.listed_name(found, skills)? == name).then_some(found)
    }

    /// Returns the name of a skill in the list; none if the agent has commands of all its names.
    fn listed_name(&self, skill: &ProxySkill, skills: &[ProxySkill]) -> Option<String> {
        let name = skill.name();
        if !self.names.contains(name) {
            return Some(name.to_owned());
        }
        let other = format!("{name}{SUFFIX}");
        (!self.names.contains(&other) && find(skills, &other).is_none()).then_some(other)
    }

    /// Returns the skills as commands that follow those of the agent.
    pub(super) fn additions(&self, skills: &[ProxySkill], version: Version) -> String {
        let commands = skills.iter().filter_map(|skill| {
            let name = self.listed_name(skill, skills)?;
            let command = command(&name, &skill.description, version);
            Some(serde_json::to_string(&command).expect("strings are JSON"))
        });
        commands.collect::<Vec<_>>().join(",")
    }

    /// Returns the commands of the agent and the skills as one list; none if those of the agent are
    /// not known.
    pub(super) fn merged(&self, skills: &[ProxySkill], version: Version) -> Option<String> {
        let (own, added) = (self.list.as_deref()?, self.additions(skills, version));
        let separator = if own.is_empty() || added.is_empty() { "" } else { "," };
        Some(format!("[{own}{separator}{added}]"))
    }
}

fn find<'a>(skills: &'a [ProxySkill], name: &str) -> Option<&'a ProxySkill> {
    let at = skills.binary_search_by(|skill| skill.name().cmp(name)).ok()?;
    Some(&skills[at])
}
