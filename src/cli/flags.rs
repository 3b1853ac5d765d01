//! The flags that mean the same in every command that has them.

use clap::Args;

use super::output::Output;

/// `--yes`.
#[derive(Args, Clone, Copy)]
pub(super) struct Yes {
    /// Do it without asking
    #[arg(long, short)]
    yes: bool,
}

impl Yes {
    /// Returns `true` if nothing is to be asked.
    pub(super) const fn is_set(self) -> bool {
        self.yes
    }
}

/// `--dry-run`.
#[derive(Args, Clone, Copy)]
pub(super) struct DryRun {
    /// Show what would be done, and change nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
}

impl DryRun {
    /// Returns `true` if nothing is to be changed.
    pub(super) const fn is_set(self) -> bool {
        self.dry_run
    }
}

/// `--output`.
#[derive(Args, Clone)]
pub(super) struct OutputFile {
    /// Write it to this file; `-` is standard output, the default
    #[arg(long = "output", short, value_name = "FILE")]
    output: Option<Output>,
}

impl OutputFile {
    /// Returns where the data goes.
    pub(super) fn output(self) -> Output {
        self.output.unwrap_or(Output::StandardOutput)
    }
}

#[cfg(test)]
mod tests {
    use clap::{Arg, ArgAction, Command as ClapCommand};

    use crate::cli::commands;
    use crate::cli::definition::definition;
    use crate::cli::schema::commands::COMMANDS;
    use crate::cli::schema::files::SCHEMAS;

    /// The commands that write, and whether they ask first. Every other command only prints.
    const WRITES: &[(&str, Asks)] = &[
        ("new", Asks::First),
        ("edit", Asks::First),
        ("lint", Asks::Nothing),
        ("names add", Asks::Nothing),
        ("names remove", Asks::Nothing),
        ("add", Asks::First),
        ("update", Asks::First),
        ("remove", Asks::First),
        ("pack", Asks::Nothing),
        ("index", Asks::First),
        ("heartbeat create", Asks::First),
        ("heartbeat edit", Asks::First),
        ("heartbeat pause", Asks::InItsGroup),
        ("heartbeat resume", Asks::InItsGroup),
        ("heartbeat cancel", Asks::First),
        ("heartbeat members", Asks::Nothing),
        ("push", Asks::First),
        ("pull", Asks::First),
        ("skill update", Asks::First),
        ("skill archive", Asks::First),
        ("skill unarchive", Asks::First),
        ("skill post-result", Asks::Nothing),
        ("family archive-skill", Asks::First),
        ("journal discard", Asks::Nothing),
        ("database copy", Asks::First),
        ("doctor", Asks::First),
        ("completions", Asks::First),
    ];

    /// The commands without `--dry-run` although they write, and why.
    const WITHOUT_PLAN: &[(&str, &str)] = &[
        ("skill link", "it writes one record, which `unlink` removes"),
        ("skill unlink", "it removes one record, which `link` writes"),
        ("family add-child", "the server checks and adds it in one step"),
        ("family add-member", "the server checks and adds it in one step"),
        ("family add-canvas", "the server checks and adds it in one step"),
        ("family token", "a token is valid only once it is written"),
        ("family invite", "a link is valid only once it is printed"),
        ("call", "the tool of another server has no such step"),
        ("protocol run", "the protocol has no such step"),
        ("protocol code", "the protocol has no such step"),
        ("protocol put-blob", "the protocol has no such step"),
    ];

    /// The commands that have no JSON, and what they print instead.
    const WITHOUT_JSON: &[(&str, &str)] = &[
        ("edit", "questions, and the changes as a diff"),
        ("family archive-skill", "nothing"),
        ("family invite", "an address"),
        ("login", "what was allowed, for the person who has allowed it"),
        ("logout", "a sentence"),
        ("schema", "JSON"),
        ("acp emit", "messages of the protocol, which are JSON"),
        ("acp proxy", "the messages of an agent"),
        ("completions", "a script"),
        ("man", "a manual page"),
        ("help", "a page"),
    ];

