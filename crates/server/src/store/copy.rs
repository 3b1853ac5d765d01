//! Copying families from one store to another, of whichever engines.
//!
//! The source is read in one consistent state, and everything is added to the target in one
//! transaction: either all families are copied, or nothing is. Before the transaction ends, every row
//! is read back from the target and compared with the source.

use std::fmt;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::engine::Store;
use super::error::{StoreError, StoreResult};
use super::families::FamilyId;
use super::rows::{RowDigest, StoredRow, TABLES, Table};
use super::store_ext::StoreExt;
use super::transaction::{Reader, Writer};

/// The rows that are read at once.
const PAGE_ROWS: usize = 200;

/// The pages that wait to be written.
const PAGES_WAITING: usize = 4;

/// What is to be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyPlan {
    /// The families, in the order of their creation.
    pub families: Vec<FamilyPlan>,
    /// The id of the source, if the target takes it over, so that clients recognize it there: only
    /// if all families are copied, and the target has none.
    pub server_id: Option<String>,
}

/// A family that is to be copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyPlan {
    /// The id.
    pub id: FamilyId,
    /// The name.
    pub name: String,
    /// Each table with the number of its rows.
    pub tables: Vec<(&'static str, usize)>,
}

/// A family that was copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedFamily {
    /// The id.
    pub id: FamilyId,
    /// The tables.
    pub tables: Vec<CopiedTable>,
}

/// The rows of a table that were copied, and compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedTable {
    /// The name.
    pub name: &'static str,
    /// The number of rows.
    pub rows: usize,
    /// The digest of the rows in both stores (SHA-256, hexadecimal).
    pub digest: String,
}

/// Why nothing was copied.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CopyError {
    /// The source has no family with this id.
    UnknownFamily(FamilyId),
    /// The target has a family with this id.
    Present(FamilyId),
    /// The target has another family with this name, by which its owner selects it.
    NameTaken(FamilyId),
    /// What was read back from this table of the target is not what was written.
    Differs(&'static str),
    /// The source failed.
    Source(StoreError),
    /// The target failed.
    Target(StoreError),
}

impl From<StoreError> for CopyError {
    fn from(error: StoreError) -> Self {
        Self::Target(error)
    }
}

/// Returns what would be copied: all families, or one. Nothing is changed. Without a target, it is
/// one that does not exist yet.
///
/// # Errors
/// If there is no such family, or the target has it already.
pub fn plan_copy(
    from: &dyn Store,
    to: Option<&dyn Store>,
    family: Option<&FamilyId>,
) -> Result<CopyPlan, CopyError> {
    let wanted = family.cloned();
    let plan = from.read_blocking(move |reader| read_plan(reader, wanted.as_ref()));
    let mut plan = match plan {
        Ok(plan) => plan,
        Err(CopyError::Target(error)) => return Err(CopyError::Source(error)),
        Err(error) => return Err(error),
    };
    if let Some(to) = to {
        let families = plan.families.clone();
        let is_empty = to.read_blocking(move |reader| check_target(reader, &families))?;
        plan.server_id = plan.server_id.filter(|_| is_empty);
    }
    Ok(plan)
}

fn read_plan(reader: &dyn Reader, wanted: Option<&FamilyId>) -> Result<CopyPlan, CopyError> {
    let mut families = reader.families()?.complete()?;
    if let Some(wanted) = wanted {
        families.retain(|family| family.id == *wanted);
        if families.is_empty() {
            return Err(CopyError::UnknownFamily(wanted.clone()));
        }
    }
    let server_id = if wanted.is_none() { Some(reader.server_id()?) } else { None };
    let plan = |family: super::families::Family| -> StoreResult<FamilyPlan> {
        let count = |table: &Table| Ok((table.name, reader.row_count(table, &family.id)?));
        let tables = TABLES.iter().map(count).collect::<StoreResult<_>>()?;
        Ok(FamilyPlan { tables, id: family.id, name: family.name })
    };
    let families = families.into_iter().map(plan).collect::<StoreResult<_>>()?;
    Ok(CopyPlan { families, server_id })
}

/// Returns `true` if the target has no family.
fn check_target(reader: &dyn Reader, families: &[FamilyPlan]) -> Result<bool, CopyError> {
    let present = reader.families()?;
    for family in families {
        if reader.family(&family.id)?.is_some() {
            return Err(CopyError::Present(family.id.clone()));
        }
        if present.rows.iter().any(|present| present.name == family.name) {
            return Err(CopyError::NameTaken(family.id.clone()));
        }
    }
    Ok(present.rows.is_empty() && present.damaged.is_empty())
}

