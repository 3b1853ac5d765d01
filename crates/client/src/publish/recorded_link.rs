//! The links of directories to skills of servers, as they are recorded.

use super::lock_file::{LockFileError, read_lock};
use super::lock_key::LockKey;
use dibber_skill::contract::SkillId;

/// A link between a directory and a skill of a server, as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedLink {
    /// What the server is recorded by.
    pub server: String,
    /// The address or the name of the server when it was recorded first, if that is recorded.
    pub address: Option<String>,
    /// The skill.
    pub skill_id: SkillId,
    /// The names of its heartbeats that were set from here.
    pub heartbeats: Vec<String>,
}

impl RecordedLink {
    /// Returns what the server is called in sentences.
    pub fn server_name(&self) -> &str {
        self.address.as_deref().unwrap_or(&self.server)
    }
}

/// Returns the links of a directory, of whichever servers. No server is asked.
pub fn recorded_links(key: &LockKey) -> Result<Vec<RecordedLink>, LockFileError> {
    let lock = read_lock(&key.file)?;
    let links = lock.servers_of(&key.path).map(|(server, address, published)| RecordedLink {
        server: server.to_owned(),
        address: address.map(str::to_owned),
        skill_id: published.skill_id.clone(),
        heartbeats: published.heartbeats.keys().cloned().collect(),
    });
    Ok(links.collect())
}
