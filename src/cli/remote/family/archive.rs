//! `dibber family archive-skill`.

use super::arguments::ArchiveArgs;
use super::open_server::{OpenServer, failed, roster_of};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_server::store::Skill;
use dibber_text::{message, quote, quote_display, quote_in_full};

/// The most skills of the same label that an error lists.
const LISTED_MAX: usize = 10;

pub(super) fn run(
    typed: &ArchiveArgs,
    open: &OpenServer,
    family: &str,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    if !typed.yes.is_set() && !typed.dry_run.is_set() && !ui.can_ask() {
        return Err(CommandError::cannot_confirm(
            "add `--yes`; `dibber skill unarchive` takes it back",
        ));
    }
    let family = open.family(family)?;
    let skill = only_skill(open.0.skills_named(&family.id, &typed.skill).map_err(failed)?, typed)?;
    if skill.is_archived {
        ui.eprintln("it is already archived");
        return Ok(Exit::Done);
    }
    let household = open.0.household(&family.id).map_err(failed)?;
    let label = mask(&skill.written.name, &roster_of(&household));
    if typed.dry_run.is_set() {
        let id = quote_display(skill.id);
        ui.eprintln(message!["would archive `", quote(&label), "` (", id, ")"]);
        return Ok(Exit::Done);
    }
    if !typed.yes.is_set() {
        let _watched = Interrupt::watch()?;
        let roster = ui.names()?;
        let question = message![
            "Archive `",
            quote(&label),
            "`? It cannot be run until `dibber skill unarchive` takes it back."
        ];
        if !Asker::new(ui, &roster).confirm(question, false)? {
            ui.eprintln("Nothing was changed.");
            return Ok(Exit::Done);
        }
    }
    open.0.archive_skill(&family.id, &skill.id).map_err(failed)?;
    ui.eprintln(message!["archived `", quote(&label), "` (", quote_display(skill.id), ")"]);
    Ok(Exit::Done)
}

/// Returns the only skill with an id or a label.
fn only_skill(mut skills: Vec<Skill>, typed: &ArchiveArgs) -> Result<Skill, CommandError> {
    let what = quote(&typed.skill);
    if skills.len() > 1 {
        let ids: Vec<&str> = skills.iter().take(LISTED_MAX).map(|it| it.id.as_str()).collect();
        let message = message![skills.len(), " skills have the label `", what, "`"];
        return Err(CommandError::new(message)
            .help(message!["write its id: ", quote_in_full(&ids.join(", "))]));
    }
    skills.pop().ok_or_else(|| {
        CommandError::new(message!["unknown skill `", what, "`"])
            .exit(Exit::NotFound)
            .help("`dibber skill list` lists the skills")
    })
}