    /// Whether a command that writes asks first.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Asks {
        First,
        /// Only a command of the same group asks; `--yes` is taken so that scripts can switch both.
        InItsGroup,
        Nothing,
    }

    /// Returns every command that has no commands of its own, by its words.
    fn leaves(command: &ClapCommand, words: &str, found: &mut Vec<(String, ClapCommand)>) {
        for child in command.get_subcommands() {
            let name = child.get_name();
            let words = if words.is_empty() { name.to_owned() } else { format!("{words} {name}") };
            if child.has_subcommands() {
                leaves(child, &words, found);
            } else {
                found.push((words, child.clone()));
            }
        }
    }

    fn all() -> Vec<(String, ClapCommand)> {
        let mut found = Vec::new();
        leaves(&definition(&commands()), "", &mut found);
        found
    }

    fn flag<'a>(command: &'a ClapCommand, long: &str) -> Option<&'a Arg> {
        command.get_arguments().find(|argument| argument.get_long() == Some(long))
    }

    #[test]
    fn every_command_that_writes_has_a_plan_and_every_question_a_yes() {
        let all = all();
        for (words, command) in &all {
            let writes = WRITES.iter().find(|(name, _)| name == words);
            let plan = flag(command, "dry-run");
            assert_eq!(plan.is_some(), writes.is_some(), "{words}: --dry-run");
            assert!(plan.is_none_or(|plan| plan.get_short() == Some('n')), "{words}: -n");
            let yes = flag(command, "yes");
            let asks = writes.is_some_and(|(_, asks)| *asks != Asks::Nothing);
            assert_eq!(yes.is_some(), asks, "{words}: --yes");
            assert!(yes.is_none_or(|yes| yes.get_short() == Some('y')), "{words}: -y");
        }
        if cfg!(feature = "remote") {
            let named = WRITES.iter().map(|(name, _)| name);
            for name in named.chain(WITHOUT_PLAN.iter().map(|(name, _)| name)) {
                assert!(all.iter().any(|(words, _)| words == name), "no command `{name}`");
            }
        }
    }

    #[test]
    fn every_command_that_prints_data_has_json() {
        for (words, command) in all() {
            let is_exempt = WITHOUT_JSON.iter().any(|(name, _)| *name == words);
            let json = flag(&command, "json");
            assert_eq!(json.is_some(), !is_exempt, "{words}: --json");
            let is_flag = |json: &Arg| matches!(json.get_action(), ArgAction::SetTrue);
            assert!(json.is_none_or(is_flag), "{words}: --json");
        }
    }

    /// The commands whose JSON has no schema, and why.
    const WITHOUT_SCHEMA: &[(&str, &str)] = &[
        ("call", "the result, as the server sent it"),
        ("prompt get", "the prompt, as the server sent it"),
        ("resource read", "the resource, as the server sent it"),
        ("skill post-result", "the answer of the tool"),
    ];

    #[test]
    fn every_json_has_a_schema() {
        let is_schema = |name: &str| SCHEMAS.iter().any(|schema| schema.name == name);
        for (words, command) in all() {
            let is_exempt = WITHOUT_SCHEMA.iter().any(|(name, _)| *name == words);
            let name = words.replace(' ', "-");
            let listed = COMMANDS.iter().find(|(command, _)| *command == name);
            let has_schema = is_schema(listed.map_or(&name, |(_, schema)| schema));
            let is_expected = flag(&command, "json").is_some() && !is_exempt;
            assert!(has_schema || !is_expected, "{words}: no schema of its --json");
        }
    }

    #[test]
    fn a_short_flag_means_the_same_everywhere() {
        let meanings = [('y', "yes"), ('q', "quiet"), ('o', "output"), ('v', "verbose")];
        for (words, command) in all() {
            for argument in command.get_arguments() {
                let meaning =
                    meanings.iter().find(|(short, _)| argument.get_short() == Some(*short));
                if let Some((short, long)) = meaning {
                    assert_eq!(argument.get_long(), Some(*long), "{words}: -{short}");
                }
            }
        }
    }
}
