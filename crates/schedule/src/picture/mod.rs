//! Pictures of the fires of heartbeats: a week by the hour, a month and a year by the day.
//!
//! A picture is a grid of cells with a legend. It is written for a terminal as lines of segments,
//! each with a role that a caller may colour, or as an SVG document.

mod drawing;
mod grid;
mod legend;
mod marks;
mod svg;
mod tally;
mod terminal;

pub use drawing::Picture;
pub use marks::DRAWN_MAX;
pub use terminal::{PICTURE_WIDTH, PictureRole, PictureSegment};
