//! Choosing among the skills of a source.

use std::collections::BTreeSet;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use dibber_catalog::sources::OfferedSkill;
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// The most skills that an error names.
const NAMES_SHOWN_MAX: usize = 20;

/// Returns the skills that were named, all, the only one, or those that are chosen at the terminal.
pub(super) fn choose(
    offered: &[OfferedSkill],
    named: &[String],
    has_all: bool,
    ui: &mut Ui,
) -> Result<Vec<OfferedSkill>, CommandError> {
    let chosen = if !named.is_empty() {
        let found = named.iter().map(|name| find(offered, name));
        found.collect::<Result<Vec<_>, _>>()?
    } else if has_all || offered.len() == 1 {
        offered.to_vec()
    } else if ui.can_ask() {
        ask(offered, ui)?
    } else {
        let list = list(offered);
        let message = message!["the source has ", offered.len(), " skills: ", quote_in_full(&list)];
        return Err(CommandError::new(message)
            .help("choose with `--skill NAME`, or take `--all`; `--list` lists all of them"));
    };
    let mut chosen = chosen;
    let mut paths = BTreeSet::new();
    chosen.retain(|skill| paths.insert(skill.path.clone()));
    for skill in &chosen {
        let same = chosen.iter().filter(|other| other.name == skill.name);
        let same: Vec<_> = same.collect();
        if same.len() > 1 {
            return Err(two_of_a_name(&skill.name, &same));
        }
    }
    Ok(chosen)
}

fn ask(offered: &[OfferedSkill], ui: &mut Ui) -> Result<Vec<OfferedSkill>, CommandError> {
    let roster = ui.names()?;
    let items: Vec<Message> = offered
        .iter()
        .map(|skill| message![quote(&skill.name), ": ", quote(&skill.description)])
        .collect();
    let chosen = Asker::new(ui, &roster).multi_select("Which skills?", &items)?;
    Ok(chosen.into_iter().map(|index| offered[index].clone()).collect())
}

/// Finds a skill by its name, its directory, or the last part of its directory.
pub(super) fn find(offered: &[OfferedSkill], name: &str) -> Result<OfferedSkill, CommandError> {
    let wanted = name.trim_matches('/');
    let with = |is_it: &dyn Fn(&OfferedSkill) -> bool| -> Vec<&OfferedSkill> {
        offered.iter().filter(|skill| is_it(skill)).collect()
    };
    let ends = |path: &str| path.rsplit('/').next().unwrap_or_default() == wanted;
    let found = [
        with(&|skill| skill.path == wanted),
        with(&|skill| skill.name == name),
        with(&|skill| ends(&skill.path)),
    ];
    match found.iter().find(|found| !found.is_empty()).map(Vec::as_slice) {
        Some([skill]) => return Ok((*skill).clone()),
        Some(several) => return Err(two_of_a_name(name, several)),
        None => {}
    }
    let message = message!["the source has no skill named `", quote(name), "`"];
    let error = CommandError::new(message).exit(Exit::NotFound);
    let names = offered.iter().map(|skill| skill.name.as_str());
    if let Some(other) = closest_match(name, names) {
        return Err(error.help(message!["did you mean `", quote(other), "`?"]));
    }
    let list = list(offered);
    Err(error.help(message!["it has ", quote_in_full(&list)]))
}

/// Returns the error of a name that several skills have.
fn two_of_a_name(name: &str, found: &[&OfferedSkill]) -> CommandError {
    let message = message!["the source has several skills named `", quote(name), "`"];
    let paths = found.iter().take(NAMES_SHOWN_MAX).map(|skill| skill.path.as_str());
    let paths = paths.collect::<Vec<_>>().join(", ");
    let help = message!["name a directory with `--skill`: ", quote_in_full(&paths)];
    CommandError::new(message).exit(Exit::BadInput).help(help)
}

fn list(offered: &[OfferedSkill]) -> String {
    let names = offered.iter().take(NAMES_SHOWN_MAX).map(|skill| skill.name.clone());
    let mut names: Vec<_> = names.collect();
    if offered.len() > names.len() {
        names.push(format!("{} more", offered.len() - names.len()));
    }
    names.join(", ")
}