/// Copies what was planned, and returns what was copied, once it is committed. The number of rows may
/// be another one than was planned, if the source was changed meanwhile.
///
/// # Errors
/// If nothing was copied. If the connection to the target is lost at the very end, it may have been:
/// the same copy again then reports that the family is present.
pub fn copy(
    from: &dyn Store,
    to: &dyn Store,
    plan: CopyPlan,
) -> Result<Vec<CopiedFamily>, CopyError> {
    let (sender, receiver) = sync_channel(PAGES_WAITING);
    let ids: Vec<FamilyId> = plan.families.iter().map(|family| family.id.clone()).collect();
    from.submit_read(Box::new(move |state| {
        if let Err(error) = state.and_then(|reader| send_families(reader, &ids, &sender)) {
            // Without a receiver, the target has failed.
            let _ = sender.send(Part::Failed(error));
        }
    }));
    to.write_blocking(move |writer| receive_families(writer, &plan, &receiver))
}

/// A part of what is copied.
enum Part {
    /// Rows of the present table of the present family.
    Rows(Vec<StoredRow>),
    /// The table has ended.
    TableEnd(RowDigest),
    /// The source failed.
    Failed(StoreError),
}

fn send_families(
    reader: &dyn Reader,
    families: &[FamilyId],
    sender: &SyncSender<Part>,
) -> StoreResult<()> {
    for family in families {
        for table in TABLES {
            let mut digest = RowDigest::default();
            for_each_page(reader, table, family, |rows| {
                for row in &rows {
                    digest.add(&row.values);
                }
                sender.send(Part::Rows(rows)).map_err(|_| StoreError::Dropped)
            })?;
            sender.send(Part::TableEnd(digest)).map_err(|_| StoreError::Dropped)?;
        }
    }
    Ok(())
}

fn for_each_page(
    reader: &dyn Reader,
    table: &Table,
    family: &FamilyId,
    mut work: impl FnMut(Vec<StoredRow>) -> StoreResult<()>,
) -> StoreResult<()> {
    let mut after = i64::MIN;
    loop {
        let rows = reader.rows_after(table, family, after, PAGE_ROWS)?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.number;
        work(rows)?;
    }
}

fn receive_families(
    writer: &dyn Writer,
    plan: &CopyPlan,
    receiver: &Receiver<Part>,
) -> Result<Vec<CopiedFamily>, CopyError> {
    // Another process may have added a family since the copy was planned.
    let is_empty = check_target(writer, &plan.families)?;
    let mut copied = Vec::new();
    for FamilyPlan { id, .. } in &plan.families {
        let table = |table| receive_table(writer, table, id, receiver);
        let tables = TABLES.iter().map(table).collect::<Result<_, _>>()?;
        copied.push(CopiedFamily { id: id.clone(), tables });
    }
    if let Some(id) = plan.server_id.as_ref().filter(|_| is_empty) {
        writer.set_server_id(id)?;
    }
    Ok(copied)
}

fn receive_table(
    writer: &dyn Writer,
    table: &Table,
    family: &FamilyId,
    receiver: &Receiver<Part>,
) -> Result<CopiedTable, CopyError> {
    let expected = loop {
        match receiver.recv().map_err(|_| CopyError::Source(StoreError::Dropped))? {
            Part::Rows(rows) => {
                for row in rows {
                    writer.add_row(table, &row.values)?;
                }
            }
            Part::TableEnd(digest) => break digest,
            Part::Failed(error) => return Err(CopyError::Source(error)),
        }
    };
    let mut found = RowDigest::default();
    for_each_page(writer, table, family, |rows| {
        for row in &rows {
            found.add(&row.values);
        }
        Ok(())
    })?;
    let digest = expected.digest();
    if found.count != expected.count || found.digest() != digest {
        return Err(CopyError::Differs(table.name));
    }
    Ok(CopiedTable { name: table.name, rows: found.count, digest })
}

impl CopyError {
    /// Returns what to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::UnknownFamily(_) => "without `--family`, every family is copied",
            Self::Present(_) => {
                "a copy never changes a family: copy the others with `--family`, or choose another \
                 target"
            }
            Self::NameTaken(_) => {
                "copy into a database that no server was started on; a server creates a family at \
                 its first start"
            }
            Self::Source(StoreError::Damaged) => {
                "nothing was copied; `dibber doctor --database` lists what is damaged"
            }
            Self::Differs(_) | Self::Source(_) | Self::Target(_) => "nothing was copied; try again",
        }
    }
}

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFamily(id) => write!(f, "there is no family `{id}` to copy"),
            Self::Present(id) => write!(f, "the target already has the family `{id}`"),
            Self::NameTaken(id) => {
                write!(f, "the target has another family with the name of `{id}`")
            }
            Self::Differs(table) => {
                write!(f, "the rows of {table} in the target are not those of the source")
            }
            Self::Source(error) => write!(f, "cannot read the source: {error}"),
            Self::Target(error) => write!(f, "cannot write the target: {error}"),
        }
    }
}

impl std::error::Error for CopyError {}
