//! The exit code of a command that did several things.

use crate::cli::exit::Exit;

/// The exit code that says more of two.
pub(super) fn graver(one: Exit, other: Exit) -> Exit {
    if other as u8 > one as u8 { other } else { one }
}
