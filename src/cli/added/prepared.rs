//! Skills that are ready to be installed: read, reviewed and planned.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_catalog::added::{
    AddedLock, AddedSkill, ApplyError, Blocked, InstallPlan, InstallRequest, InstallRoot,
    PlaceAction, apply_install, plan_install, recover,
};
use dibber_catalog::review::{SkillChanges, SkillReview, compare, review};
use dibber_catalog::sources::{OfferedSkill, OpenSource};
use dibber_catalog::{ContentsLimits, FolderProblem, SkillContents, SkillDescription, read_folder};
use dibber_skill::skill::name;
use dibber_text::{message, quote};

use super::open::source_error;
use super::scope::lock_error;

/// A skill that is ready to be installed.
pub(super) struct Prepared {
    pub(super) plan: InstallPlan,
    pub(super) description: Option<SkillDescription>,
    pub(super) review: SkillReview,
    /// What of the source is left out.
    pub(super) problems: Vec<FolderProblem>,
    /// The files as they are installed now, and what changes.
    pub(super) installed: Option<(SkillContents, SkillChanges)>,
}

/// Where skills go, and what may be overwritten.
pub(super) struct Destination<'a> {
    pub(super) root: &'a InstallRoot,
    pub(super) lock: &'a AddedLock,
    /// The directories of clients: copies, and links to the first copy.
    pub(super) copies: &'a [&'a str],
    pub(super) links: &'a [&'a str],
    pub(super) is_forced: bool,
    /// Nothing is changed, not even put in order.
    pub(super) is_dry_run: bool,
}

/// Reads a skill of a source, reviews it, and plans its installation.
pub(super) fn prepare(
    source: &dyn OpenSource,
    skill: &OfferedSkill,
    destination: &Destination,
) -> Result<Prepared, CommandError> {
    let about = |error: CommandError| error.with_context(message!["`", quote(&skill.name), "`"]);
    if !name::is_valid(&skill.name) || !skill.name.is_ascii() {
        let message = message!["`", quote(&skill.name), "` is not a valid name of a skill"];
        return Err(CommandError::new(message).exit(Exit::BadInput));
    }
    let (contents, problems) = source
        .read(&skill.path, ContentsLimits::ACCEPTED)
        .map_err(|error| about(source_error(&error)))?;
    let place = |directory: &&str| format!("{directory}/{}", skill.name);
    let record = AddedSkill {
        name: skill.name.clone(),
        source: source.address(),
        revision: source.revision(),
        path: skill.path.clone(),
        directories: destination.copies.iter().map(place).collect(),
        links: destination.links.iter().map(place).collect(),
        digest: contents.digest(),
        files: AddedSkill::files_of(&contents),
    };
    let review = review(&contents, &skill.name);
    let description = contents.describe().description;
    let request = InstallRequest { contents, record, is_forced: destination.is_forced };
    let plan = plan(request, destination).map_err(about)?;
    let installed = installed(&plan, destination.root);
    Ok(Prepared { plan, description, review, problems, installed })
}

/// Plans an installation, after an interrupted one was put in order.
pub(super) fn plan(
    request: InstallRequest,
    destination: &Destination,
) -> Result<InstallPlan, CommandError> {
    if let Some(recorded) = destination.lock.get(&request.record.name)
        && !destination.is_dry_run
    {
        recover(destination.root, recorded).map_err(|error| apply_error(&error))?;
    }
    plan_install(destination.root, destination.lock, request).map_err(|all| blocked_error(&all))
}

/// Returns the files of a skill as they are installed, with local edits if there are some, and what
/// changes there.
fn installed(plan: &InstallPlan, root: &InstallRoot) -> Option<(SkillContents, SkillChanges)> {
    let recorded = plan.recorded.as_ref()?;
    let is_edited =
        |action: &PlaceAction| matches!(action, PlaceAction::Replace(edits) if !edits.is_empty());
    let edited = plan.steps.iter().find(|(_, action)| is_edited(action));
    let directory = edited.map(|(place, _)| place).or_else(|| recorded.directories.first())?;
    let (contents, _) = read_folder(&root.place(directory), ContentsLimits::ACCEPTED);
    let contents = contents?;
    let changes = compare(&contents, plan.contents());
    Some((contents, changes))
}

/// Returns the error of what is in the way.
pub(super) fn blocked_error(blocked: &[Blocked]) -> CommandError {
    let messages = blocked.iter().map(Blocked::message);
    let mut joined = dibber_text::Message::default();
    for (at, one) in messages.enumerate() {
        joined = if at == 0 { one } else { message![joined, "; ", one] };
    }
    let error = CommandError::new(joined).exit(Exit::Findings);
    blocked.first().map_or(error.clone(), |first| error.help(first.help()))
}

/// Returns the error of a plan that was not carried out.
pub(super) fn apply_error(error: &ApplyError) -> CommandError {
    match error {
        ApplyError::Lock(error) => lock_error(error),
        ApplyError::Changed => CommandError::new(error.message())
            .exit(Exit::Findings)
            .help("run the same command again"),
        _ => CommandError::new(error.message()),
    }
}

/// Carries out the plans, one after the other.
pub(super) fn install(
    prepared: &[Prepared],
    root: &InstallRoot,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    for skill in prepared.iter().filter(|skill| !skill.plan.is_done()) {
        apply_install(root, &skill.plan, &mut |_| {}).map_err(|error| {
            apply_error(&error).with_context(message!["`", quote(&skill.plan.record.name), "`"])
        })?;
        let record = &skill.plan.record;
        let places = record.places().collect::<Vec<_>>().join(", ");
        let (name, places) = (quote(&record.name), dibber_text::quote_in_full(&places));
        ui.eprintln(message!["installed `", name, "` in ", places]);
    }
    Ok(())
}
