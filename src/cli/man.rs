//! `dibber man`.

use clap::{ArgMatches, Args, FromArgMatches};

use super::{COMMANDS, Command, CommandError, Exit, Ui};

pub(super) const COMMAND: Command = Command { name: "man", define: ManArgs::augment_args, run };

/// Print the manual page, of dibber or of one command
#[derive(Args)]
struct ManArgs {
    /// The command; without it, the page of dibber itself
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(COMMANDS.iter().map(|command| command.name)))]
    command: Option<String>,

    /// A command of that command, such as `preview` of `heartbeat`
    action: Option<String>,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments = ManArgs::from_arg_matches(matches).expect("clap has checked them");
    let mut definition = super::definition();
    definition.build();
    // The page of a command is called `dibber-lint`, as man pages of git and cargo are.
    let mut title = "dibber".to_owned();
    for name in [arguments.command, arguments.action].into_iter().flatten() {
        let command = definition.find_subcommand(&name).cloned();
        definition = command.ok_or_else(|| {
            let typed = title.replace('-', " ");
            CommandError::new(format!("`{typed}` has no command `{name}`"))
                .hint(format!("`{typed} --help` lists those that it has"))
        })?;
        title = format!("{title}-{name}");
    }
    let definition = definition.display_name(title);
    let mut page = Vec::new();
    clap_mangen::Man::new(definition)
        .render(&mut page)
        .map_err(|error| CommandError::io("cannot make the manual page", error))?;
    ui.print(&page)?;
    Ok(Exit::Done)
}
