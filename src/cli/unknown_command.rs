//! What to type instead of a command that does not exist.

use clap::Command as ClapCommand;

use super::error::CommandError;
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// Words that people type, after the command that they follow, and what they are to type.
const INSTEAD: &[(&[&str], &[&str], &str)] = &[
    (&[], &["check", "validate", "fmt", "format", "fix"], "dibber lint"),
    (&[], &["init", "create", "make", "generate"], "dibber new"),
    (&[], &["test", "preview", "build", "plan"], "dibber dry-run"),
    (&[], &["publish", "upload", "deploy", "release", "sync"], "dibber push"),
    (&[], &["install"], "dibber add"),
    (&[], &["download", "get", "fetch", "clone"], "dibber pull"),
    (&[], &["upgrade", "outdated"], "dibber update"),
    (&[], &["zip", "package", "export"], "dibber pack"),
    (&[], &["proxy"], "dibber acp proxy"),
    (&[], &["run", "exec", "execute", "try", "start"], "dibber invoke"),
    (&[], &["ls"], "dibber list"),
    (&[], &["search", "skills"], "dibber skill list"),
    (&[], &["show", "view", "info", "cat"], "dibber skill get"),
    (&[], &["uninstall"], "dibber remove"),
    (&[], &["archive"], "dibber skill archive"),
    (&[], &["pause", "disable"], "dibber heartbeat pause"),
    (&[], &["resume", "continue", "enable"], "dibber heartbeat resume"),
    (&[], &["cancel", "unschedule"], "dibber heartbeat cancel"),
    (&[], &["unarchive"], "dibber skill unarchive"),
    (&[], &["set"], "dibber skill update"),
    (&[], &["rename", "move", "mv", "link"], "dibber skill link"),
    (&[], &["schedule", "cron", "heartbeats", "schedules"], "dibber heartbeat"),
    (&[], &["login", "auth", "token", "tokens"], "dibber family token"),
    (&[], &["server", "mcp", "daemon"], "dibber serve"),
    (&[], &["rule"], "dibber rules"),
    (&[], &["template", "templates"], "dibber new --list"),
    (&[], &["version"], "dibber --version"),
    (&["skill"], &["delete", "remove", "rm"], "dibber skill archive"),
    (&["skill"], &["restore", "undelete"], "dibber skill unarchive"),
    (&["skill"], &["show", "view", "info"], "dibber skill get"),
    (&["skill"], &["ls", "search"], "dibber skill list"),
    (&["skill"], &["edit", "change", "set"], "dibber skill update"),
    (&["skill"], &["create", "new", "add"], "dibber new"),
    (&["skill"], &["push", "publish"], "dibber push"),
    (&["skill"], &["run"], "dibber invoke"),
    (&["heartbeat"], &["delete", "remove", "rm"], "dibber heartbeat cancel"),
    (&["heartbeat"], &["stop", "disable"], "dibber heartbeat pause"),
    (&["heartbeat"], &["start", "enable"], "dibber heartbeat resume"),
    (&["heartbeat"], &["add", "new", "set", "schedule"], "dibber heartbeat create"),
    (&["heartbeat"], &["update", "change"], "dibber heartbeat edit"),
    (&["heartbeat"], &["ls", "show"], "dibber heartbeat list"),
];

/// A command, and what it does.
type Use = (&'static str, &'static str);

/// Words that may mean one of several commands.
const SEVERAL: &[(&[&str], &[Use])] = &[
    (
        &["delete", "rm", "erase"],
        &[
            ("dibber remove", "removes a skill that was added"),
            ("dibber skill archive", "removes a published skill, with its schedules"),
            ("dibber heartbeat cancel", "removes a schedule"),
        ],
    ),
    (
        &["stop", "off"],
        &[
            ("dibber heartbeat pause", "stops a schedule for a while"),
            ("dibber heartbeat cancel", "removes it"),
        ],
    ),
    (
        &["undo", "revert", "rollback", "restore", "undelete"],
        &[
            ("dibber pull", "replaces files with what is published"),
            ("dibber skill unarchive", "brings back an archived skill"),
        ],
    ),
];

/// Words for what no command does, after the command that they follow, and what there is instead.
const IMPOSSIBLE: &[(&[&str], &[&str], &str)] = &[(
    &["family"],
    &["remove-child", "delete-child", "rm-child", "edit-child", "rename-child"],
    "a child stays in the family as it was added; `dibber names remove` takes a name off your \
     private list",
)];

/// Returns the error for `typed`, which is no command below `root` after these words.
pub(super) fn error(root: &ClapCommand, words: &[&str], typed: &str) -> CommandError {
    let mut line = message!["dibber"];
    for word in words {
        line.push(" ");
        line.push(quote_in_full(word));
    }
    let help = instead(root, words, typed)
        .unwrap_or_else(|| message!["`", line.clone(), " --help` lists the commands"]);
    CommandError::new(message!["`", line, "` has no command `", quote(typed), "`"]).help(help)
}

/// Returns what to type instead: what the word means elsewhere, or the command that is spelled
/// most like it.
fn instead(root: &ClapCommand, words: &[&str], typed: &str) -> Option<Message> {
    let parent = words.iter().try_fold(root, |command, word| command.find_subcommand(word))?;
    let is_there = |command: &str| {
        let first = command.split(' ').nth(1);
        first.is_some_and(|first| first.starts_with('-') || root.find_subcommand(first).is_some())
    };
    let one = INSTEAD.iter().filter(|(parents, _, command)| *parents == words && is_there(command));
    let several =
        SEVERAL.iter().filter(|(_, commands)| words.is_empty() && is_there(commands[0].0));
    let meaning = |typed: &str| {
        let several = || several.clone().find(|(others, _)| others.contains(&typed));
        match one.clone().find(|(_, others, _)| others.contains(&typed)) {
            Some((.., command)) => Some(message!["the command is `", *command, "`"]),
            None => several().map(|(_, commands)| choice(commands)),
        }
    };
    let typed = typed.to_lowercase();
    let mut impossible = IMPOSSIBLE.iter().filter(|(parents, ..)| *parents == words);
    if let Some((.., instead)) = impossible.find(|(_, others, _)| others.contains(&&*typed)) {
        return Some((*instead).into());
    }
    if let Some(meaning) = meaning(&typed) {
        return Some(meaning);
    }
    let names = parent.get_subcommands().map(ClapCommand::get_name);
    let others = one.clone().flat_map(|(_, others, _)| others.iter().copied());
    let others = others.chain(several.clone().flat_map(|(others, _)| others.iter().copied()));
    // Of words that are equally close, the last one is taken: a command of its own name.
    let closest = closest_match(&typed, others.chain(names))?;
    Some(meaning(closest).unwrap_or_else(|| message!["did you mean `", quote(closest), "`?"]))
}

/// Returns what each of several commands does.
fn choice(commands: &[Use]) -> Message {
    let parts = commands.iter().map(|(command, does)| message!["`", *command, "` ", *does]);
    Message::join(parts, "; ")
}
