//! A cron expression: five fields, its normal form, and how it handles clock changes.

use super::field::Field;
use super::field_name::FieldName;

/// A cron expression: the local times at which something fires.
///
/// The fields are minute, hour, day of the month, month and day of the week, with lists, ranges,
/// steps and names. A day has to match both of the day fields when one of them begins with `*`,
/// and either of them otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cron {
    pub(crate) minute: Field,
    pub(crate) hour: Field,
    pub(crate) day_of_month: Field,
    pub(crate) month: Field,
    pub(crate) day_of_week: Field,
}

/// How a schedule handles clock changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// Its minute and hour are given: it fires once a day, whatever the clocks do.
    Fixed,
    /// Its minute or hour begins with `*`: it follows the wall clock.
    Wildcard,
}

impl Cron {
    /// Returns how the schedule handles clock changes.
    pub const fn kind(&self) -> JobKind {
        if self.minute.star.is_some() || self.hour.star.is_some() {
            JobKind::Wildcard
        } else {
            JobKind::Fixed
        }
    }

    /// Returns the expression in its normal form: sorted numbers, and `*` where it was written.
    pub fn normalized(&self) -> String {
        let fields = [self.minute, self.hour, self.day_of_month, self.month, self.day_of_week];
        let mut text = String::with_capacity(16);
        for (index, (field, name)) in fields.into_iter().zip(FieldName::ALL).enumerate() {
            if index > 0 {
                text.push(' ');
            }
            field.write(name, &mut text);
        }
        text
    }

    /// Returns `true` if a day must match both day fields.
    pub(crate) const fn requires_both_day_fields(&self) -> bool {
        self.day_of_month.star.is_some() || self.day_of_week.star.is_some()
    }

    /// Returns the number of times of day that the expression matches.
    pub(crate) const fn times_per_day(&self) -> u32 {
        self.minute.values.count_ones() * self.hour.values.count_ones()
    }
}
