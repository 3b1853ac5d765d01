//! A schedule with a name, as pictures and calendar files show it.

use crate::fires::Schedule;

/// A schedule with a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedSchedule<'a> {
    /// The name. It is untrusted, and escaped before it is shown.
    pub name: &'a str,
    /// The schedule.
    pub schedule: &'a Schedule,
}
