//! What is removed with a damaged skill or heartbeat.

use serde::Serialize;
use serde_json::{Map, Value};

/// A row that is removed, with all of its columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RemovedRow {
    /// Its table.
    pub table: &'static str,
    /// Its values. Bytes that are not UTF-8 are hexadecimal digits after `hex:`.
    pub columns: Map<String, Value>,
}

/// Whether a removal is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemovalDecision {
    /// Nothing is changed.
    Keep,
    /// The rows are removed.
    Remove,
}
