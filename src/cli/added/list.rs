//! `dibber list`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use clap::{ArgMatches, Args};
use serde::Serialize;

use super::document::{VERSION, print_masked};
use super::scope::{Scope, read_lock};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::error_json::ErrorV1;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_catalog::added::{
    AddedLock, AddedSkill, FileDifference, InstallRoot, PlaceState, is_staging_name, place_state,
};
use dibber_catalog::sources::{FOREIGN_LOCK_FILE, ForeignSkill, parse_foreign_lock};
use dibber_skill::skill::SKILL_FILE_NAMES;
use dibber_text::file::read_inside;
use dibber_text::{message, quote};

pub(in crate::cli) const COMMAND: Command =
    Command { name: "list", define: ListArgs::augment_args, run };

/// The most bytes of the lock file of another installer (4 MiB).
const FOREIGN_BYTES_MAX: u64 = 4 << 20;

/// The most skills in the directory of a client.
const SKILLS_MAX: usize = 10_000;

/// List the skills that clients find in this project
///
/// Each with where it is, where it comes from, and its state: current, edited (here), missing, other
/// (something else is in its place), foreign (another installer has recorded it), or local (nothing is
/// recorded of it).
#[derive(Args)]
struct ListArgs {
    #[command(flatten)]
    scope: Scope,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/list.schema.json`.
#[derive(Serialize)]
pub(super) struct ListV1 {
    version: u32,
    items: Vec<InstalledV1>,
    errors: Vec<ErrorV1>,
}

/// A skill at a place.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InstalledV1 {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) state: &'static str,
    pub(super) source: Option<String>,
    pub(super) revision: Option<String>,
    pub(super) differences: Vec<DifferenceV1>,
}

#[derive(Serialize)]
pub(super) struct DifferenceV1 {
    pub(super) path: String,
    pub(super) kind: &'static str,
}

/// The state of a skill of which nothing is recorded.
pub(super) const LOCAL: &str = "local";
/// The state of a skill that another installer has recorded.
pub(super) const FOREIGN: &str = "foreign";
/// The state of a skill that is as it was added.
pub(super) const CURRENT: &str = "current";

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ListArgs = parse_args(matches);
    let root = arguments.scope.root()?;
    let lock = read_lock(&root)?;
    let mut items = recorded(&root, &lock);
    items.extend(unrecorded(&root, &lock, arguments.scope, ui));
    if arguments.json {
        return print_json(items, ui);
    }
    if items.is_empty() {
        ui.eprintln("There are no skills here. `dibber add` adds some.");
    }
    let table = table(&items, ui);
    ui.print(table.as_bytes())?;
    Ok(Exit::Done)
}

/// Prints the skills as JSON.
pub(super) fn print_json(items: Vec<InstalledV1>, ui: &mut Ui) -> Result<Exit, CommandError> {
    let errors = ui.errors_json();
    print_masked(&ListV1 { version: VERSION, items, errors }, ui)?;
    Ok(Exit::Done)
}

/// Returns the skills that were added, at each of their places.
pub(super) fn recorded(root: &InstallRoot, lock: &AddedLock) -> Vec<InstalledV1> {
    let mut items = Vec::new();
    for skill in lock.skills() {
        for place in skill.places() {
            let (state, differences) = match place_state(root, skill, place) {
                PlaceState::Current => (CURRENT, Vec::new()),
                PlaceState::Edited(differences) => ("edited", differences),
                PlaceState::Missing => ("missing", Vec::new()),
                PlaceState::Other => ("other", Vec::new()),
            };
            let differences = differences.into_iter();
            let difference =
                |it: FileDifference| DifferenceV1 { path: it.path, kind: it.kind.name() };
            items.push(InstalledV1 {
                name: skill.name.clone(),
                path: place.to_owned(),
                state,
                source: Some(skill.source.clone()),
                revision: skill.revision.clone(),
                differences: differences.map(difference).collect(),
            });
        }
    }
    items
}

/// Returns the skills in the directories of clients that were not added.
pub(super) fn unrecorded(
    root: &InstallRoot,
    lock: &AddedLock,
    scope: Scope,
    ui: &mut Ui,
) -> Vec<InstalledV1> {
    let foreign = foreign(root, ui);
    // The directory of one client may be a link to that of another: each skill is listed once.
    let places = lock.skills().flat_map(AddedSkill::places);
    let mut known: BTreeSet<PathBuf> = places.map(|place| root.real_place(place)).collect();
    let mut items = Vec::new();
    for directory in scope.all_directories() {
        for name in skill_names(root, directory, ui) {
            let path = format!("{directory}/{name}");
            if !known.insert(root.real_place(&path)) {
                continue;
            }
            let record = foreign.iter().find(|skill| skill.name == name);
            let state = if record.is_some() { FOREIGN } else { LOCAL };
            let source = record.and_then(|skill| skill.source.clone());
            let (revision, differences) = (None, Vec::new());
            items.push(InstalledV1 { name, path, state, source, revision, differences });
        }
    }
    items
}

/// Returns the names of the directories with a skill in a directory, sorted. What an interrupted command has
/// left beside a skill is none.
fn skill_names(root: &InstallRoot, directory: &str, ui: &mut Ui) -> BTreeSet<String> {
    let entries = fs::read_dir(root.place(directory)).into_iter().flatten().flatten();
    let has_skill = |entry: &fs::DirEntry| {
        SKILL_FILE_NAMES.iter().any(|name| entry.path().join(name).is_file())
    };
    let names = entries.filter(has_skill);
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: BTreeSet<_> = names.filter(|name| !is_staging_name(name)).collect();
    if let Some(first) = names.iter().nth(SKILLS_MAX).cloned() {
        let directory = quote(directory);
        ui.warning(message![
            "`",
            directory,
            "` has more than ",
            SKILLS_MAX,
            " skills; the others are left out"
        ]);
        names.split_off(&first);
    }
    names
}

/// Returns what another installer has recorded. A file that is not valid is a warning.
fn foreign(root: &InstallRoot, ui: &mut Ui) -> Vec<ForeignSkill> {
    let file = root.directory().join(FOREIGN_LOCK_FILE);
    let Ok(bytes) = read_inside(&file, root.directory(), FOREIGN_BYTES_MAX) else {
        return Vec::new();
    };
    parse_foreign_lock(&bytes).unwrap_or_else(|error| {
        ui.warning(message![FOREIGN_LOCK_FILE, " ", error]);
        Vec::new()
    })
}

/// Returns a line for each skill.
fn table(items: &[InstalledV1], ui: &Ui) -> String {
    let width = |of: fn(&InstalledV1) -> &str| {
        items.iter().map(|item| of(item).chars().count()).max().unwrap_or_default()
    };
    let (names, states) = (width(|item| &item.name), width(|item| item.state));
    let paths = width(|item| &item.path);
    let mut table = String::new();
    for item in items {
        let InstalledV1 { name, path, state, .. } = item;
        let source = item.source.as_deref().unwrap_or_default();
        let line = format!("{name:names$}  {state:states$}  {path:paths$}  {source}");
        table += &ui.shown(line.trim_end()).in_full().to_string();
        table.push('\n');
    }
    table
}
