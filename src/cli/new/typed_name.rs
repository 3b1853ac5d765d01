//! The name of a new skill that is typed after `dibber new`: what it is made of, as an answer to a
//! question is.

use std::collections::BTreeMap;

use super::name_questions::ask_about_names;
use super::spoken_names::{
    clean_folder, confirmed, decision, names_to_ask, with_first_names, without_names,
};
use crate::cli::error::CommandError;
use crate::cli::term::ask::{Asker, FIRST_QUESTION};
use dibber_skill::names::AnswerKind;
use dibber_skill::scaffold::{self, Answers, TEMPLATES, Template};
use dibber_skill::skill::name;

/// Returns the name of a folder that is made of a typed name: the typed one, if it is valid in the
/// template, or in any if none is chosen yet. Fails if it has no letters for one.
pub(super) fn corrected(
    typed: &str,
    template: Option<&Template>,
) -> Result<String, Vec<CommandError>> {
    let problems = |template: &Template, name: &str| {
        let name = Some(name.to_owned());
        scaffold::problems(template, &Answers { name, ..Answers::default() })
    };
    let mut possible =
        TEMPLATES.iter().filter(|it| template.is_none_or(|only| only.name == it.name));
    if possible.any(|template| problems(template, typed).is_empty()) {
        return Ok(typed.to_owned());
    }
    let template = template.unwrap_or(&TEMPLATES[0]);
    let corrected = name::corrected_to_ascii(typed);
    corrected.filter(|name| problems(template, name).is_empty()).ok_or_else(|| {
        let errors = problems(template, typed).into_iter();
        errors.map(|it| CommandError::new(it.message).help(it.help.unwrap_or_default())).collect()
    })
}

/// Asks which words of a typed name are names of children, and returns it without them; none if
/// nothing else is left. `names` are those that are decided so far.
pub(super) fn without_children(
    typed: &str,
    names: &mut BTreeMap<String, bool>,
    asker: &mut Asker<'_>,
) -> Result<Option<String>, CommandError> {
    let (roster, words) = (asker.roster(), typed.replace(['-', '_'], " "));
    let likely = names_to_ask(&words, AnswerKind::Names, roster, |name| decision(names, name));
    if !likely.is_empty() {
        let decided = loop {
            match ask_about_names(asker, &likely)? {
                Some(decided) => break decided,
                None => asker.eprintln(FIRST_QUESTION),
            }
        };
        names.extend(decided);
    }
    let spoken = with_first_names(confirmed(names));
    Ok(clean_folder(typed, |words| without_names(words, roster, spoken.iter().copied())))
}
