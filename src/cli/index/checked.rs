//! What was found at a site, wherever it was read.

use crate::cli::exit::Exit;
use dibber_catalog::well_known::{IndexProblem, ReadIndex};
use dibber_text::Message;

/// What was found at a site.
pub(super) struct Checked {
    /// The URL or the path of the index.
    pub(super) site: String,
    pub(super) index: ReadIndex,
    /// How each skill differs from the index; an error if its files cannot be read.
    pub(super) skills: Vec<Result<Vec<IndexProblem>, Message>>,
    /// How the command ends if nothing differs: a part may not have been reached.
    pub(super) exit: Exit,
}
