//! The rows of the tables as they are, for copies between stores.

use sha2::{Digest, Sha256};

use super::error::StoreResult;
use super::families::FamilyId;
use dibber_text::hex;

/// A table that is copied with a family.
#[derive(Debug)]
pub struct Table {
    /// The name.
    pub name: &'static str,
    /// The columns, without the number of the row, which each store gives itself.
    pub columns: &'static [Column],
    /// Which rows belong to a family.
    pub owner: RowOwner,
}

/// A column of a [`Table`].
#[derive(Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// Whether it holds integers; otherwise it holds strings.
    pub is_integer: bool,
}

/// What tells to which family a row belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOwner {
    /// It is the family itself.
    Itself,
    /// The column `family_id`.
    FamilyId,
    /// The column `user_id`, since no user of another family has the same id.
    UserId,
}

const fn text(name: &'static str) -> Column {
    Column { name, is_integer: false }
}

const fn integer(name: &'static str) -> Column {
    Column { name, is_integer: true }
}

/// The tables that are copied with a family. What a row refers to is in a table before its own. In
/// the order of their numbers, the rows of a copy are in the same order.
pub const TABLES: &[Table] = &[
    Table {
        name: "families",
        columns: &[text("id"), text("name"), text("time_zone"), text("chat_id")],
        owner: RowOwner::Itself,
    },
    Table {
        name: "users",
        columns: &[text("family_id"), text("id"), text("name")],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "children",
        columns: &[text("family_id"), text("id"), text("name"), text("birth_date")],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "canvases",
        columns: &[text("family_id"), text("id"), text("name"), text("emoji"), text("age_range")],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "grants",
        columns: &[
            text("family_id"),
            text("id"),
            text("user_id"),
            text("client_id"),
            text("client_name"),
            text("scopes"),
            text("audience"),
            integer("created_at"),
            integer("used_at"),
        ],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "tokens",
        columns: &[
            text("digest"),
            text("family_id"),
            text("user_id"),
            text("scopes"),
            text("name"),
            integer("created_at"),
            integer("expires_at"),
            text("grant_id"),
            text("audience"),
            integer("used_at"),
        ],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "credentials",
        columns: &[
            text("digest"),
            text("kind"),
            text("family_id"),
            text("user_id"),
            text("grant_id"),
            text("value"),
            integer("expires_at"),
        ],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "skills",
        columns: &[
            text("family_id"),
            text("id"),
            text("name"),
            text("description"),
            text("category"),
            text("hands"),
            text("inputs"),
            integer("kid_callable"),
            text("canvases"),
            text("age_range"),
            integer("is_archived"),
            integer("created_at"),
            integer("last_triggered_at"),
            text("prompt"),
            text("response_model"),
        ],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "results",
        columns: &[
            text("family_id"),
            text("id"),
            text("skill_id"),
            text("thread_id"),
            text("user_id"),
            integer("posted_at"),
            text("result"),
            text("kind"),
            text("state"),
            text("heartbeat_id"),
            text("run_id"),
        ],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "heartbeats",
        columns: &[
            text("family_id"),
            text("id"),
            text("name"),
            text("cron"),
            text("tz"),
            text("run_skill_id"),
            text("assignment_skill_id"),
            text("child_id"),
            text("skill_input"),
            integer("post_result_notify"),
            text("state"),
            text("chat_id"),
            integer("created_at"),
            integer("last_run_at"),
            integer("cancelled_seq"),
            text("missed_fires"),
            integer("decided_until"),
            integer("failed_in_row"),
            integer("next_fire_at"),
            integer("is_next_fire_known"),
        ],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "heartbeat_members",
        columns: &[text("family_id"), text("heartbeat_id"), text("user_id"), text("role")],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "runs",
        columns: &[
            text("family_id"),
            text("id"),
            text("heartbeat_id"),
            text("skill_id"),
            integer("planned_at"),
            text("planned_local"),
            integer("decided_at"),
            text("state"),
            integer("due_at"),
            integer("attempt"),
            text("claimed_by"),
            integer("lease_until"),
            integer("started_at"),
            integer("ended_at"),
            text("reason"),
            integer("may_have_repeated"),
            text("prompt_hash"),
            text("result"),
        ],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "activity",
        columns: &[
            text("family_id"),
            integer("number"),
            text("type"),
            text("actor_id"),
            text("refs"),
            text("payload"),
            integer("at"),
        ],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "answers",
        columns: &[
            text("user_id"),
            text("idempotency_key"),
            text("fingerprint"),
            text("answer"),
            integer("answered_at"),
        ],
        owner: RowOwner::UserId,
    },
    Table {
        name: "resource_versions",
        columns: &[text("family_id"), text("resource"), integer("version")],
        owner: RowOwner::FamilyId,
    },
    // The files of large blobs are not copied: a server on the same data directory finds them, and for
    // another one these blobs are gone.
    Table {
        name: "blobs",
        columns: &[
            text("family_id"),
            text("id"),
            text("owner"),
            text("mime"),
            text("encoding"),
            integer("size_bytes"),
            text("content"),
            text("directory"),
            integer("created_at"),
            integer("used_at"),
        ],
        owner: RowOwner::FamilyId,
    },
    Table {
        name: "skill_runs",
        columns: &[
            text("family_id"),
            text("id"),
            text("user_id"),
            text("skill"),
            text("skill_version"),
            text("status"),
            text("error_type"),
            integer("started_at"),
            integer("milliseconds"),
            text("summary"),
        ],
        owner: RowOwner::FamilyId,
    },
];

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredValue {
    /// NULL.
    Null,
    /// An integer.
    Integer(i64),
    /// A string.
    Text(String),
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRow {
    /// Its number, in the order in which the rows were added.
    pub number: i64,
    /// Its values, in the order of the columns of the table.
    pub values: Vec<StoredValue>,
}

/// Reads rows as they are.
pub trait ReadRows {
    /// Returns the first rows of a family after a row number, up to so many, in the order of their
    /// numbers. A value of another kind than the column has is an error.
    fn rows_after(
        &self,
        table: &Table,
        family: &FamilyId,
        after: i64,
        limit: usize,
    ) -> StoreResult<Vec<StoredRow>>;

    /// Returns the number of rows of a family.
    fn row_count(&self, table: &Table, family: &FamilyId) -> StoreResult<usize>;
}

/// Writes rows as they are.
pub trait WriteRows: ReadRows {
    /// Adds a row.
    fn add_row(&self, table: &Table, values: &[StoredValue]) -> StoreResult<()>;

    /// Replaces the id of this store.
    fn set_server_id(&self, id: &str) -> StoreResult<()>;
}

impl Table {
    /// Returns the names of the columns, separated by commas.
    pub(super) fn column_names(&self) -> String {
        self.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
    }

    /// Returns the condition that a row belongs to the family that is the first parameter.
    pub(super) fn owner_condition(&self) -> &'static str {
        match self.owner {
            RowOwner::Itself => "id = ?1",
            RowOwner::FamilyId => "family_id = ?1",
            RowOwner::UserId => "user_id IN (SELECT id FROM users WHERE family_id = ?1)",
        }
    }

    /// Returns the statement that adds a row, with a parameter for each column; `mark` is what comes
    /// before the number of a parameter.
    pub(super) fn insertion(&self, mark: char) -> String {
        let parameters = (1..=self.columns.len()).map(|number| format!("{mark}{number}"));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        format!("INSERT INTO {} ({}) VALUES ({parameters})", self.name, self.column_names())
    }
}

/// The number and the digest of rows of a table.
#[derive(Clone, Default)]
pub(super) struct RowDigest {
    pub(super) count: usize,
    state: Sha256,
}

impl RowDigest {
    /// Adds a row. Each value is preceded by its kind and its length, so that no two lists of rows
    /// have the same bytes.
    pub(super) fn add(&mut self, values: &[StoredValue]) {
        self.count += 1;
        for value in values {
            match value {
                StoredValue::Null => self.state.update([0]),
                StoredValue::Integer(integer) => {
                    self.state.update([1]);
                    self.state.update(integer.to_be_bytes());
                }
                StoredValue::Text(text) => {
                    self.state.update([2]);
                    self.state.update((text.len() as u64).to_be_bytes());
                    self.state.update(text.as_bytes());
                }
            }
        }
    }

    /// Returns the digest (SHA-256, hexadecimal).
    pub(super) fn digest(&self) -> String {
        hex(self.state.clone().finalize())
    }
}
