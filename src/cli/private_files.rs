//! Files that are about to be given to others although they contain what nothing shows.

use std::borrow::Cow;

use super::error::CommandError;
use super::term::ui::Ui;
use dibber_catalog::SkillContents;
use dibber_lint::Privacy;
use dibber_text::Mask;

/// What is said of such a file.
pub(super) const PRIVATE: &str = "contains a secret, or a name of your private list";

/// Returns the paths of the files of a skill that contain a secret or a child's name.
pub(super) fn private_files(
    contents: &SkillContents,
    ui: &Ui,
) -> Result<Vec<String>, CommandError> {
    let roster = ui.names()?;
    let privacy = Privacy { roster: &roster };
    let is_private = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes);
        text.is_ok_and(|text| matches!(privacy.mask(text), Cow::Owned(masked) if masked != text))
    };
    let private = contents.files().filter(|(_, file)| is_private(&file.bytes));
    Ok(private.map(|(path, _)| path.as_str().to_owned()).collect())
}
