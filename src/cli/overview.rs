//! The commands in groups: what `dibber` alone and `dibber --help` show.

use clap::Command as ClapCommand;

use super::command::Command;

/// The commands of the help, in its order. Others come after these.
const GROUPS: &[Group] = &[
    Group {
        title: "Write",
        commands: &["new", "edit", "render", "names", "guide"],
        first: Some(("new", "answer questions in everyday words, and get a skill")),
    },
    Group {
        title: "Check",
        commands: &["lint", "explain", "rules", "dry-run", "hash", "run"],
        first: Some(("lint", "find what is wrong with the skills in this folder")),
    },
    Group {
        title: "Publish",
        commands: &["push", "diff", "pull", "invoke", "skill", "heartbeat", "inbox", "watch"],
        first: Some(("push", "show what would be published, ask, and publish it")),
    },
    Group {
        title: "Share",
        commands: &["add", "list", "verify", "update", "remove", "pack", "index"],
        first: Some(("add", "show a skill of others, ask, and install it")),
    },
    Group {
        title: "Serve",
        commands: &["serve", "family", "runs", "database", "doctor"],
        first: Some(("serve", "let assistants (agents) use what you have published")),
    },
    Group {
        title: "Any MCP server",
        commands: &[
            "status",
            "servers",
            "login",
            "logout",
            "tools",
            "call",
            "resources",
            "resource",
            "prompts",
            "prompt",
            "journal",
        ],
        first: None,
    },
    Group { title: "Agents of editors", commands: &["acp"], first: None },
    Group { title: "Any server of the Skills Protocol", commands: &["protocol"], first: None },
    Group {
        title: "Set up",
        commands: &["config", "schema", "completions", "man", "help"],
        first: None,
    },
];

/// The beginning of the page of `dibber` alone.
const OVERVIEW: &str = "\
Write, check, publish and serve Agent Skills: pages of instructions that an
assistant follows, such as how to tell a bedtime story at 7:30pm.

";

/// Commands that belong together.
struct Group {
    title: &'static str,
    commands: &'static [&'static str],
    /// The command to start with and what it does, for groups of the short overview.
    first: Option<(&'static str, &'static str)>,
}

/// Returns the place of a command in the help.
pub(super) fn place(name: &str) -> usize {
    let mut names = GROUPS.iter().flat_map(|group| group.commands);
    names.position(|other| *other == name).unwrap_or(usize::MAX)
}

/// Returns the page of `dibber` alone: a line for each group, and where to start.
pub(super) fn short_overview(commands: &[Command], heading: impl Fn(&str) -> String) -> String {
    let mut page = String::from(OVERVIEW);
    for Group { title, first, .. } in GROUPS {
        let Some((name, purpose)) = first else { continue };
        if commands.iter().any(|command| command.name == *name) {
            let gap = " ".repeat(9_usize.saturating_sub(title.len()));
            page += &format!("  {}{gap}dibber {name:<7}{purpose}\n", heading(title));
        }
    }
    page + "\nStart with `dibber new`, or with `dibber lint` where there are skills already.\n\
            `dibber --help` lists all commands, and `dibber help COMMAND` describes one.\n"
}

/// Returns the template of `dibber --help`, with the commands in their groups.
pub(super) fn help_template(commands: &[ClapCommand], heading: impl Fn(&str) -> String) -> String {
    let mut page = String::from("{about-with-newline}\n{usage-heading} {usage}\n\n");
    for Group { title, commands: names, .. } in GROUPS {
        let members = names.iter().filter_map(|name| {
            let command = commands.iter().find(|command| command.get_name() == *name)?;
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            Some(format!("  {name:<13}{about}\n"))
        });
        let members: String = members.collect();
        if !members.is_empty() {
            page += &format!("{}\n{members}\n", heading(&format!("{title}:")));
        }
    }
    page + &heading("Options:") + "\n{options}{after-help}"
}
