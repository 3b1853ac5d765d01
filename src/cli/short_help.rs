//! What `-h` leaves out: the help of a command in short fits on a screen of 24 lines.
//!
//! `--help` and the manual page have everything.

use clap::Command as ClapCommand;

/// The arguments that are rarely needed, by the words of the command.
const RARE: &[(&str, &[&str])] = &[
    (
        "new",
        &[
            "when",
            "label",
            "audience",
            "kid_callable",
            "ages",
            "inputs",
            "hands",
            "time_zone",
            "canvases",
            "resume",
            "into",
            "json",
        ],
    ),
    ("edit", &["audience", "kid_callable", "ages", "inputs", "time_zone"]),
    (
        "lint",
        &[
            "stdin_filename",
            "add_waivers",
            "reason",
            "ignore",
            "since",
            "output",
            "statistics",
            "level",
            "unsafe_fixes",
            "diff",
            "baseline",
            "write_baseline",
            "config",
            "no_config",
            "no_inline_waivers",
            "no_ignore",
            "skip_non_skills",
            "deny_warnings",
            "json",
        ],
    ),
    ("add", &["from_lock", "allow_findings", "force", "link", "list", "json"]),
    ("acp browse", &["directory", "wait"]),
    ("update", &["json"]),
    ("dry-run", &["arguments", "input_file", "expect"]),
    ("push", &["merge", "new", "no_heartbeats", "expect", "verbose"]),
    ("skill update", &["age_range", "add_canvas", "remove_canvas", "kid_callable"]),
    (
        "heartbeat preview",
        &["picture", "cron_file", "from", "within", "together", "clock", "svg", "days"],
    ),
    (
        "heartbeat create",
        &[
            "dry_run",
            "json",
            "tz",
            "assignment_skill",
            "child",
            "chat",
            "input",
            "post_result",
            "missed",
            "only",
            "force",
        ],
    ),
    (
        "heartbeat describe",
        &["tz", "assignment_skill", "child", "chat", "input", "post_result", "missed", "only"],
    ),
    ("heartbeat export", &["json"]),
    ("heartbeat edit", &["tz", "text", "input", "missed"]),
    ("run", &["args_json", "mode", "imported", "entrypoint", "data"]),
    (
        "serve",
        &[
            "tls_cert",
            "tls_key",
            "log",
            "once",
            "json",
            "run",
            "database",
            "tools",
            "public",
            "public_url",
        ],
    ),
    ("family token", &["force", "name", "member", "family", "data", "revoke_all"]),
    ("protocol code", &["entrypoint", "args_json", "blobs"]),
    ("protocol run", &["args_json"]),
    ("call", &["output", "args_json", "idempotency_key", "new"]),
];

/// Hides them from the short help of `command`, which is typed as `words`, and of its commands.
pub(super) fn with_short_help(mut command: ClapCommand, words: &str) -> ClapCommand {
    let names: Vec<String> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    for name in names {
        let words = format!("{words} {name}");
        command = command.mut_subcommand(&name, |command| with_short_help(command, &words));
    }
    match RARE.iter().find(|(of, _)| *of == words) {
        Some((_, rare)) => command.mut_args(|argument| {
            let is_rare = rare.contains(&argument.get_id().as_str());
            if is_rare { argument.hide_short_help(true) } else { argument }
        }),
        None => command,
    }
}

#[cfg(test)]
mod tests {
    use clap::Command as ClapCommand;

    use super::RARE;
    use crate::cli::commands;
    use crate::cli::definition::definition;

    /// The lines of a small terminal, less the prompt after the help.
    const LINES_MAX: usize = 23;

    fn check(command: &mut ClapCommand, words: &str) {
        let help = command.render_help().to_string();
        let lines = help.lines().count();
        let has_commands = command.has_subcommands();
        assert!(has_commands || lines <= LINES_MAX, "{lines} lines: dibber {words} -h\n{help}");
        for (_, rare) in RARE.iter().filter(|(of, _)| *of == words) {
            for id in *rare {
                let found = command.get_arguments().any(|argument| argument.get_id() == id);
                assert!(found, "dibber {words} has no argument `{id}`");
            }
        }
        for child in command.get_subcommands_mut() {
            let words = format!("{words} {}", child.get_name()).trim().to_owned();
            check(child, &words);
        }
    }

    #[test]
    fn short_help_fits_on_a_screen() {
        let mut root = definition(&commands()).term_width(80);
        root.build();
        check(&mut root, "");
    }
}
