//! What is lost when a skill that was edited here is replaced or removed.

use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use dibber_catalog::added::{AddedSkill, InstallRoot, PlaceState, place_state};

/// Prints the files of a skill that differ from what was added.
pub(super) fn show_edits(
    root: &InstallRoot,
    skill: &AddedSkill,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let mut lines = String::new();
    for place in &skill.directories {
        let PlaceState::Edited(differences) = place_state(root, skill, place) else { continue };
        for difference in differences {
            let path = format!("{place}/{}", difference.path);
            lines += &format!("  {}  {}\n", ui.shown(&path).in_full(), difference.kind.name());
        }
    }
    ui.print(lines.as_bytes())
}
