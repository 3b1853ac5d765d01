//! How the schedules of a run are shown.

use super::arguments::ListLayout;
use super::set::Set;
use crate::cli::mask::mask;
use crate::cli::term::style::Style;
use dibber_lint::Privacy;
use dibber_schedule::ClockFormat;
use dibber_skill::names::Roster;

/// What the pages need besides the schedules.
pub(super) struct RenderContext<'a> {
    pub(super) style: Style,
    pub(super) roster: &'a Roster,
    pub(super) clock: ClockFormat,
    pub(super) list_layout: ListLayout,
}

impl RenderContext<'_> {
    pub(super) fn mask(&self, text: &str) -> String {
        mask(text, self.roster)
    }

    /// Returns `true` if the schedules are the rows of a table.
    pub(super) fn is_table(&self, set: &Set) -> bool {
        self.list_layout == ListLayout::Table && set.is_list()
    }

    /// Returns the mask for everything on the page.
    pub(super) const fn privacy(&self) -> Privacy<'_> {
        Privacy { roster: self.roster }
    }
}
