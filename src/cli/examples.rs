//! The example in the help of each command.

use clap::Command as ClapCommand;

/// A command line for each command.
const EXAMPLES: &[&str] = &[
    "dibber new bedtime-story --template kid-activity",
    "dibber edit bedtime-story --schedule 'every day at 7:30pm'",
    "dibber render examples/bedtime-story --input name=Kim",
    "dibber names add 'Anna Lena'",
    "dibber names list",
    "dibber names remove 'Anna Lena'",
    "dibber guide skill",
    "dibber lint --fix skills/",
    "dibber explain missing-description",
    "dibber rules",
    "dibber dry-run bedtime-story",
    "dibber hash bedtime-story",
    "dibber run family.dates.countdown --args date=2026-12-24",
    "dibber add anthropics/skills@main --skill pdf --client claude-code",
    "dibber list",
    "dibber verify --frozen",
    "dibber update pdf",
    "dibber remove pdf",
    "dibber pack --for claude-ai skills/pdf",
    "dibber index skills/ --output public/",
    "dibber push --yes skills/",
    "dibber diff skills/",
    "dibber pull --all --into skills",
    "dibber invoke bedtime-story --input name=Kim",
    "dibber skill list",
    "dibber skill get bedtime-story",
    "dibber skill update bedtime-story --name 'Bedtime story'",
    "dibber skill post-result bedtime-story --result-file result.json",
    "dibber skill archive bedtime-story",
    "dibber skill unarchive bedtime-story",
    "dibber skill link skills/bedtime-story 'Bedtime story'",
    "dibber skill unlink skills/bedtime-story",
    "dibber heartbeat preview '30 19 * * *' --tz Europe/Berlin",
    "dibber heartbeat create 'Story time' --schedule 'every day at 7:30pm' --skill bedtime-story",
    "dibber heartbeat describe skills/bedtime-story",
    "dibber heartbeat list",
    "dibber heartbeat edit 'Story time' --schedule 'every day at 8pm'",
    "dibber heartbeat pause 'Story time'",
    "dibber heartbeat resume 'Story time'",
    "dibber heartbeat cancel 'Story time'",
    "dibber heartbeat members 'Story time'",
    "dibber heartbeat export --systemd --output ~/.config/systemd/user",
    "dibber heartbeat due",
    "dibber heartbeat history 'Story time'",
    "dibber heartbeat run 'Story time'",
    "dibber heartbeat complete run_2f… --summary 'Told the story of the fox'",
    "dibber heartbeat fail run_2f… --message 'The agent did not answer'",
    "dibber inbox list",
    "dibber inbox show rs_2f…",
    "dibber inbox read --all",
    "dibber inbox archive rs_2f…",
    "dibber watch --once --for 60",
    "dibber serve --listen 7461",
    "dibber family show",
    "dibber family add-child --born 2019-04-30",
    "dibber family add-member Grandma",
    "dibber family add-canvas Bedroom --ages 5-7",
    "dibber family archive-skill bedtime-story",
    "dibber family token --output token.txt --expires 30d",
    "dibber family invite",
    "dibber family grants",
    "dibber runs --failed",
    "dibber database copy ~/.local/state/dibber postgres://me@db.example/dibber",
    "dibber doctor --database",
    "dibber status --server https://example.org/mcp",
    "dibber servers",
    "dibber tools --server 'stdio:npx -y some-server'",
    "dibber call skill_list limit=5",
    "dibber resources",
    "dibber resource read file:///notes.txt",
    "dibber prompts",
    "dibber prompt get greeting name=Kim",
    "dibber acp emit skills/",
    "dibber acp browse --license MIT -- npx -y some-agent",
    "dibber acp proxy --skills skills/ -- npx -y some-agent",
    "dibber protocol list --server 127.0.0.1:7340",
    "dibber protocol describe family.dates.countdown",
    "dibber protocol cat family.dates.countdown code/main.py",
    "dibber protocol run family.dates.countdown --args date=2026-12-24",
    "dibber protocol code count.py --skill family.dates.countdown",
    "dibber protocol put-blob birthdays.csv",
    "dibber protocol get-blob blob:2f… --output birthdays.csv",
    "dibber protocol guide",
    "dibber journal list",
    "dibber journal discard --all",
    "dibber login --server https://example.org/mcp",
    "dibber logout --server https://example.org/mcp",
    "dibber config show",
    "dibber schema sprout",
    "dibber completions --install zsh",
    "dibber man lint",
    "dibber help heartbeat create",
];

/// Returns the example of the command that these words call.
pub(super) fn example_of(words: &[&str]) -> Option<&'static str> {
    let line = ["dibber"].iter().chain(words).copied().collect::<Vec<_>>().join(" ");
    EXAMPLES.iter().copied().find(|example| {
        let rest = example.strip_prefix(line.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// Adds the examples to a command and the commands in it; `line` is how the command is called.
pub(super) fn with_examples(command: ClapCommand, line: &str) -> ClapCommand {
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    let command = match example_of(&words) {
        Some(example) => command.after_help(format!("Example: {example}")),
        None => command,
    };
    let names: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        let line = format!("{line} {name}");
        command.mut_subcommand(name, |command| with_examples(command, &line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{commands, definition::definition};

    /// Returns the words of an example as a shell would: only single quotes are used in them.
    fn words(example: &str) -> Vec<String> {
        let parts = example.split('\'').enumerate();
        let words = parts.flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        words.collect()
    }

    fn check(command: &ClapCommand, line: &str) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(help.starts_with(&format!("Example: {line}")), "`{line}` has no example");
        for action in command.get_subcommands() {
            check(action, &format!("{line} {}", action.get_name()));
        }
    }

    #[test]
    fn every_command_has_an_example_that_it_understands() {
        let definition = definition(&commands());
        for command in definition.get_subcommands() {
            check(command, &format!("dibber {}", command.get_name()));
        }
        for example in EXAMPLES {
            let words = words(example);
            if definition.find_subcommand(&words[1]).is_some() {
                let parsed = definition.clone().try_get_matches_from(words);
                assert!(parsed.is_ok(), "{example}: {}", parsed.expect_err("an error"));
            }
        }
    }
}
