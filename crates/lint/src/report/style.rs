//! The colour and the width of a report for people.

/// How a report for people looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether it is coloured.
    pub color: Color,
    /// The width of the terminal, in columns.
    pub width: usize,
}

/// Whether there is colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Always; the caller has checked the terminal already.
    Always,
    /// Never.
    Never,
}
