//! What adding, updating or removing a skill would do.

use std::collections::BTreeSet;
use std::path::Path;

use dibber_text::{Message, message, quote, quote_in_full};

use super::lock::AddedLock;
use super::record::AddedSkill;
use super::root::InstallRoot;
use super::state::{FileDifference, PlaceState, place_state};
use crate::contents::SkillContents;
use crate::folder::list_folder;

/// A skill that is to be installed.
#[derive(Clone, Debug)]
pub struct InstallRequest {
    /// Its files.
    pub contents: SkillContents,
    /// What is to be recorded. Directories and links are added to those that are recorded already.
    pub record: AddedSkill,
    /// It is from where the recorded one is, perhaps at another revision.
    pub is_same_origin: bool,
    /// Local edits, and other skills of the name, are overwritten.
    pub is_forced: bool,
}

/// What is done at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceAction {
    /// The files are there already.
    Keep,
    /// A directory is created.
    Create,
    /// The directory is replaced, with these local edits.
    Replace(Vec<FileDifference>),
    /// Something else is replaced, and these files are lost.
    Overwrite(Vec<String>),
    /// A symbolic link is created.
    Link,
}

/// What installing a skill does.
#[derive(Clone, Debug)]
pub struct InstallPlan {
    /// What will be recorded.
    pub record: AddedSkill,
    /// What is recorded now.
    pub recorded: Option<AddedSkill>,
    /// What is done at each place, in this order.
    pub steps: Vec<(String, PlaceAction)>,
    pub(super) request: InstallRequest,
}

/// Why a skill cannot be installed or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// There is something that is not from there.
    Other(String),
    /// The skill was edited here.
    Edited(String, Vec<FileDifference>),
    /// A skill of the same name was added from there.
    OtherSource(String),
    /// A directory is outside of the project, by a link.
    LeadsOut(String),
}

impl Blocked {
    /// Returns what is in the way.
    pub fn message(&self) -> Message {
        match self {
            Self::Other(place) => {
                message!["`", quote(place), "` exists, and dibber.lock does not record it"]
            }
            Self::Edited(place, differences) => {
                let list = differences.iter().take(5);
                let list = list.map(|it| format!("{} ({})", it.path, it.kind.name()));
                let mut list: Vec<_> = list.collect();
                if differences.len() > list.len() {
                    list.push(format!("{} more", differences.len() - list.len()));
                }
                let list = list.join(", ");
                message!["`", quote(place), "` was edited here: ", quote_in_full(&list)]
            }
            Self::OtherSource(source) => {
                message!["a skill of this name was added from `", quote(source), "`"]
            }
            Self::LeadsOut(place) => {
                message!["`", quote(place), "` is outside of the project: a link leads out of it"]
            }
        }
    }

    /// Returns what to do about it.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Other(_) => {
                "rename or remove it; `--force` replaces it, and its files are lost unless they are \
                 under version control"
            }
            Self::Edited(..) => {
                "keep the edits elsewhere first, or publish them; `--force` shows and then discards \
                 them"
            }
            Self::OtherSource(_) => {
                "remove it first with `dibber remove`; `--force` replaces it by this one"
            }
            Self::LeadsOut(_) => "replace the link by a directory",
        }
    }
}

impl InstallPlan {
    /// Returns the files that will be installed.
    pub const fn contents(&self) -> &SkillContents {
        &self.request.contents
    }

    /// Returns what is done at a place.
    pub(super) fn action(&self, place: &str) -> Option<&PlaceAction> {
        self.steps.iter().find(|(at, _)| at == place).map(|(_, action)| action)
    }

    /// Returns `true` if neither a file nor the record changes.
    pub fn is_done(&self) -> bool {
        let keeps = self.steps.iter().all(|(_, action)| *action == PlaceAction::Keep);
        keeps && self.recorded.as_ref() == Some(&self.record)
    }
}

/// Returns what installing a skill would do, or everything that is in the way.
pub fn plan_install(
    root: &InstallRoot,
    lock: &AddedLock,
    request: InstallRequest,
) -> Result<InstallPlan, Vec<Blocked>> {
    let recorded = lock.get(&request.record.name).cloned();
    let mut record = request.record.clone();
    let mut blocked = Vec::new();
    if let Some(recorded) = &recorded {
        if recorded.source != record.source && !request.is_same_origin && !request.is_forced {
            blocked.push(Blocked::OtherSource(recorded.source.clone()));
        }
        merge_places(&mut record, recorded);
    }
    record.directories.sort();
    record.links.sort();
    leave_out_aliases(root, &mut record);
    let mut steps = Vec::new();
    for place in record.places() {
        if !root.contains(place) {
            blocked.push(Blocked::LeadsOut(place.to_owned()));
            continue;
        }
        let known = recorded.as_ref().filter(|recorded| recorded.places().any(|it| it == place));
        match action_at(root, &record, known, place, request.is_forced) {
            Ok(action) => steps.push((place.to_owned(), action)),
            Err(reason) => blocked.push(reason),
        }
    }
    if !blocked.is_empty() {
        return Err(blocked);
    }
    Ok(InstallPlan { record, recorded, steps, request })
}

