//! How times of the day are written.

/// How times of the day are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockFormat {
    /// `8am`, `8:30pm`, `noon`.
    #[default]
    Twelve,
    /// `08:00`, `20:30`.
    TwentyFour,
}
