//! Blobs.

use rusqlite::{Row, params};

use super::checked_table::{CheckedTable, id_column};
use super::session::{Session, from_word, id, time};
use crate::store::blobs::{Blob, BlobPlace, BlobUsage, ReadBlobs, RemovedBlob, WriteBlobs};
use crate::store::error::{StoreError, StoreResult};
use crate::store::families::FamilyId;
use dibber_skill::contract::skills_protocol::Encoding;
use dibber_skill::contract::{BlobId, Id, WireEnum};

/// The columns of a blob, in the order of [`blob`].
macro_rules! columns {
    () => {
        "id, owner, mime, encoding, size_bytes, content, directory, created_at, used_at"
    };
}

/// The tables, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[CheckedTable {
    name: "blobs",
    columns: columns!(),
    parse: |row| blob(row).map(drop),
    id: id_column,
}];

/// The number and the size of the blobs of an owner.
const USAGE: &str = "SELECT COUNT(*), COALESCE(SUM(size_bytes), 0) FROM blobs
    WHERE family_id = ?1 AND owner = ?2 AND used_at >= ?3";

const WITH_FILES: &str = "SELECT id FROM blobs
    WHERE directory = ?1 AND id > COALESCE(?2, '') ORDER BY id LIMIT ?3";

const REMOVE_UNUSED: &str = "DELETE FROM blobs
    WHERE seq IN (SELECT seq FROM blobs WHERE used_at < ?1 ORDER BY used_at LIMIT ?2)
    RETURNING id, directory";

/// The statements that read a part of the blobs of an owner, of a directory, or of an age.
pub const BLOB_LISTINGS: [&str; 3] = [USAGE, WITH_FILES, REMOVE_UNUSED];

impl ReadBlobs for Session<'_> {
    fn blob(&self, family: &FamilyId, owner: &str, id: &BlobId) -> StoreResult<Option<Blob>> {
        let statement = concat!(
            "SELECT ",
            columns!(),
            " FROM blobs WHERE id = ?3 AND family_id = ?1 AND owner = ?2"
        );
        self.one(statement, (family.as_str(), owner, id.as_str()), blob)
    }

    fn blob_usage(&self, family: &FamilyId, owner: &str, since: i64) -> StoreResult<BlobUsage> {
        let usage = self.one(USAGE, (family.as_str(), owner, since), |row| {
            Ok(BlobUsage { count: size(row, 0)?, bytes: size(row, 1)? })
        })?;
        usage.ok_or(StoreError::Damaged)
    }

    fn has_blobs_unused_since(&self, time: i64) -> StoreResult<bool> {
        let statement = "SELECT 1 FROM blobs WHERE used_at < ?1 LIMIT 1";
        Ok(self.one(statement, [time], |_| Ok(()))?.is_some())
    }

    fn has_blob_file(&self, directory: &str, id: &BlobId) -> StoreResult<bool> {
        let statement = "SELECT 1 FROM blobs WHERE directory = ?1 AND id = ?2";
        Ok(self.one(statement, (directory, id.as_str()), |_| Ok(()))?.is_some())
    }

    fn blob_files(
        &self,
        directory: &str,
        after: Option<&BlobId>,
        limit: usize,
    ) -> StoreResult<Vec<BlobId>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.all(WITH_FILES, (directory, after.map(Id::as_str), limit), |row| id(row, 0))
    }
}

impl WriteBlobs for Session<'_> {
    fn add_blob(&self, family: &FamilyId, blob: &Blob) -> StoreResult<()> {
        let (content, directory) = match &blob.place {
            BlobPlace::Row(content) => (Some(content), None),
            BlobPlace::Directory(directory) => (None, Some(directory)),
        };
        self.execute_one(
            "INSERT INTO blobs (family_id, id, owner, mime, encoding, size_bytes, content,
             directory, created_at, used_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                family.as_str(),
                blob.id.as_str(),
                blob.owner,
                blob.mime,
                blob.encoding.name(),
                i64::try_from(blob.size_bytes).unwrap_or(i64::MAX),
                content,
                directory,
                blob.created_at,
                blob.used_at,
            ],
        )
    }

    fn record_blob_use(&self, family: &FamilyId, id: &BlobId, at: i64) -> StoreResult<bool> {
        let statement = "UPDATE blobs SET used_at = max(used_at, ?3)
             WHERE id = ?2 AND family_id = ?1";
        Ok(self.execute(statement, (family.as_str(), id.as_str(), at))? > 0)
    }

    fn remove_blob_file(&self, directory: &str, id: &BlobId) -> StoreResult<()> {
        let statement = "DELETE FROM blobs WHERE directory = ?1 AND id = ?2";
        self.execute(statement, (directory, id.as_str())).map(drop)
    }

    fn remove_blobs_unused_since(&self, time: i64, limit: usize) -> StoreResult<Vec<RemovedBlob>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.all(REMOVE_UNUSED, (time, limit), |row| {
            Ok(RemovedBlob { id: id(row, 0)?, directory: row.get(1)? })
        })
    }
}

fn blob(row: &Row<'_>) -> rusqlite::Result<Blob> {
    let place = match (row.get(5)?, row.get(6)?) {
        (Some(content), None) => BlobPlace::Row(content),
        (None, Some(directory)) => BlobPlace::Directory(directory),
        _ => return Err(rusqlite::Error::IntegralValueOutOfRange(5, 0)),
    };
    Ok(Blob {
        id: id(row, 0)?,
        owner: row.get(1)?,
        mime: row.get(2)?,
        encoding: from_word(row, 3, Encoding::from_name)?,
        size_bytes: size(row, 4)?,
        place,
        created_at: time(row, 7)?,
        used_at: time(row, 8)?,
    })
}

/// Reads a column that holds a number of bytes or rows.
fn size(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let size = row.get::<_, i64>(column)?;
    u64::try_from(size).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, size))
}
