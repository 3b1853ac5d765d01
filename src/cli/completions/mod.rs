//! `dibber completions`, and the answer to a shell that asks what can be typed next.

pub(super) mod answer;
pub(super) mod candidates;
pub(super) mod install;
mod scripts;

use clap::{ArgMatches, Args, Command as ClapCommand};
use clap_complete::Shell;

use self::install::{FileState, Installation};
use super::command::parse_args;
use super::error::CommandError;
use super::exit::Exit;
use super::flags::{DryRun, OutputFile, Yes};
use super::term::ask::Asker;
use super::term::ui::Ui;
use dibber_text::{message, quote_in_full, quote_path};

/// Print the completions for a shell, or install them
///
/// The shell asks dibber what can be typed next: commands, options and their values, such as rules,
/// time zones, skills of the project and configured servers. Nothing is sent anywhere.
///
/// Without a shell, they are those of the shell that `SHELL` names.
#[derive(Args)]
struct CompletionsArgs {
    /// The shell
    shell: Option<Shell>,

    /// Write them to the file where the shell looks for them
    #[arg(long, conflicts_with = "output")]
    install: bool,

    #[command(flatten)]
    output: OutputFile,

    #[command(flatten)]
    yes: Yes,

    #[command(flatten)]
    dry_run: DryRun,
}

/// Adds the arguments to a clap command.
pub(super) fn define(command: ClapCommand) -> ClapCommand {
    let command = CompletionsArgs::augment_args(command);
    let command = command.mut_arg("yes", |yes| yes.requires("install"));
    command.mut_arg("dry_run", |dry_run| dry_run.requires("install"))
}

pub(super) fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: CompletionsArgs = parse_args(matches);
    let shell = typed.shell.or_else(Shell::from_env).ok_or_else(|| {
        CommandError::new("cannot determine the shell: `SHELL` names none that is supported")
            .help("name it: `dibber completions zsh`; others are bash, elvish, fish and powershell")
    })?;
    if typed.install {
        return install(shell, typed.yes, typed.dry_run, ui);
    }
    typed.output.output().write(&scripts::script(shell), ui)?;
    Ok(Exit::Done)
}

fn install(shell: Shell, yes: Yes, dry_run: DryRun, ui: &mut Ui) -> Result<Exit, CommandError> {
    let plan = match install::plan(shell)? {
        Installation::File(plan) => plan,
        Installation::Line { file, line } => {
            ui.eprintln(message![
                "nothing was written: add this line to ",
                quote_in_full(file),
                ", and open a new terminal"
            ]);
            ui.print(format!("{line}\n").as_bytes())?;
            return Ok(Exit::Done);
        }
    };
    let path = quote_path(&plan.path);
    install::check(&plan)?;
    let exists = plan.state == FileState::Outdated;
    if plan.state == FileState::Current {
        ui.eprintln(message!["the completions are installed already, in ", path]);
    } else if dry_run.is_set() {
        let verb = if exists { "would replace" } else { "would write" };
        ui.eprintln(message![verb, " the completions in ", path]);
    } else {
        if !yes.is_set() {
            if !ui.can_ask() {
                let help = "`--dry-run` shows the file; `--yes` writes it without asking";
                return Err(CommandError::cannot_confirm(help));
            }
            let roster = ui.names()?;
            let verb = if exists { "Replace" } else { "Write" };
            let question = message![verb, " the completions in ", path.clone(), "?"];
            if !Asker::new(ui, &roster).confirm(question, true)? {
                ui.eprintln("nothing was written");
                return Ok(Exit::Done);
            }
        }
        install::write(&plan)?;
        ui.eprintln(message!["wrote ", path]);
    }
    ui.eprintln(message!["next: ", quote_in_full(&plan.next)]);
    Ok(Exit::Done)
}
