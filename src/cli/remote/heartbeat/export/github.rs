//! Timers as a workflow of GitHub Actions.

use super::timers::{Format, Start, TimerFile, TimerSet, unsupported};
use crate::cli::error::CommandError;
use dibber_client::{Address, SERVER_VARIABLE, ServerTarget, TOKEN_VARIABLE};
use dibber_schedule::github_cron;
use serde_json::Value;

const PROGRAM: &str = "GitHub Actions";
/// The action that fetches the repository, of which the command may be a file. It is pinned to the
/// commit of a version.
const CHECKOUT: &str = "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2";

pub(super) const FORMAT: Format = Format {
    program: PROGRAM,
    write,
    next_step: |timers| match timers.target {
        ServerTarget::Url { url, .. } if may_have_secret(url) => {
            "commit it to the default branch as .github/workflows/heartbeats.yml, and save the token \
             and the URL of the server as the secrets DIBBER_TOKEN and DIBBER_SERVER of the repository"
        }
        _ => {
            "commit it to the default branch as .github/workflows/heartbeats.yml, and save the token \
             of the server as the secret DIBBER_TOKEN of the repository"
        }
    },
};

fn write(timers: &TimerSet<'_>) -> Result<Vec<TimerFile>, CommandError> {
    let (ServerTarget::Url { url, .. }, Start::Shell(command)) = (timers.target, &timers.start)
    else {
        return Err(unreachable_server(timers.target));
    };
    let mut text = format!(
        "# Of `dibber heartbeat export --github-actions`. A start may be some minutes late.\n\
         #\n# It is .github/workflows/heartbeats.yml on the default branch, and needs {} of the \
         repository.\nname: Heartbeats\non:\n  # Starts it by hand.\n  workflow_dispatch:\n  \
         schedule:\n",
        if may_have_secret(url) {
            "the secrets DIBBER_TOKEN and DIBBER_SERVER"
        } else {
            "the secret DIBBER_TOKEN"
        }
    );
    for simultaneous in timers.simultaneous() {
        let heartbeat = simultaneous.first;
        let cron = github_cron(&heartbeat.schedule.cron)
            .map_err(|error| unsupported(heartbeat, error, PROGRAM))?;
        text += &format!(
            "{}    - cron: \"{cron}\"\n      timezone: \"{}\"\n",
            simultaneous.comments("    "),
            heartbeat.zone_name()
        );
    }
    text += &job(command, url);
    Ok(vec![TimerFile { name: "heartbeats.yml", text }])
}

/// Returns what is started.
fn job(command: &str, url: &Address) -> String {
    let server = if may_have_secret(url) {
        format!("${{{{ secrets.{SERVER_VARIABLE} }}}}")
    } else {
        // A string of JSON is one of YAML.
        Value::from(url.as_str()).to_string()
    };
    let command = Value::from(command);
    format!(
        "permissions:\n  contents: read\nconcurrency:\n  group: heartbeats\njobs:\n  heartbeats:\n    \
         runs-on: ubuntu-latest\n    steps:\n      - uses: {CHECKOUT}\n        with:\n          \
         persist-credentials: false\n      - run: {command}\n        env:\n          \
         {SERVER_VARIABLE}: {server}\n          {TOKEN_VARIABLE}: ${{{{ secrets.{TOKEN_VARIABLE} }}}}\n"
    )
}

/// Returns `true` if the URL may contain a secret, which belongs in no file of a repository.
fn may_have_secret(url: &Address) -> bool {
    url.as_str().contains('?')
}

/// Returns the error of a server that is not on the network.
fn unreachable_server(target: &ServerTarget) -> CommandError {
    let message = match target {
        ServerTarget::Program { .. } => {
            "GitHub Actions cannot reach a server that is a program on this computer"
        }
        _ => "GitHub Actions cannot reach the database of this computer",
    };
    let help = "name the server that has the heartbeats, `--server URL`, and what asks it, `--run COMMAND`";
    CommandError::new(message).help(help)
}
