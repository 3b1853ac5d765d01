//! The name of the directory of a stored skill.

use dibber_skill::contract::StoredSkill;
use dibber_skill::skill::name;

/// The most characters of the name of a directory.
const DIRECTORY_CHARACTERS_MAX: usize = name::CHARACTERS_MAX;
/// The names of devices on Windows, where no directory can have them.
const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];
/// The same, before a digit.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Returns a name for the directory of a stored skill: its label with only the characters that a
/// name may have, or its id.
pub fn directory_name(stored: &StoredSkill) -> String {
    name_of_label(&stored.name).unwrap_or_else(|| name_of_id(stored))
}

/// Returns a name for the directory of a stored skill that contains nothing of its label.
pub(super) fn name_of_id(stored: &StoredSkill) -> String {
    let letters = stored.skill_id.as_str().chars().filter(char::is_ascii_alphanumeric);
    let letters: String = letters.map(|c| c.to_ascii_lowercase()).take(32).collect();
    format!("skill-{letters}").trim_end_matches('-').to_owned()
}

/// Returns a label with only the characters that a name may have; none if no character remains.
pub fn name_of_label(label: &str) -> Option<String> {
    let label: String = label.trim().chars().take(DIRECTORY_CHARACTERS_MAX).collect();
    let corrected = name::corrected(&label, None);
    // Accents are removed only if no letter of another script is lost by it.
    let ascii = name::corrected_to_ascii(&label);
    let length = |name: &Option<String>| name.as_ref().map(|name| name.chars().count());
    let name = if length(&ascii) == length(&corrected) { ascii } else { corrected }?;
    Some(if is_device(&name) { format!("skill-{name}") } else { name })
}

fn is_device(name: &str) -> bool {
    let numbered = name.strip_suffix(|c: char| c.is_ascii_digit());
    DEVICES.contains(&name) || numbered.is_some_and(|stem| NUMBERED_DEVICES.contains(&stem))
}
