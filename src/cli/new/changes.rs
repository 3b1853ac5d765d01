//! What is different at each run, in words, and the inputs for it.

use crate::cli::term::answer_line::only_yes_or_no;
use dibber_skill::skill::name;

/// The answer for no inputs.
pub(in crate::cli) const NOTHING: &str = "nothing";

/// Returns the names of inputs, and the words that were typed for them.
pub(in crate::cli) fn change_names(text: &str) -> Vec<(String, String)> {
    let is_named = |part: &&str| !part.is_empty() && only_yes_or_no(part).is_none();
    let parts = text.split(',').map(str::trim).filter(is_named);
    let input = |part: &str| {
        let name = name::corrected_to_ascii(part).map(|name| name.replace('-', "_"));
        (name.unwrap_or_else(|| part.to_owned()), part.to_owned())
    };
    parts.map(input).collect()
}
