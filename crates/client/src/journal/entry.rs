//! One entry of the journal, and its file.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use super::super::error::JournalError;
use super::super::key::IdempotencyKey;
use super::super::recorded_server::RecordedServer;
use super::disk;
use super::entry_name;
use super::intent::{BegunBy, Intent, Repeat};
use dibber_text::file::{self, ReadError};

/// The most bytes of an entry (4 MiB): the largest prompt fits, with every character escaped.
const ENTRY_BYTES_MAX: u64 = 4 << 20;
/// The extension of an entry.
pub(super) const EXTENSION: &str = "json";
/// The extension of an entry that cannot be read.
const UNREADABLE: &str = "unreadable";

/// When a write was sent that was not sent yet.
pub(super) const NEVER_SENT: Timestamp = Timestamp::UNIX_EPOCH;

/// A write that was begun, and may or may not have taken effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfinished {
    /// The id by which a person names it.
    pub id: String,
    /// Its details, unless its entry is corrupt.
    pub details: Option<UnfinishedDetails>,
    pub(super) path: PathBuf,
}

/// What is known about an unfinished write.
#[derive(Clone, Debug, PartialEq)]
pub struct UnfinishedDetails {
    /// What the server is recorded by: its id, or its address if it has none.
    pub server: String,
    /// The address or the name by which it was selected.
    pub address: String,
    /// The tool.
    pub tool: String,
    /// What it writes.
    pub subject: Option<String>,
    /// The state that it starts from; empty for something new.
    pub base: String,
    /// What it writes is called before it, if that is recorded.
    pub name: Option<String>,
    /// The state that it leads to, if that can be recognised.
    pub target: Option<String>,
    /// The arguments of the call; empty for a write that does not keep them.
    pub arguments: Map<String, Value>,
    /// The ids of what the server had of the kind before: none of them is what the write creates.
    pub existing: Vec<String>,
    /// The id of what was created, if the server has answered, and nothing else records it.
    pub answered: Option<String>,
    /// What has begun it.
    pub begun_by: BegunBy,
    /// When it was begun.
    pub begun: Timestamp,
    /// When it was last sent; long ago if it never was.
    pub sent: Timestamp,
}

impl Unfinished {
    /// Returns when it was begun, unless its entry is corrupt.
    pub fn begun(&self) -> Option<Timestamp> {
        self.details.as_ref().map(|details| details.begun)
    }
}

/// The contents of an entry. Only its owner can read the file, as arguments contain the text of skills.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) key: IdempotencyKey,
    pub(super) tool: String,
    server: String,
    /// The address of the server, for readers, if it is recorded by its id.
    #[serde(default)]
    address: Option<String>,
    subject: Option<String>,
    base: String,
    /// See [`Intent::name`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    target: Option<String>,
    /// Those of a write with a subject, or that keeps them, so that what it created can be found.
    arguments: Option<Value>,
    /// See [`Intent::existing`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) existing: Vec<String>,
    pub(super) repeat: Repeat,
    /// None in the entries of earlier versions.
    #[serde(default, skip_serializing_if = "BegunBy::is_command")]
    begun_by: BegunBy,
    pub(super) begun: Timestamp,
    /// The id of what was created, if the server has answered, and nothing else records it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answered: Option<String>,
    /// When it was last sent, or [`NEVER_SENT`]; none if an earlier version has written the entry. It
    /// is the last field, so that [`write_in_place`] changes no byte before it.
    #[serde(default, serialize_with = "serialize_sent", skip_serializing_if = "Option::is_none")]
    pub(super) sent: Option<Timestamp>,
}

impl Entry {
    pub(super) fn new(intent: &Intent, key: IdempotencyKey, now: Timestamp) -> Self {
        let keeps_arguments = intent.subject.is_some() || intent.keeps_arguments;
        Self {
            key,
            tool: intent.tool.to_owned(),
            server: intent.server.key().to_owned(),
            address: Some(intent.server.name().to_owned()),
            subject: intent.subject.map(str::to_owned),
            base: intent.base.to_owned(),
            name: intent.name.map(str::to_owned),
            target: intent.target.map(str::to_owned),
            arguments: keeps_arguments.then(|| intent.arguments.clone()),
            existing: intent.existing.iter().map(|id| (*id).to_owned()).collect(),
            repeat: intent.repeat,
            begun_by: intent.begun_by,
            begun: now,
            answered: None,
            sent: Some(NEVER_SENT),
        }
    }

    /// Returns `true` if both create what they have as their subject.
    pub(super) fn creates_as(&self, other: &Self) -> bool {
        let is_creation = self.repeat == Repeat::Adds && self.base.is_empty();
        let is_same = self.tool == other.tool && self.subject == other.subject;
        is_creation && self.subject.is_some() && is_same && self.base == other.base
    }

