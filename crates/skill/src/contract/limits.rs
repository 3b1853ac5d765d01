//! The limits of arguments, which their schemas state.

/// The most characters of a string that has no limit of its own: a label, an id, a hash.
pub(super) const STRING_CHARACTERS_DEFAULT_MAX: usize = 300;
/// The most characters of a label.
pub const LABEL_CHARACTERS_MAX: usize = STRING_CHARACTERS_DEFAULT_MAX;
/// The most characters of a summary.
pub const SUMMARY_CHARACTERS_MAX: usize = 4_000;
/// The most characters of a prompt.
pub const PROMPT_CHARACTERS_MAX: usize = 200_000;
/// The most characters of a cron expression; more than any that can be parsed.
pub(super) const CRON_CHARACTERS_MAX: usize = 1_000;
/// The most hands of a skill.
pub(super) const HANDS_MAX: usize = 200;
/// The most inputs of a skill.
pub(super) const INPUTS_MAX: usize = 1_000;
/// The most canvases of one call. A skill may link fewer; this only bounds the work.
pub(super) const CANVAS_IDS_MAX: usize = 100;

/// The most characters of a heartbeat's name.
pub const HEARTBEAT_NAME_CHARACTERS_MAX: usize = 100;
