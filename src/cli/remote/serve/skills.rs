//! The skills of directories: those of `--skills`, or of `skills` in `[server]`.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use clap::Args;
use futures_util::FutureExt;

use crate::cli::error::CommandError;
use crate::cli::lint::configuration::config_error;
use crate::cli::remote::own_config::{self, Configured, ServedSkills};
use crate::cli::sandbox_config::SandboxConfig;
use crate::cli::term::ui::Ui;
use dibber_lint::Privacy;
use dibber_protocol::{Index, IndexProblem, ProblemEffect, Registry, Root};
use dibber_server::Server;
use dibber_server::protocol::blobs::{BlobLimits, Blobs};
use dibber_server::protocol::{OpenSandbox, RunOptions, SkillsProtocol};
use dibber_server::skills_extension::FolderSkills;
use dibber_skill::config::ConfigError;
use dibber_skill::names::Roster;
use dibber_text::{Message, Shown, message, quote_path};

/// What to write instead of a path that is no directory.
const ROOT_HELP: &str = "name a directory with a directory for each skill";

/// The options for skills.
#[derive(Args)]
pub(super) struct SkillOptions {
    /// Serve the skills in this directory, over MCP and the Skills Protocol (can be repeated)
    ///
    /// It is instead of `skills = ["DIR"]` in `[server]` of `dibber.toml` in the data directory, or in your
    /// own configuration. Their code runs in a sandbox, which `[sandbox]` configures; if none works here,
    /// skills can only be read. Changes of the files count without a restart.
    #[arg(long = "skills", value_name = "DIR", conflicts_with_all = ["once", "print_config"])]
    directories: Vec<PathBuf>,
    /// Offer the methods of the Skills Protocol as tools of MCP, too
    #[arg(long = "skill-tools", conflicts_with_all = ["once", "print_config"])]
    tools: bool,
    /// Let everyone who can connect read the skills of `--skills`, without a token
    ///
    /// They are at `/.well-known/agent-skills/index.json` and where that leads to, and nowhere else: MCP and the
    /// Skills Protocol need a token all the same. Without this option, the index needs one, too.
    #[arg(long = "public-skills", conflicts_with_all = ["once", "print_config", "stdio"])]
    public: bool,
}

/// The skills of a server.
pub(super) struct Skills {
    pub(super) server: Server,
    pub(super) protocol: Arc<SkillsProtocol>,
}

/// Returns the server with its skills, if there are any. The log says which ones are skipped.
pub(super) fn add(
    server: &Server,
    data: &Path,
    options: &SkillOptions,
    ui: &Ui,
) -> Result<Option<Skills>, CommandError> {
    let roots = match options.directories.as_slice() {
        [] => configured(data, ui)?,
        typed => typed.iter().map(|directory| root(directory)).collect::<Result<_, _>>()?,
    };
    if roots.is_empty() {
        let wanted = match options {
            SkillOptions { tools: true, .. } => "offer as tools",
            SkillOptions { public: true, .. } => "publish",
            _ => return Ok(None),
        };
        let error = CommandError::new(message!["there are no skills to ", wanted]);
        return Err(error.help("name their directory with `--skills DIR`"));
    }
    let data = std::path::absolute(data)
        .map_err(|error| CommandError::io("cannot resolve the data directory", error))?;
    let directories = roots.len();
    let folders = roots.iter().map(|root| root.directory.clone()).collect();
    let offered = offered(folders, ui);
    let roster = ui.privacy().roster.clone();
    let registry = Registry::open(roots).with_report(move |problem| log_problem(problem, &roster));
    log(&registry.index(), directories, ui);
    let blobs = Blobs::open(server, &data, BlobLimits::default())
        .map_err(|error| CommandError::io("cannot use the directory of blobs", error))?;
    let sandbox = SandboxConfig::read(&data)?;
    let options_of_runs = RunOptions {
        data,
        limits: sandbox.limits.clone(),
        concurrency: thread::available_parallelism().map_or(1, NonZero::get),
        open_sandbox: opener(sandbox),
    };
    let protocol = Arc::new(SkillsProtocol::new(server.clone(), registry, blobs, options_of_runs));
    let server = Arc::clone(&protocol).into_server(options.tools).with_folder_skills(offered);
    let server = if options.public { server.with_public_skills() } else { server };
    Ok(Some(Skills { server, protocol }))
}

/// Returns the skills as the extension of MCP offers them.
fn offered(folders: Vec<PathBuf>, ui: &Ui) -> FolderSkills {
    let roster = ui.privacy().roster.clone();
    FolderSkills::open(folders, move |problem| {
        let privacy = Privacy { roster: &roster };
        let path = Shown::new(&problem.path, &privacy).in_full().to_string();
        let reason = problem.message.shown(&privacy).to_string();
        if problem.is_of_site {
            tracing::warn!(path, reason, "a skill is not in the well-known index");
        } else {
            tracing::warn!(path, reason, "a skill is not offered over MCP");
        }
    })
}

fn opener(sandbox: SandboxConfig) -> OpenSandbox {
    Box::new(move || {
        let sandbox = sandbox.clone();
        async move { sandbox.open().await }.boxed()
    })
}

/// Returns a typed directory.
fn root(directory: &Path) -> Result<Root, CommandError> {
    if directory.is_dir() {
        return Ok(Root::new(directory));
    }
    Err(CommandError::new(no_directory(directory)).help(ROOT_HELP))
}

/// Returns what is wrong with a path that is no directory.
fn no_directory(path: &Path) -> Message {
    if path.exists() {
        message![quote_path(path), " is not a directory"]
    } else {
        message!["the directory ", quote_path(path), " does not exist"]
    }
}

/// Returns the directories of the configuration.
fn configured(data: &Path, ui: &Ui) -> Result<Vec<Root>, CommandError> {
    let configured: Option<Configured<ServedSkills>> = own_config::configured(data)?;
    let Some(configured) = configured else { return Ok(Vec::new()) };
    let root = |(path, span): &(String, _)| {
        let directory = configured.directory().join(path);
        if directory.is_dir() {
            return Ok(Root::new(directory));
        }
        let error = ConfigError::new(&configured.source, *span, no_directory(&directory));
        let error = error.help(ROOT_HELP);
        Err(config_error(&error, ui.privacy()))
    };
    configured.entry.directories.iter().map(root).collect()
}

/// Logs what is served, and what is not.
fn log(index: &Index, directories: usize, ui: &Ui) {
    tracing::info!(skills = index.skills().count(), directories, "serving skills");
    index.problems().iter().for_each(|problem| log_problem(problem, ui.privacy().roster));
}

fn log_problem(problem: &IndexProblem, roster: &Roster) {
    let path = problem.path.to_string_lossy();
    let path = Shown::new(&path, &Privacy { roster }).in_full().to_string();
    let (reason, help) = (&problem.reason, &problem.help);
    match problem.effect {
        ProblemEffect::Skipped => tracing::warn!(path, reason, help, "a skill is skipped"),
        ProblemEffect::Served => tracing::warn!(path, reason, help, "a skill has a problem"),
    }
}
