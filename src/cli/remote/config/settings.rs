//! Collecting the settings.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, ValueEnum};

use super::lint;
use super::programs;
use super::setting::{Origin, Setting};
use crate::cli::default_zone::{DefaultZone, is_variable_known, is_variable_unknown, system_zone};
use crate::cli::error::CommandError;
use crate::cli::lint::configuration::{config_error, current_dir, file_error};
use crate::cli::locale_clock::{clock_of_locale, locale_variable};
use crate::cli::names_file::NamesFile;
use crate::cli::remote::database_address::{DATABASE_VARIABLE, database, is_new};
use crate::cli::remote::family::open_server::OpenServer;
use crate::cli::remote::server_options::{self, SelectedServer};
use crate::cli::remote::session::open_server;
use crate::cli::state_directory::state_directory;
use crate::cli::term::color_choice::ColorChoice;
use crate::cli::term::pager;
use crate::cli::term::ui::Ui;
use dibber_client::{SERVER_VARIABLE, ServerSource, ServerTarget, TOKEN_VARIABLE, TokenSource};
use dibber_schedule::ClockFormat;
use dibber_server::families::HOME;
use dibber_server::store::{DatabaseAddress, database_path};
use dibber_skill::config::Config;
use dibber_skill::discover;

/// The environment variables that change the output, beside `--color`.
const OUTPUT_VARIABLES: [&str; 6] =
    ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM", "LINES", "LESS"];

/// Returns the settings that could be read, and the first error.
pub(super) fn collect(matches: &ArgMatches, ui: &Ui) -> (Vec<Setting>, Option<CommandError>) {
    let mut settings = Vec::new();
    let mut first_error = None;
    let mut keep = |error: CommandError| {
        first_error.get_or_insert(error);
    };
    let current_dir = current_dir();
    let project = discover::nearest_config(Path::new("."), &current_dir);
    let user = server_options::user_config().filter(|path| path.is_file());
    for (name, path) in [("project-config", &project), ("user-config", &user)] {
        let origin = match path {
            Some(path) => Origin::File { path: path.clone(), line: None },
            None => Origin::Default,
        };
        settings.push(Setting::new(name, path.as_deref().map(discover::shown_path), origin));
    }
    let mut is_local = false;
    match server_options::select(matches) {
        Ok(server) => {
            is_local = matches!(server.selection.target, ServerTarget::Local { .. });
            push_server(&server, matches, &current_dir, &mut settings);
        }
        Err(error) => keep(error),
    }
    push_directories(matches, &mut settings);
    settings.push(zone());
    settings.push(clock());
    if is_local {
        match server_options::select(matches).and_then(|server| family_zone(&server.database)) {
            Ok(setting) => settings.extend(setting),
            Err(error) => keep(error),
        }
    }
    push_names(&mut settings).unwrap_or_else(&mut keep);
    programs::push_safety(matches, &mut settings).unwrap_or_else(&mut keep);
    programs::push_runner(matches, &mut settings).unwrap_or_else(&mut keep);
    programs::push_sandbox(matches, &mut settings).unwrap_or_else(&mut keep);
    match project.as_deref().map(|path| (path, discover::read_nearest_config(path, &current_dir))) {
        Some((path, Ok((config, errors)))) => {
            lint::push(&config, path, &mut settings);
            for error in &errors {
                keep(config_error(error, ui.privacy()));
            }
        }
        Some((path, Err(error))) => keep(file_error(path, error)),
        None => {}
    }
    push_output(matches, ui, &mut settings);
    (settings, first_error)
}

fn push_server(
    server: &SelectedServer,
    matches: &ArgMatches,
    current_dir: &Path,
    settings: &mut Vec<Setting>,
) {
    let origin = match &server.selection.source {
        ServerSource::Argument => Origin::Flag("--server"),
        ServerSource::Environment => Origin::Variable(SERVER_VARIABLE),
        ServerSource::Project(path) | ServerSource::User(path) => {
            let read = discover::read_config(path, current_dir).ok();
            url_origin(path, read.as_ref().map(|(config, _)| config))
        }
        ServerSource::Default => Origin::Default,
    };
    settings.push(Setting::new("server", server.name().to_owned(), origin));
    let token = match &server.selection.target {
        ServerTarget::Url { credential, .. } => credential.as_ref().map(|it| &it.source),
        ServerTarget::Local { .. } | ServerTarget::Program { .. } => None,
    };
    let origin = match token {
        None => Origin::Default,
        Some(TokenSource::Variable) => Origin::Variable(TOKEN_VARIABLE),
        Some(TokenSource::File(path)) => Origin::File { path: path.clone(), line: None },
    };
    settings.push(Setting::new("token", token.map(|_| "set".to_owned()), origin));
    let is_typed = matches.value_source("timeout") == Some(ValueSource::CommandLine);
    let origin = if is_typed { Origin::Flag("--timeout") } else { Origin::Default };
    let timeout = format!("{} seconds", server.timeout.as_secs());
    settings.push(Setting::new("timeout", timeout, origin));
}

