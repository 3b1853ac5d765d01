//! `dibber add --frozen`: what the lock file records, and nothing else.

use super::carry_out::Consent;
use super::document;
use super::edits::show_edits;
use super::install::install;
use super::open::{Sources, source_error};
use super::prepared::{Destination, Prepared, plan};
use super::scope::read_lock;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_catalog::ContentsLimits;
use dibber_catalog::added::{AddedSkill, InstallRequest, InstallRoot, PlaceState, place_state};
use dibber_catalog::review::review;
use dibber_text::{message, quote, quote_path};

/// Installs every skill of the lock file whose files are not there.
pub(super) fn run(
    root: &InstallRoot,
    is_forced: bool,
    consent: Consent,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let lock = read_lock(root)?;
    if !root.lock_file().exists() {
        let message = message![quote_path(root.lock_file()), " does not exist"];
        return Err(CommandError::new(message).help("`dibber add SOURCE` writes it; commit it"));
    }
    let is_dry_run = consent.dry_run.is_set();
    let destination =
        Destination { root, lock: &lock, copies: &[], links: &[], is_forced, is_dry_run };
    let mut prepared = Vec::new();
    let mut sources = Sources::new(root);
    for skill in lock.skills() {
        let is_current = |place| place_state(root, skill, place) == PlaceState::Current;
        if !skill.places().all(is_current) {
            let about =
                |error: CommandError| error.with_context(message!["`", quote(&skill.name), "`"]);
            prepared.push(prepare(skill, &destination, &mut sources, ui).map_err(about)?);
        }
    }
    if !consent.has_json {
        for (place, name) in prepared.iter().flat_map(|it| {
            it.plan.record.places().map(|place| (place, it.plan.record.name.as_str()))
        }) {
            let line = ui.shown(&format!("{name}  {place}")).in_full().to_string();
            ui.print(format!("{line}\n").as_bytes())?;
        }
        for skill in prepared.iter().filter_map(|it| it.plan.recorded.as_ref()) {
            show_edits(root, skill, ui)?;
        }
    }
    let applies = !consent.dry_run.is_set();
    if prepared.is_empty() {
        ui.eprintln("Everything is as it was added.");
    }
    if applies {
        return install(&prepared, root, consent.has_json, ui);
    }
    if consent.has_json {
        document::print(&prepared, false, ui)?;
    }
    Ok(Exit::Done)
}

/// Reads the skill from its source, and refuses anything but what is recorded.
fn prepare(
    skill: &AddedSkill,
    destination: &Destination,
    sources: &mut Sources,
    ui: &mut Ui,
) -> Result<Prepared, CommandError> {
    let directory = destination.root.directory();
    let source = sources.open(&skill.source, directory, skill.revision.as_deref(), ui)?;
    let (contents, problems) =
        source.read(&skill.path, ContentsLimits::ACCEPTED).map_err(|error| source_error(&error))?;
    if !skill.is(&contents) {
        let message = "its source has other files than dibber.lock records";
        let help = "`dibber update` shows what has changed";
        return Err(CommandError::new(message).help(help).exit(Exit::BadInput));
    }
    let description = contents.describe().description;
    let review = review(&contents, &skill.name);
    let is_forced = destination.is_forced;
    let record = skill.clone();
    let request = InstallRequest { contents, record, is_same_origin: true, is_forced };
    let mut plan = plan(request, destination)?;
    // A place that is another one under a second name here stays recorded: it is not so everywhere.
    plan.record.clone_from(skill);
    Ok(Prepared { plan, description, review, problems, installed: Vec::new() })
}