    /// Returns what it was sent with, if it is a write of this tool to this server.
    pub(super) fn into_arguments(self, server: &RecordedServer, tool: &str) -> Option<Value> {
        let is_it = self.tool == tool && server.keys().any(|key| key == self.server);
        self.arguments.filter(|_| is_it)
    }

    /// Returns the same write under another key.
    pub(super) fn with_key(&self, key: IdempotencyKey) -> Self {
        Self { key, ..self.clone() }
    }
}

/// Returns `true` if a file in the journal is an entry, readable or not.
pub(super) fn is_entry(path: &Path) -> bool {
    let is_entry = path.extension().is_some_and(|found| found == EXTENSION || found == UNREADABLE);
    is_entry && entry_name::is_name(name_of(path))
}

/// Returns `true` if an entry was not found to be corrupt.
pub(super) fn is_readable(path: &Path) -> bool {
    path.extension().is_some_and(|found| found == EXTENSION)
}

/// Returns the id by which a person names an entry.
pub(super) fn id(path: &Path) -> String {
    entry_name::id_of(name_of(path))
}

fn name_of(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
}

/// Reads an entry for a list; none if it was removed meanwhile.
pub(super) fn load(path: PathBuf) -> Result<Option<Unfinished>, JournalError> {
    let Some(bytes) = bytes_of(&path).map_err(|cause| io_error(&path, cause))? else {
        return Ok(None);
    };
    let entry = serde_json::from_slice::<Entry>(&bytes).ok();
    let sent = entry.as_ref().map(|entry| sent(entry, &path)).transpose();
    let sent = sent.map_err(|cause| io_error(&path, cause))?.unwrap_or(NEVER_SENT);
    let details = entry.map(|entry| UnfinishedDetails {
        address: entry.address.unwrap_or_else(|| entry.server.clone()),
        server: entry.server,
        tool: entry.tool,
        subject: entry.subject,
        base: entry.base,
        name: entry.name,
        target: entry.target,
        arguments: entry.arguments.and_then(object).unwrap_or_default(),
        existing: entry.existing,
        answered: entry.answered,
        begun_by: entry.begun_by,
        begun: entry.begun,
        sent,
    });
    Ok(Some(Unfinished { id: id(&path), details, path }))
}

/// Reads an entry if it exists and is not corrupt, and never renames it.
pub(super) fn read_unchanged(path: &Path) -> Option<Entry> {
    serde_json::from_slice(&bytes_of(path).ok()??).ok()
}

/// Reads an entry. A corrupt one is renamed, so that it is neither found again nor lost.
pub(super) fn read(path: &Path) -> Result<Option<Entry>, JournalError> {
    let Some(bytes) = bytes_of(path).map_err(|cause| io_error(path, cause))? else {
        return Ok(None);
    };
    if let Ok(entry) = serde_json::from_slice(&bytes) {
        return Ok(Some(entry));
    }
    let aside = path.with_extension(UNREADABLE);
    fs::rename(path, &aside).map_err(|cause| io_error(path, cause))?;
    Err(JournalError::Unreadable { aside, id: id(path) })
}

/// Writes an entry, which is completely on the disk when this returns.
pub(super) fn write(path: &Path, entry: &Entry) -> io::Result<()> {
    let directory = disk::directory_of(path);
    // Only the owner has access to a temporary file.
    let mut file = tempfile::Builder::new().prefix(disk::TEMPORARY).tempfile_in(directory)?;
    file.write_all(&serde_json::to_vec(entry)?)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    disk::sync(directory)
}

/// Returns when a write was last sent: as its entry says, or, as earlier versions did, the time of the
/// file.
pub(super) fn sent(entry: &Entry, path: &Path) -> io::Result<Timestamp> {
    entry.sent.map_or_else(|| disk::modified(path), Ok)
}

/// Changes the last fields of an entry. The file remains the same one, which processes have locked, and
/// the bytes of the other fields remain.
pub(super) fn write_in_place(path: &Path, entry: &Entry) -> io::Result<()> {
    let bytes = serde_json::to_vec(entry)?;
    let mut file = fs::File::options().write(true).open(path)?;
    file.write_all(&bytes)?;
    file.set_len(bytes.len().try_into().map_err(io::Error::other)?)?;
    file.sync_all()
}

#[expect(clippy::ref_option, reason = "the signature that serde calls")]
fn serialize_sent<S: Serializer>(sent: &Option<Timestamp>, to: S) -> Result<S::Ok, S::Error> {
    sent.map(|sent| format!("{sent:.3}")).serialize(to)
}

fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// Returns the bytes of an entry, if there is one. What is not a regular file, or is too large, was
/// not written by this program, and reads as a corrupt entry.
fn bytes_of(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match file::read_regular(path, ENTRY_BYTES_MAX) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(ReadError::Io(error)) => Err(error),
        Err(_) => Ok(Some(Vec::new())),
    }
}

fn io_error(path: &Path, cause: io::Error) -> JournalError {
    JournalError::Io { path: path.to_owned(), cause }
}
