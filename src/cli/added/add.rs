//! `dibber add`.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};

use super::carry_out::{Consent, carry_out};
use super::choose::{choose, find};
use super::open::Sources;
use super::prepared::{Destination, Prepared, prepare};
use super::scope::{Scope, read_lock};
use super::{frozen, offered};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::flags::{DryRun, Yes};
use crate::cli::term::ui::Ui;
use dibber_catalog::added::InstallRoot;
use dibber_catalog::sources::parse_foreign_lock;
use dibber_catalog::{SHARED_CLIENT, SkillClient};
use dibber_text::file::read_argument;
use dibber_text::{message, quote, quote_path};

pub(in crate::cli) const COMMAND: Command =
    Command { name: "add", define: AddArgs::augment_args, run };

/// The most bytes of the lock file of another installer (4 MiB).
const FOREIGN_BYTES_MAX: u64 = 4 << 20;

/// Add skills of others to this project
///
/// SOURCE is a folder, an archive, a site, `mcp:` and an MCP server, or a git repository: OWNER/REPOSITORY
/// on GitHub, `https://HOST/REPOSITORY.git`, or `git+ssh://…`, with `@REVISION` and `//DIRECTORY` after it.
///
/// What each skill says, its licence, files, programs, requested tools and findings are shown first.
/// Nothing of it is run. dibber.lock records where it comes from, and the digest of each file.
///
/// git runs without your configuration and without questions: for private repositories, use
/// `git+ssh://` with the keys of your SSH agent.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
struct AddArgs {
    /// Where the skills are
    #[arg(value_name = "SOURCE", required_unless_present_any = ["frozen", "from_lock"])]
    source: Option<String>,

    /// A skill of the source: its name or directory
    #[arg(long = "skill", value_name = "NAME")]
    skills: Vec<String>,

    /// Every skill of the source
    #[arg(long, conflicts_with = "skills")]
    all: bool,

    /// List the skills of the source, and add nothing
    #[arg(long, conflicts_with_all = ["skills", "all", "frozen", "from_lock"])]
    list: bool,

    /// A client for which it is installed, such as claude-code; the directory that most share otherwise
    #[arg(long = "client", value_name = "NAME")]
    clients: Vec<String>,

    #[command(flatten)]
    scope: Scope,

    /// Keep one copy in .agents/skills, and a symbolic link to it for each client
    #[arg(long, requires = "clients")]
    link: bool,

    /// Install exactly what dibber.lock records, without a question
    #[arg(long, conflicts_with_all = ["source", "skills", "all", "clients", "link", "from_lock"])]
    frozen: bool,

    /// Add the skills that another installer has recorded in this skills-lock.json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["source", "all"])]
    from_lock: Option<PathBuf>,

    /// Add skills with hidden characters, secrets, or commands that run what they download
    #[arg(long)]
    allow_findings: bool,

    /// Overwrite local edits, and other skills of the name
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    yes: Yes,

    #[command(flatten)]
    dry_run: DryRun,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: AddArgs = parse_args(matches);
    let consent = Consent {
        yes: arguments.yes,
        dry_run: arguments.dry_run,
        allows_findings: arguments.allow_findings,
        has_json: arguments.json,
    };
    let root = arguments.scope.root()?;
    if arguments.frozen {
        return frozen::run(&root, arguments.force, consent, ui);
    }
    if arguments.list {
        let source = arguments.source.as_deref().unwrap_or_default();
        let source = Sources::new(&root).open(source, Path::new("."), None, ui)?;
        return offered::print(&*source, arguments.json, ui);
    }
    let prepared = prepare_all(&arguments, &root, ui)?;
    carry_out(&prepared, &root, consent, "Add", ui)
}

fn prepare_all(
    arguments: &AddArgs,
    root: &InstallRoot,
    ui: &mut Ui,
) -> Result<Vec<Prepared>, CommandError> {
    let lock = read_lock(root)?;
    let directories = arguments.scope.directories(&arguments.clients)?;
    let shared = SkillClient::from_name(SHARED_CLIENT).map_or("", |client| client.project);
    let links: Vec<_> = directories.iter().copied().filter(|it| *it != shared).collect();
    let (copies, links) = if arguments.link {
        if links.is_empty() {
            let error =
                CommandError::new("nothing to link: the client reads .agents/skills itself");
            return Err(error.help("leave out `--link`, or name another client"));
        }
        (vec![shared], links)
    } else {
        (directories, Vec::new())
    };
    let destination = Destination {
        root,
        lock: &lock,
        copies: &copies,
        links: &links,
        is_forced: arguments.force,
        is_dry_run: arguments.dry_run.is_set(),
    };
    if let Some(file) = &arguments.from_lock {
        return prepare_foreign(file, &arguments.skills, &destination, ui);
    }
    let source = arguments.source.as_deref().unwrap_or_default();
    let source = Sources::new(root).open(source, Path::new("."), None, ui)?;
    let chosen = choose(source.skills(), &arguments.skills, arguments.all, ui)?;
    chosen.iter().map(|skill| prepare(&*source, skill, &destination)).collect()
}

/// Prepares the skills of the lock file of another installer.
fn prepare_foreign(
    file: &Path,
    named: &[String],
    destination: &Destination,
    ui: &mut Ui,
) -> Result<Vec<Prepared>, CommandError> {
    let bytes =
        read_argument(file, FOREIGN_BYTES_MAX).map_err(|error| CommandError::read(file, error))?;
    let skills = parse_foreign_lock(&bytes)
        .map_err(|error| CommandError::new(message![quote_path(file), " ", error]))?;
    let directory = file.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Some(name) = named.iter().find(|name| skills.iter().all(|skill| skill.name != **name)) {
        let message = message![quote_path(file), " has no skill named `", quote(name), "`"];
        return Err(CommandError::new(message).exit(Exit::NotFound));
    }
    let mut prepared = Vec::new();
    let mut sources = Sources::new(destination.root);
    for skill in skills.iter().filter(|skill| named.is_empty() || named.contains(&skill.name)) {
        let Some(source) = &skill.source else {
            let name = quote(&skill.name);
            ui.warning(message!["`", name, "` has a source that is not supported; it is left out"]);
            continue;
        };
        let about =
            |error: CommandError| error.with_context(message!["`", quote(&skill.name), "`"]);
        let opened = sources.open(source, directory, None, ui).map_err(about)?;
        let wanted = skill.path.as_deref().filter(|path| !path.is_empty()).unwrap_or(&skill.name);
        let found =
            find(opened.skills(), wanted).or_else(|_| find(opened.skills(), &skill.name))?;
        prepared.push(prepare(&*opened, &found, destination)?);
    }
    if prepared.is_empty() {
        let error = CommandError::new(message!["no skill of ", quote_path(file), " can be added"]);
        return Err(error.exit(Exit::NotFound));
    }
    Ok(prepared)
}
