//! Clients: those that register, and those that a document describes.

use std::time::Duration;

use dibber_authorization::{Client, ClientId, ClientIdKind, ClientMetadata, RedirectUri};
use serde_json::{Value, json};

use super::error::AuthorizationError;
use crate::failure::Failure;
use crate::id;
use crate::server::Server;
use crate::store::{RegisteredClient, StoreError, StoreExt, StoreResult};

/// The most clients that are registered at a time. Anyone can register, so that each further one takes the
/// place of the oldest that no person was asked about, or else of the one of which that is the longest ago.
const CLIENTS_MAX: usize = 1000;

/// How long a client stays registered that no person was asked about since.
const UNUSED_TIME: Duration = Duration::from_hours(24 * 90);

/// Why there is no client with an id.
#[derive(Debug)]
pub(crate) enum FindClientError {
    /// No client is registered with it.
    Unknown,
    /// Its document cannot be used.
    Document(String),
    /// The server failed.
    Failed(Failure),
}

impl From<Failure> for FindClientError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<StoreError> for FindClientError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl Server {
    /// Registers a client (RFC 7591), and returns the answer: what is stored of it, with its id.
    pub(crate) async fn register_client(&self, body: &[u8]) -> Result<Value, AuthorizationError> {
        let metadata = ClientMetadata::from_registration(body)?;
        let now = self.now().as_millisecond();
        let client = RegisteredClient {
            id: ClientId::registered(&id::random_digits()).as_str().to_owned(),
            metadata: metadata_json(&metadata),
            created_at: now,
            used_at: now,
        };
        let answer = registration_answer(&client);
        self.store()
            .write(move |store| {
                store.remove_registered_clients(now - milliseconds(UNUSED_TIME))?;
                if store.registered_client_count()? >= CLIENTS_MAX {
                    store.remove_oldest_registered_client()?;
                }
                store.put_registered_client(&client)
            })
            .await?;
        Ok(answer)
    }

    /// Returns the client with an id. The document of one that is not registered is fetched.
    pub(crate) async fn find_client(&self, id: ClientId) -> Result<Client, FindClientError> {
        match id.kind() {
            ClientIdKind::Registered => self.registered_client(id).await,
            ClientIdKind::Document => {
                let own = self.authorization.as_ref().ok_or(FindClientError::Unknown)?;
                let body = own.documents.fetch(id.as_str()).await;
                let body = body.map_err(|problem| FindClientError::Document(problem.to_owned()))?;
                let metadata = ClientMetadata::from_document(&id, &body)
                    .map_err(|error| FindClientError::Document(error.description))?;
                Ok(Client { id, metadata })
            }
        }
    }

    async fn registered_client(&self, id: ClientId) -> Result<Client, FindClientError> {
        let wanted = id.as_str().to_owned();
        let found = self.store().read(move |store| store.registered_client(&wanted)).await?;
        let Some(found) = found else { return Err(FindClientError::Unknown) };
        Ok(Client { metadata: stored_metadata(&found)?, id })
    }

    /// Records that a person who is signed in is asked about a client: it is not replaced by those that
    /// no person was asked about.
    pub(crate) async fn record_client_use(&self, id: &ClientId) -> Result<(), Failure> {
        let (id, now) = (id.as_str().to_owned(), self.now().as_millisecond());
        self.store()
            .write(move |store| -> Result<(), Failure> {
                if let Some(mut client) = store.registered_client(&id)? {
                    client.used_at = now.max(client.created_at + 1);
                    store.put_registered_client(&client)?;
                }
                Ok(())
            })
            .await
    }
}

/// Returns what is stored of a client, which is what it is answered.
fn metadata_json(metadata: &ClientMetadata) -> Value {
    let addresses: Vec<_> = metadata.redirect_uris.iter().map(RedirectUri::as_str).collect();
    let mut json = json!({
        "redirect_uris": addresses,
        "grant_types": metadata.grant_types,
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    });
    if let Some(name) = &metadata.name {
        json["client_name"] = name.as_str().into();
    }
    json
}

fn registration_answer(client: &RegisteredClient) -> Value {
    let mut answer = client.metadata.clone();
    answer["client_id"] = client.id.as_str().into();
    answer["client_id_issued_at"] = (client.created_at / 1000).into();
    answer
}

fn stored_metadata(client: &RegisteredClient) -> StoreResult<ClientMetadata> {
    let body = serde_json::to_vec(&client.metadata).map_err(StoreError::new)?;
    ClientMetadata::from_registration(&body).map_err(|_| StoreError::Damaged)
}

/// Returns a time span in milliseconds.
pub(super) fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
