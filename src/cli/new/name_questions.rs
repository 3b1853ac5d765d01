//! Questions about the names of children in an answer.

use super::spoken_names::{is_same, typed_names};
use crate::cli::error::CommandError;
use crate::cli::term::ask::{Asker, Reply};
use dibber_text::{Message, message, quote, quote_in_full};

/// What the question about names means.
const EXPLANATION: &str = "\
With yes, the name is not written into the text of the skill, which is published; with no, it is. \
Names that you add to your list with `dibber names add` are found everywhere.";
/// What is asked after a no to several names.
const WHICH: &str = "Which of them are? Separate several with commas, or type none.";
/// What is shown after a word that was not asked about.
const WHICH_HELP: &str = "type some of the words of the question, or none";
/// The answer for no names.
const NONE: &str = "none";

/// Asks which of these words are names of children, in one question if all are. Returns each with
/// the answer; none if what was typed before is to be typed again.
pub(in crate::cli) fn ask_about_names(
    asker: &mut Asker<'_>,
    names: &[&str],
) -> Result<Option<Vec<(String, bool)>>, CommandError> {
    let decided = |is_child: &dyn Fn(&str) -> bool| {
        names.iter().map(|it| ((*it).to_owned(), is_child(it))).collect()
    };
    let Some(are_all) = asker.confirm_or_back(question(names), EXPLANATION, true)? else {
        return Ok(None);
    };
    if are_all || names.len() == 1 {
        return Ok(Some(decided(&|_| are_all)));
    }
    let mut reply = asker.reply(WHICH, &[], Some(NONE))?;
    loop {
        match reply {
            Reply::Back => return Ok(None),
            Reply::Help => asker.eprintln(EXPLANATION),
            Reply::Given(typed) => {
                let chosen = typed_names(&typed);
                let is_known = |typed: &&&str| names.iter().any(|name| is_same(name, typed));
                match chosen.iter().find(|typed| !is_known(typed)) {
                    None => {
                        let is_chosen = |name: &str| chosen.iter().any(|it| is_same(it, name));
                        return Ok(Some(decided(&is_chosen)));
                    }
                    Some(other) => {
                        let problem = message!["`", quote(other), "` is not one of these"];
                        asker.show_error(&CommandError::new(problem).help(WHICH_HELP));
                    }
                }
            }
        }
        reply = asker.reply_again()?;
    }
}

/// Returns the question about words that are probably names.
fn question(names: &[&str]) -> Message {
    let [first, rest @ ..] = names else { return "".into() };
    let Some((last, others)) = rest.split_last() else {
        return message!["Is `", quote_in_full(first), "` the name of a child?"];
    };
    let mut question = message!["Are `", quote_in_full(first)];
    for name in others {
        question = message![question, "`, `", quote_in_full(name)];
    }
    message![question, "` and `", quote_in_full(last), "` names of children?"]
}
