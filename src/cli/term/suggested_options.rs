//! The commands that messages suggest: they select the server that the user has selected.

use clap::Command as ClapCommand;

use dibber_text::{Message, quote_in_full};

/// The options of this run that a suggested command needs, too, in order to select the same server.
#[derive(Clone, Debug)]
pub(in crate::cli) struct SuggestedOptions {
    /// The name of each option, and how it was typed: ` --server URL`.
    options: Vec<(&'static str, String)>,
    /// Every command, to know which of them have the options.
    root: ClapCommand,
}

impl SuggestedOptions {
    /// Creates those of a run with these options.
    pub(in crate::cli) fn new(options: Vec<(&'static str, String)>, root: ClapCommand) -> Self {
        Self { options, root }
    }

    /// Returns a message with the options in each command that has them and that lacks them there.
    pub(in crate::cli) fn add_to(&self, message: &Message) -> Message {
        message.with_code_additions(|code| {
            let names = self.option_names(code)?;
            let has = |name: &str| names.contains(&name);
            let is_typed = |name: &str| code.contains(&format!("--{name} "));
            let missing = self.options.iter().filter(|(name, _)| has(name) && !is_typed(name));
            let missing: String = missing.map(|(_, typed)| typed.as_str()).collect();
            (!missing.is_empty()).then(|| quote_in_full(&missing).into())
        })
    }

    /// Returns the names of the options of the command that some code runs.
    fn option_names(&self, code: &str) -> Option<Vec<&str>> {
        let mut words = code.strip_prefix("dibber ")?.split(' ');
        let mut command = self.root.find_subcommand(words.next()?)?;
        let mut names = Vec::new();
        for word in words {
            let Some(found) = command.find_subcommand(word) else { break };
            let global = command.get_arguments().filter(|option| option.is_global_set());
            names.extend(global.map(|option| option.get_id().as_str()));
            command = found;
        }
        names.extend(command.get_arguments().map(|option| option.get_id().as_str()));
        // A check of the database is made on its computer, which needs no other server.
        if code.contains(" --database") {
            names.retain(|name| !["server", "token-file"].contains(name));
        }
        Some(names)
    }
}
