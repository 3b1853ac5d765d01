//! Skills that are ready to be installed: read, reviewed and planned.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_catalog::added::{
    AddedLock, AddedSkill, ApplyError, Blocked, InstallPlan, InstallRequest, InstallRoot,
    PlaceAction, plan_install, recover,
};
use dibber_catalog::review::{SkillChanges, SkillReview, compare, review};
use dibber_catalog::sources::{OfferedSkill, OpenSource, is_same_origin};
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
    /// What is installed now: first what the changes are shown of, then each other place whose files are
    /// lost.
    pub(super) installed: Vec<Installed>,
}

/// A skill as it is at one of its places, and what changes there.
pub(super) struct Installed {
    pub(super) place: String,
    pub(super) contents: SkillContents,
    pub(super) changes: SkillChanges,
}

/// A skill of a source that was read.
pub(super) struct ReadSkill {
    pub(super) contents: SkillContents,
    /// What of the source is left out.
    problems: Vec<FolderProblem>,
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
    read(source, skill).and_then(|read| prepare_read(source, skill, read, destination))
}

/// Reads a skill of a source.
pub(super) fn read(
    source: &dyn OpenSource,
    skill: &OfferedSkill,
) -> Result<ReadSkill, CommandError> {
    let about = |error: CommandError| error.with_context(message!["`", quote(&skill.name), "`"]);
    if !name::is_valid(&skill.name) || !skill.name.is_ascii() {
        let message = message!["`", quote(&skill.name), "` is not a valid name of a skill"];
        return Err(CommandError::new(message).exit(Exit::BadInput));
    }
    let (contents, problems) = source
        .read(&skill.path, ContentsLimits::ACCEPTED)
        .map_err(|error| about(source_error(&error)))?;
    Ok(ReadSkill { contents, problems })
}

/// Reviews a skill that was read, and plans its installation.
pub(super) fn prepare_read(
    source: &dyn OpenSource,
    skill: &OfferedSkill,
    read: ReadSkill,
    destination: &Destination,
) -> Result<Prepared, CommandError> {
    let about = |error: CommandError| error.with_context(message!["`", quote(&skill.name), "`"]);
    let ReadSkill { contents, problems } = read;
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
    check_own_place(&record, destination.root).map_err(about)?;
    let recorded = destination.lock.get(&skill.name);
    let request = InstallRequest {
        is_same_origin: recorded.is_some_and(|it| is_same_origin(&it.source, &record.source)),
        is_forced: destination.is_forced,
        contents,
        record,
    };
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

/// Returns an error if a skill is to be installed in the directory that it comes from: an update would
/// compare it with itself, and a removal would remove the only copy.
fn check_own_place(record: &AddedSkill, root: &InstallRoot) -> Result<(), CommandError> {
    let source = root.directory().join(&record.source).join(&record.path);
    let Ok(source) = source.canonicalize() else { return Ok(()) };
    match record.places().find(|place| root.real_place(place) == source) {
        Some(place) => {
            let message = message!["it is in `", quote(place), "` already, which is its source"];
            let help = "a skill of your own needs no adding: clients find it there";
            Err(CommandError::new(message).help(help))
        }
        None => Ok(()),
    }
}

/// Returns what is installed where files are lost, or else at the first place that is recorded.
fn installed(plan: &InstallPlan, root: &InstallRoot) -> Vec<Installed> {
    let loses = |action: &PlaceAction| match action {
        PlaceAction::Replace(edits) => !edits.is_empty(),
        PlaceAction::Overwrite(files) => !files.is_empty(),
        PlaceAction::Keep | PlaceAction::Create | PlaceAction::Link => false,
    };
    let losing = plan.steps.iter().filter(|(_, action)| loses(action));
    let mut places: Vec<_> = losing.map(|(place, _)| place).collect();
    if places.is_empty() {
        places.extend(plan.recorded.as_ref().and_then(|recorded| recorded.directories.first()));
    }
    let read = |place: &String| {
        let (contents, _) = read_folder(&root.place(place), ContentsLimits::ACCEPTED);
        let contents = contents?;
        let changes = compare(&contents, plan.contents());
        Some(Installed { place: place.clone(), contents, changes })
    };
    places.into_iter().filter_map(read).collect()
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
