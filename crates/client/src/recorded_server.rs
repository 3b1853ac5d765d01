//! A server as `dibber.lock` and the journal record it: the same at every address.

use serde_json::{Map, Value};

use crate::client::Client;
use crate::error::ClientError;

/// The most bytes of an id that a server has answered; a longer one is not used.
const ID_BYTES_MAX: usize = 200;

/// A server, as what was published to it and what was begun there is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedServer {
    /// What the records are found by.
    key: String,
    /// The address or the name by which it was selected.
    name: String,
}

impl RecordedServer {
    /// Returns a server without an id, which is recorded by its address or its name.
    pub fn named(name: &str) -> Self {
        Self { key: name.to_owned(), name: name.to_owned() }
    }

    /// Returns a server that is the same at every address: the one with this id, and the family in
    /// it, since a family sees no other's skills.
    pub fn with_id(id: &str, family_id: &str, name: &str) -> Self {
        let key = if family_id.is_empty() { id.to_owned() } else { format!("{id}/{family_id}") };
        Self { key, name: name.to_owned() }
    }

    /// Asks a server for its id. A server that has none is recorded by its name.
    ///
    /// # Errors
    /// If the server does not answer: without its id, what was published to it would not be found,
    /// and published again.
    pub async fn identify(client: &Client, name: &str) -> Result<Self, ClientError> {
        let whoami = match client.call("mcp_whoami", Map::new(), None).await {
            Ok(whoami) => whoami,
            // Not every server has this tool, or means the same by it.
            Err(ClientError::NoTool(_) | ClientError::Rejected(_) | ClientError::Failed { .. }) => {
                return Ok(Self::named(name));
            }
            Err(error) => return Err(error),
        };
        let id = |key| whoami.get(key).and_then(Value::as_str).filter(|id| is_id(id));
        Ok(match id("serverId") {
            Some(server_id) => Self::with_id(server_id, id("familyId").unwrap_or_default(), name),
            None => Self::named(name),
        })
    }

    /// Returns what the records are found by.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the address or the name by which the server was selected.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns by what its records may be found: its key, and the name by which earlier versions
    /// have recorded it.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let name = (self.name != self.key).then_some(self.name.as_str());
        std::iter::once(self.key.as_str()).chain(name)
    }

    /// Returns what is recorded of it for a reader, who cannot know the id. A name with a path is
    /// one of this machine.
    pub(crate) fn hint(&self) -> Option<String> {
        let is_path = !is_url(&self.name) && self.name.contains(['/', '\\']);
        (self.name != self.key && !is_path).then(|| self.name.clone())
    }
}

/// Returns `true` if a key or a name of a server is its address: an id is none.
pub(crate) fn is_url(name: &str) -> bool {
    name.starts_with("https://") || name.starts_with("http://")
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.len() <= ID_BYTES_MAX && text.chars().all(|c| c.is_ascii_graphic())
}
