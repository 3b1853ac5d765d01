//! Whether files have changed since a scan.

use std::fs;

use dibber_text::parallel;

use super::root::Root;
use super::scan::{ITEMS_PER_THREAD, RootScan, Scan};
use super::watched::Watched;

impl Scan {
    /// Returns `true` if another scan would find the same.
    pub(super) fn is_current(&self, roots: &[Root]) -> bool {
        roots.iter().zip(&self.roots).all(|(root, scan)| scan.is_current(root))
    }
}

impl RootScan {
    fn is_current(&self, root: &Root) -> bool {
        self.is_settled
            && self.directory == fs::canonicalize(&root.directory).ok()
            && self.containers.iter().all(Watched::is_same)
            && parallel::map(&self.skills, ITEMS_PER_THREAD, |skill| skill.is_same())
                .into_iter()
                .all(|same| same)
    }
}
