//! Colour at a terminal: that of the reports of findings.

pub(in crate::cli) use dibber_lint::report::{Color, Ink, Style, paint};
