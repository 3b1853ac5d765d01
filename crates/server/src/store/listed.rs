//! Lists of rows, some of which may be damaged.

use super::error::{StoreError, StoreResult};

/// The rows of a list. A damaged row is left out, so that it does not hide all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<T> {
    /// The rows, up to the limit of the list.
    pub rows: Vec<T>,
    /// For each damaged row among them, the number of rows before it.
    pub damaged: Vec<usize>,
}

impl<T> Listed<T> {
    /// Returns the rows, unless one of the list is damaged.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if one is.
    pub fn complete(self) -> StoreResult<Vec<T>> {
        if self.damaged.is_empty() { Ok(self.rows) } else { Err(StoreError::Damaged) }
    }

    /// Adds another list at the end.
    pub(super) fn append(&mut self, other: Self) {
        let before = self.rows.len();
        self.damaged.extend(other.damaged.iter().map(|count| before + count));
        self.rows.extend(other.rows);
    }
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), damaged: Vec::new() }
    }
}
