//! Lists of rows, some of which may be damaged.

/// The rows of a list. A damaged row is left out, so that it does not hide all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<T> {
    /// The rows, up to the limit of the list.
    pub rows: Vec<T>,
    /// For each damaged row among them, the number of rows before it.
    pub damaged: Vec<usize>,
}
