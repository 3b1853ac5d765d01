//! Connections to the server.

use std::collections::HashMap;
use std::time::Duration;

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{ToSql, Type};
use postgres::{Client, Error, NoTls, Row, Statement};
use tokio::time::Instant;

use super::address::{Encryption, PostgresAddress};
use super::error::{OpenError, has_ended_connection, store_error};
use super::tls::Tls;
use super::value::Value;
use crate::store::error::{StoreError, StoreResult};

/// How long to wait after an attempt to connect has failed. What is to be done meanwhile fails at
/// once, so that callers do not have to wait in a line for one attempt each.
const RECONNECT_PAUSE: Duration = Duration::from_secs(1);

/// Sets where the tables are, and how long a statement waits for other transactions and a
/// transaction of ours for its next statement: a process that is stopped while it holds the lock
/// must not stop all others.
const SETTINGS: &str = "SET search_path TO dibber;
    SET lock_timeout TO '10s';
    SET idle_in_transaction_session_timeout TO '60s'";

/// A connection, with the statements that it has prepared.
pub(super) struct Connection {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl Connection {
    /// Connects to the server.
    pub(super) fn open(address: &PostgresAddress) -> Result<Self, OpenError> {
        let unreachable = |error| OpenError::unreachable(address, &error);
        let client = match &address.encryption {
            Encryption::None => address.config.connect(NoTls),
            Encryption::Verified { authorities } => {
                let tls = Tls::new(authorities.as_deref()).map_err(|cause| {
                    OpenError::Unreachable { database: address.clone(), cause: cause.to_string() }
                })?;
                address.config.connect(tls)
            }
        };
        let mut connection =
            Self { client: client.map_err(unreachable)?, statements: HashMap::new() };
        connection.batch(SETTINGS).map_err(|error| OpenError::other(address, &error))?;
        Ok(connection)
    }

    /// Returns `true` if the connection was closed, from either end.
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Fails if the server does not answer within a time.
    pub(super) fn check(&mut self, time: Duration) -> Result<(), Error> {
        self.client.is_valid(time)
    }

    /// Executes statements without parameters.
    pub(super) fn batch(&mut self, statements: &str) -> Result<(), Error> {
        self.client.batch_execute(statements)
    }

    /// Waits for a notification, for so long at most; returns `true` if there was one. Those that
    /// wait already are received with it.
    pub(super) fn wait_for_notification(&mut self, time: Duration) -> Result<bool, Error> {
        let mut notifications = self.client.notifications();
        let first = notifications.timeout_iter(time).next()?;
        let mut waiting = notifications.iter();
        while waiting.next()?.is_some() {}
        Ok(first.is_some())
    }

    /// Returns the rows of a query.
    pub(super) fn query(
        &mut self,
        statement: &str,
        parameters: &[Value<'_>],
    ) -> Result<Vec<Row>, Error> {
        let statement = self.prepared(statement, parameters)?;
        self.client.query(&statement, &as_sql(parameters))
    }

    /// Executes a statement, and returns how many rows it changed.
    pub(super) fn execute(
        &mut self,
        statement: &str,
        parameters: &[Value<'_>],
    ) -> Result<u64, Error> {
        let statement = self.prepared(statement, parameters)?;
        self.client.execute(&statement, &as_sql(parameters))
    }

    /// Returns a statement, which is prepared when it is used for the first time. There are a few
    /// dozen statements. The types of the parameters are given: the server would take the number in
    /// `$1 - 1` for a shorter one.
    fn prepared(&mut self, text: &str, parameters: &[Value<'_>]) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(text) {
            return Ok(statement.clone());
        }
        let types: Vec<Type> = parameters.iter().map(Value::sql_type).collect();
        let statement = self.client.prepare_typed(text, &types)?;
        self.statements.insert(text.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn as_sql<'a>(parameters: &'a [Value<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    parameters.iter().map(Value::as_sql).collect()
}

/// A connection that is made again when it was lost.
pub(super) struct Reconnecting {
    address: PostgresAddress,
    connection: Option<Connection>,
    /// The last attempt to connect that failed, and why.
    failure: Option<(Instant, StoreError)>,
}

impl Reconnecting {
    pub(super) fn new(address: PostgresAddress, connection: Option<Connection>) -> Self {
        Self { address, connection, failure: None }
    }

    /// Begins a transaction. That the connection was lost while it was idle is only noticed now,
    /// and it is made again.
    pub(super) fn begin(&mut self, statement: &str) -> StoreResult<&mut Connection> {
        let present = self.connection.take().filter(|connection| !connection.is_closed());
        if let Some(mut connection) = present {
            match connection.batch(statement) {
                Ok(()) => return Ok(self.connection.insert(connection)),
                Err(error) if has_ended_connection(&error) => {}
                Err(error) => {
                    // Another transaction has held the lock for too long.
                    let error = store_error(&error);
                    drop(connection.batch("ROLLBACK"));
                    self.connection = Some(connection);
                    return Err(error);
                }
            }
        }
        let mut connection = self.connect()?;
        connection.batch(statement).map_err(|error| store_error(&error))?;
        Ok(self.connection.insert(connection))
    }

    fn connect(&mut self) -> StoreResult<Connection> {
        if let Some((at, error)) = &self.failure
            && at.elapsed() < RECONNECT_PAUSE
        {
            return Err(error.clone());
        }
        let connected = Connection::open(&self.address).map_err(StoreError::new);
        self.failure = connected.as_ref().err().map(|error| (Instant::now(), error.clone()));
        connected
    }
}
