//! The blocks of the pages of the book.

use crate::support::package;

/// Returns the block of a page below the first line that begins so.
pub(crate) fn block_below(page: &str, line: &str) -> String {
    let text = std::fs::read_to_string(package().join("docs/src").join(page)).expect("a page");
    let (_, rest) = text.split_once(line).unwrap_or_else(|| panic!("{page}: no {line}"));
    let (_, rest) = rest.split_once("```").expect("a block");
    let (_, rest) = rest.split_once('\n').expect("a block");
    rest.split_once("```").expect("an end").0.to_owned()
}
