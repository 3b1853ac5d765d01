//! The values that one field of a cron expression matches, as a bit set.

use std::fmt::Write;

use super::field_name::FieldName;

/// The values that a field matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Field {
    /// A bit for each value.
    pub(crate) values: u64,
    /// The step of a field that begins with `*`: 1 for `*` alone.
    ///
    /// Two fields with the same values differ when only one of them begins with `*`: cron decides
    /// by the first character how the day fields are combined and how clock changes are handled.
    pub(crate) star: Option<u8>,
}

impl Field {
    /// Creates a field with the given values that begins with `*` if `other` does and the values
    /// can be written that way.
    pub(crate) fn with_star_of(other: Self, name: FieldName, values: u64) -> Self {
        let (first, max) = name.limits();
        let star = other.star.and_then(|_| {
            (1..=max).find(|step| stepped(first, name.last_of_star(), *step) == values)
        });
        Self { values, star }
    }

    /// Returns the field `*`.
    pub(crate) fn every(name: FieldName) -> Self {
        let values = stepped(name.limits().0, name.last_of_star(), 1);
        Self { values, star: Some(1) }
    }

    /// Returns a field that does not begin with `*`.
    pub(crate) const fn list(values: u64) -> Self {
        Self { values, star: None }
    }

    /// Returns a field that begins with `*` if a step alone has these values.
    pub(crate) fn starred_or_list(name: FieldName, values: u64) -> Self {
        Self::with_star_of(Self::every(name), name, values)
    }

    /// Returns a field that begins with `*`, if any step has only these values.
    pub(crate) fn with_star(name: FieldName, values: u64) -> Option<Self> {
        let (first, max) = name.limits();
        let has = |step: &u8| stepped(first, name.last_of_star(), *step) & !values == 0;
        let star = Self::starred_or_list(name, values).star.or_else(|| (1..=max).find(has))?;
        Some(Self { values, star: Some(star) })
    }

    /// Writes the field in its normal form.
    pub(super) fn write(self, name: FieldName, out: &mut String) {
        let mut values = self.values;
        let mut separator = "";
        if let Some(step) = self.star {
            out.push('*');
            if step > 1 {
                write!(out, "/{step}").expect("a string takes all text");
            }
            values &= !stepped(name.limits().0, name.last_of_star(), step);
            separator = ",";
        }
        while values != 0 {
            let first = values.trailing_zeros();
            let run = (values >> first).trailing_ones();
            // Two consecutive values are shorter with a comma.
            let taken = if run == 2 { 1 } else { run };
            out.push_str(separator);
            write!(out, "{first}").expect("a string takes all text");
            if taken > 1 {
                write!(out, "-{}", first + taken - 1).expect("a string takes all text");
            }
            values &= !(u64::MAX >> (64 - taken) << first);
            separator = ",";
        }
    }
}

/// Returns the values from `first` to `last`, each `step` after the previous one.
pub(super) fn stepped(first: u8, last: u8, step: u8) -> u64 {
    (first..=last).step_by(usize::from(step)).fold(0, |values, value| values | 1 << value)
}
