//! Whether a skill is for a child's age.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::families::age;
use dibber_skill::age_range::AgeRange;

/// How many days before a birthday a parent is warned that a skill will no longer be for a child,
/// or will be for it only then.
const EDGE_DAYS: i64 = 60;

/// How the age of a child compares with the ages that a skill is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AgeFit {
    /// The child is too young or too old.
    pub(super) is_mismatch: bool,
    /// That changes soon.
    pub(super) is_at_edge: bool,
}

impl AgeFit {
    /// Compares a child with ages such as `5-7`; `None` if the ages cannot be read.
    pub(super) fn new(birth: Date, ages: &str, today: Date) -> Option<Self> {
        let ages: AgeRange = ages.parse().ok()?;
        let soon = today.checked_add(EDGE_DAYS.days()).ok()?;
        let fits = |on| ages.contains(age(birth, on));
        Some(Self { is_mismatch: !fits(today), is_at_edge: fits(today) != fits(soon) })
    }
}