fn url_origin(path: &Path, config: Option<&Config>) -> Origin {
    match config.and_then(|config| Some((config, config.server.url.as_ref()?))) {
        Some((config, (_, span))) => Origin::in_file(path, &config.source, *span),
        None => Origin::File { path: path.to_owned(), line: None },
    }
}

fn push_directories(matches: &ArgMatches, settings: &mut Vec<Setting>) {
    let shown = |path: PathBuf| discover::shown_path(&path);
    let is_typed = matches.contains_id("data");
    let origin = if is_typed { Origin::Flag("--data") } else { variable_or("DIBBER_DATA") };
    settings.push(Setting::new("data", server_options::data(matches).ok().map(shown), origin));
    let origin = variable_or(DATABASE_VARIABLE);
    let database = server_options::data(matches).and_then(|data| database(None, &data));
    settings.push(Setting::new("database", database.ok().map(|it| it.to_string()), origin));
    let origin = variable_or(crate::cli::remote::client_state::STATE_VARIABLE);
    settings.push(Setting::new("state", state_directory().ok().map(shown), origin));
}

/// Returns the origin of what an environment variable may set.
fn variable_or(name: &'static str) -> Origin {
    if is_set(name) { Origin::Variable(name) } else { Origin::Default }
}

fn is_set(name: impl AsRef<OsStr>) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Returns the zone of a schedule that is typed without one.
fn zone() -> Setting {
    let origin = if is_variable_known() {
        Origin::Variable("TZ")
    } else if system_zone().is_some() {
        Origin::Computer
    } else {
        Origin::Default
    };
    let note = is_variable_unknown().then_some("`TZ` is not a known zone");
    Setting::new("time-zone", DefaultZone::of_typed().name, origin).with_note(note)
}

/// Returns the clock on which times are shown.
fn clock() -> Setting {
    let hours = match clock_of_locale() {
        ClockFormat::Twelve => "12 hours",
        ClockFormat::TwentyFour => "24 hours",
    };
    let origin = locale_variable().map_or(Origin::Default, Origin::Variable);
    Setting::new("clock", hours.to_owned(), origin)
}

/// Returns the time zone of the family of the server in this program, if it has one already.
fn family_zone(database: &DatabaseAddress) -> Result<Option<Setting>, CommandError> {
    if is_new(database) {
        return Ok(None);
    }
    let origin = match database {
        DatabaseAddress::Directory(data) => Origin::File { path: database_path(data), line: None },
        DatabaseAddress::Postgres(_) => Origin::Variable(DATABASE_VARIABLE),
    };
    let families = open_server(database).map(OpenServer)?.families()?;
    let home = families.into_iter().find(|family| family.name == HOME);
    Ok(home.map(|home| Setting::new("family.time-zone", home.time_zone, origin)))
}

/// Adds the list of names, of which only the number is shown.
fn push_names(settings: &mut Vec<Setting>) -> Result<(), CommandError> {
    let file = NamesFile::locate()?;
    let contents = file.read()?;
    let count = contents.list.len();
    let value = (count > 0).then(|| count.to_string());
    let path = file.path().to_owned();
    settings.push(Setting::new("names", value, Origin::File { path, line: None }));
    contents.rejection.map_or(Ok(()), Err)
}

fn push_output(matches: &ArgMatches, ui: &Ui, settings: &mut Vec<Setting>) {
    let is_typed = matches.value_source("color") == Some(ValueSource::CommandLine);
    let origin = if is_typed { Origin::Flag("--color") } else { Origin::Default };
    let color = matches.get_one::<ColorChoice>("color").copied().unwrap_or_default();
    let color = color.to_possible_value().map(|value| value.get_name().to_owned());
    settings.push(Setting::new("color", color, origin));
    let is_default = env::var(pager::PAGER_VARIABLE).is_err();
    let origin = if is_default { Origin::Default } else { Origin::Variable(pager::PAGER_VARIABLE) };
    // An empty one turns the pager off.
    let pager = Some(pager::command_line()).filter(|line| !line.trim().is_empty());
    settings.push(Setting::new("pager", pager, origin));
    settings.push(Setting::new("width", ui.width().to_string(), variable_or("COLUMNS")));
    for name in OUTPUT_VARIABLES {
        if let Some(value) = env::var_os(name).filter(|value| !value.is_empty()) {
            let value = value.to_string_lossy().into_owned();
            settings.push(Setting::new(name, value, Origin::Variable(name)));
        }
    }
}
