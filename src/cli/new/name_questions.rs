//! Questions about the names of children in an answer.

use std::collections::BTreeMap;

use super::spoken_names::{
    decision, is_same, name_spans, names_to_ask, typed_names, with_first_names, without_names,
};
use crate::cli::error::CommandError;
use crate::cli::term::ask::{Asker, Reply};
use dibber_skill::names::{AnswerKind, Roster};
use dibber_text::{Message, message, quote, quote_in_full};

/// What the question about names means.
const EXPLANATION: &str = "\
With yes, the name is not written into the text of the skill, which is published; with no, it is. \
Names of children that `dibber names add` puts on your private list are found in every skill.";
/// What the question about names in the value of an input means.
const VALUE_EXPLANATION: &str = "\
What an input is when the skill runs by itself is written to sprout.yaml, and a server keeps it with \
the schedule. With yes, it has `the child` instead of the name; with no, it stays as you typed it.";
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

/// Asks whether the names of children in the value of an input are to be left out: unlike other
/// answers, a value may have them. Returns the value, and the names that were left out; none if it is
/// to be typed again.
pub(in crate::cli) fn ask_about_value(
    asker: &mut Asker<'_>,
    typed: &str,
    decided: &BTreeMap<String, bool>,
    spoken: &[&str],
) -> Result<Option<(String, Vec<String>)>, CommandError> {
    let roster = asker.roster();
    let names = names_in_value(typed, roster, decided, spoken);
    if names.is_empty() {
        return Ok(Some((typed.to_owned(), Vec::new())));
    }
    let may_be =
        if names.len() == 1 { " may be the name of a child" } else { " may be names of children" };
    let question = message![
        quoted_list(&names),
        may_be,
        ", and this answer is stored in sprout.yaml and on the server. Write `the child` instead?"
    ];
    Ok(asker.confirm_or_back(question, VALUE_EXPLANATION, true)?.map(|is_left_out| {
        if !is_left_out {
            return (typed.to_owned(), Vec::new());
        }
        let all = with_first_names(names.iter().chain(spoken).copied());
        (without_names(typed, roster, all), names.into_iter().map(str::to_owned).collect())
    }))
}

/// Returns the words of the value of an input that may be names of children: those to ask about,
/// those that are names according to an answer, and those on the list.
fn names_in_value<'t>(
    typed: &'t str,
    roster: &Roster,
    decided: &BTreeMap<String, bool>,
    spoken: &[&str],
) -> Vec<&'t str> {
    let mut names =
        names_to_ask(typed, AnswerKind::Sentence, roster, |name| decision(decided, name));
    for span in name_spans(typed, roster, spoken.iter().copied()) {
        let name = &typed[span.range()];
        if !names.iter().any(|other| is_same(other, name)) {
            names.push(name);
        }
    }
    names.sort_by_key(|name| typed.find(name));
    names
}

/// Returns the question about words that are probably names.
fn question(names: &[&str]) -> Message {
    match names {
        [only] => message!["Is `", quote_in_full(only), "` the name of a child?"],
        _ => message!["Are ", quoted_list(names), " names of children?"],
    }
}

/// Returns words in a sentence: `Mia`, `Tom` and `Zoe`.
fn quoted_list(names: &[&str]) -> Message {
    let quoted = |name: &&str| message!["`", quote_in_full(name), "`"];
    match names {
        [others @ .., last] if !others.is_empty() => {
            message![Message::join(others.iter().map(quoted), ", "), " and ", quoted(last)]
        }
        _ => Message::join(names.iter().map(quoted), ""),
    }
}