/// Adds the places that are recorded already. A place stays what it is.
fn merge_places(record: &mut AddedSkill, recorded: &AddedSkill) {
    record.links.retain(|place| !recorded.directories.contains(place));
    record.directories.retain(|place| !recorded.links.contains(place));
    record.directories.extend(recorded.directories.iter().cloned());
    record.links.extend(recorded.links.iter().cloned());
    for places in [&mut record.directories, &mut record.links] {
        places.sort();
        places.dedup();
    }
}

/// Leaves out the places that are another one under a second name, as where the directory of one client is a
/// link to that of another: a skill is installed once there.
fn leave_out_aliases(root: &InstallRoot, record: &mut AddedSkill) {
    let mut real = BTreeSet::new();
    let places: Vec<String> = record.places().map(str::to_owned).collect();
    let (own, led): (Vec<_>, Vec<_>) =
        places.into_iter().partition(|place| root.real_place(place) == root.place(place));
    let kept: BTreeSet<String> =
        own.into_iter().chain(led).filter(|place| real.insert(root.real_place(place))).collect();
    record.directories.retain(|place| kept.contains(place));
    record.links.retain(|place| kept.contains(place));
}

/// Returns the files at a place where something else is. Of a link, no file is lost.
pub(super) fn files_at(path: &Path) -> Vec<String> {
    if path.is_symlink() {
        return Vec::new();
    }
    let Ok((files, problems)) = list_folder(path) else { return Vec::new() };
    let files = files.iter().map(|file| file.path.as_str().to_owned());
    let mut files: Vec<_> = files.chain(problems.into_iter().map(|problem| problem.path)).collect();
    files.sort();
    files
}

fn action_at(
    root: &InstallRoot,
    record: &AddedSkill,
    known: Option<&AddedSkill>,
    place: &str,
    is_forced: bool,
) -> Result<PlaceAction, Blocked> {
    let is_link = record.links.iter().any(|link| link == place);
    let absent = if is_link { PlaceAction::Link } else { PlaceAction::Create };
    match place_state(root, record, place) {
        PlaceState::Missing => return Ok(absent),
        PlaceState::Current => return Ok(PlaceAction::Keep),
        PlaceState::Edited(_) | PlaceState::Other => {}
    }
    match known.map(|known| place_state(root, known, place)) {
        Some(PlaceState::Current) if is_link => Ok(PlaceAction::Keep),
        Some(PlaceState::Current) => Ok(PlaceAction::Replace(Vec::new())),
        Some(PlaceState::Edited(differences)) if is_forced || is_generated(&differences) => {
            Ok(PlaceAction::Replace(differences))
        }
        Some(PlaceState::Edited(differences)) => {
            Err(Blocked::Edited(place.to_owned(), differences))
        }
        _ if is_forced => Ok(PlaceAction::Overwrite(files_at(&root.place(place)))),
        _ => Err(Blocked::Other(place.to_owned())),
    }
}

/// Returns `true` if running the skill's scripts, or a file manager, has added these files. They are no edits;
/// others may have planted them, so that they are not what was added either.
pub fn is_generated(differences: &[FileDifference]) -> bool {
    const NAMES: [&str; 3] = ["__pycache__", "node_modules", ".DS_Store"];
    let is_known = |path: &str| path.split('/').any(|name| NAMES.contains(&name));
    let is_extra = |it: &FileDifference| it.kind == super::state::FileDifferenceKind::Extra;
    differences.iter().all(|it| is_extra(it) && is_known(&it.path))
}

/// What removing a skill does.
#[derive(Clone, Debug)]
pub struct RemovePlan {
    /// What is recorded.
    pub recorded: AddedSkill,
    /// The places that are removed; the others are gone already.
    pub places: Vec<String>,
}

/// Returns what removing a skill would do, or everything that is in the way.
pub fn plan_remove(
    root: &InstallRoot,
    recorded: &AddedSkill,
    is_forced: bool,
) -> Result<RemovePlan, Vec<Blocked>> {
    let (mut places, mut blocked) = (Vec::new(), Vec::new());
    // The links first: none leads nowhere meanwhile.
    for place in recorded.links.iter().chain(&recorded.directories) {
        if !root.contains(place) {
            blocked.push(Blocked::LeadsOut(place.clone()));
            continue;
        }
        match place_state(root, recorded, place) {
            PlaceState::Missing => {}
            PlaceState::Edited(differences) if !is_forced && !is_generated(&differences) => {
                blocked.push(Blocked::Edited(place.clone(), differences));
            }
            PlaceState::Other if !is_forced => blocked.push(Blocked::Other(place.clone())),
            _ => places.push(place.clone()),
        }
    }
    if blocked.is_empty() {
        Ok(RemovePlan { recorded: recorded.clone(), places })
    } else {
        Err(blocked)
    }
}
