//! Timers as a workflow of GitHub Actions.

use super::timers::{Format, Start, TimerFile, TimerSet, unsupported};
use crate::cli::error::CommandError;
use dibber_client::TOKEN_VARIABLE;
use dibber_schedule::github_cron;
use serde_json::Value;

const PROGRAM: &str = "GitHub Actions";

pub(super) const FORMAT: Format = Format {
    program: PROGRAM,
    write,
    next_step: "commit it to the default branch below .github/workflows, and save the token of the \
                server as the secret DIBBER_TOKEN",
};

fn write(timers: &TimerSet) -> Result<Vec<TimerFile>, CommandError> {
    let (Some(server), Start::Shell(command)) = (&timers.server, &timers.start) else {
        let message = "GitHub Actions cannot reach the database of this computer";
        let help = "name the server that has the heartbeats, `--server URL`, and what asks it, `--run COMMAND`";
        return Err(CommandError::new(message).help(help));
    };
    let mut text =
        "# Of `dibber heartbeat export --github-actions`. A start may be some minutes late.\n\
                    name: Heartbeats\non:\n  schedule:\n"
            .to_owned();
    for heartbeat in &timers.timers {
        let cron = github_cron(&heartbeat.schedule.cron)
            .map_err(|error| unsupported(heartbeat, error, PROGRAM))?;
        text += &format!(
            "    # {}\n    - cron: \"{cron}\"\n      timezone: \"{}\"\n",
            heartbeat.title(),
            heartbeat.zone_name()
        );
    }
    // A string of JSON is one of YAML.
    // The name of a server whose URL has a query is not its URL.
    let server = if server.contains('?') { "${{ secrets.DIBBER_SERVER }}" } else { server };
    let (command, server) = (Value::from(command.as_str()), Value::from(server));
    text += &format!(
        "permissions: {{}}\nconcurrency:\n  group: heartbeats\njobs:\n  heartbeats:\n    \
         runs-on: ubuntu-latest\n    steps:\n      - run: {command}\n        env:\n          \
         DIBBER_SERVER: {server}\n          {TOKEN_VARIABLE}: ${{{{ secrets.{TOKEN_VARIABLE} }}}}\n"
    );
    Ok(vec![TimerFile { name: "heartbeats.yml", text }])
}
