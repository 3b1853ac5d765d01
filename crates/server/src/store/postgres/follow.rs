//! Noticing what other processes change: each process notifies the others of its changes with the
//! commit.

use std::thread;
use std::time::Duration;

use tokio::time::Instant;

use super::address::PostgresAddress;
use super::connection::Connection;
use super::session::Session;
use crate::store::error::{StoreError, StoreResult};
use crate::store::follow_thread::{Follow, Stop};
use crate::store::versions::{Change, ReadVersions};

/// How long one wait for a notification takes; after it, it is checked whether to go on.
const PAUSE: Duration = Duration::from_millis(250);

/// How often it is checked whether the server still answers: that the network was cut is not noticed while
/// nothing is sent.
const CHECK_PAUSE: Duration = Duration::from_secs(5);

/// How long the server may take to answer then.
const CHECK_TIME: Duration = Duration::from_secs(3);

/// The statement that notifies the other processes of a change, at the end of its transaction.
pub(super) const NOTIFY: &str = "NOTIFY dibber";

const LISTEN: &str = "LISTEN dibber";

/// A connection that gets notifications. It is made again when it was lost.
pub(super) struct PostgresFollow {
    address: PostgresAddress,
    connection: Option<Connection>,
    /// When the server has answered last.
    checked: Instant,
}

impl PostgresFollow {
    pub(super) fn new(address: PostgresAddress) -> Self {
        Self { address, connection: None, checked: Instant::now() }
    }

    /// Returns the connection, which listens before anything is read on it: what is committed after
    /// that is notified, and what was committed before is read.
    fn connection(&mut self) -> StoreResult<&mut Connection> {
        if let Some(connection) = self.connection.take().filter(|it| !it.is_closed()) {
            return Ok(self.connection.insert(connection));
        }
        let mut connection = Connection::open(&self.address).map_err(StoreError::new)?;
        connection.batch(LISTEN).map_err(StoreError::new)?;
        self.checked = Instant::now();
        Ok(self.connection.insert(connection))
    }

    /// Checks now and then whether the server still answers. If it does not, the connection is given up.
    fn check(&mut self) -> StoreResult<()> {
        let Some(connection) = &mut self.connection else { return Ok(()) };
        if self.checked.elapsed() < CHECK_PAUSE {
            return Ok(());
        }
        let answered = connection.check(CHECK_TIME).map_err(StoreError::new);
        self.checked = Instant::now();
        if answered.is_err()
            && let Some(lost) = self.connection.take()
        {
            // Closing it waits for what was asked last.
            let thread = thread::Builder::new().name("store-close".to_owned());
            thread.spawn(move || drop(lost)).map_err(StoreError::new)?;
        }
        answered
    }
}

impl Follow for PostgresFollow {
    fn wait(&mut self, _: &Stop) -> StoreResult<bool> {
        self.check()?;
        let Some(connection) = self.connection.as_mut().filter(|it| !it.is_closed()) else {
            // What was changed while there was no connection is read on the next one.
            return Ok(true);
        };
        connection.wait_for_notification(PAUSE).map_err(StoreError::new)
    }

    fn changes_after(&mut self, version: i64, limit: usize) -> StoreResult<Vec<Change>> {
        Session::new(self.connection()?).changes_after(version, limit)
    }
}
