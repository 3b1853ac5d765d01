//! Everything between the commands and a terminal: streams, colour, layout, questions, progress
//! and what Ctrl-C does. Nothing here knows what a command does.

pub(super) mod answer_line;
pub(super) mod ask;
pub(super) mod color_choice;
pub(super) mod diff;
pub(super) mod interrupt;
pub(super) mod markdown;
pub(super) mod pager;
pub(super) mod progress;
pub(super) mod rendered;
pub(super) mod sheet;
pub(super) mod style;
pub(super) mod suggested_options;
pub(super) mod summary_line;
pub(super) mod ui;
pub(super) mod wording;

pub use dibber_lint::report::layout::columns;
pub use markdown::render_markdown;
pub use rendered::Rendered;
pub use summary_line::summary_line;
