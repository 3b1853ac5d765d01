//! `dibber serve --once`: firing what is due, and nothing else.

use serde::Serialize;
use tokio::runtime::Runtime;

use super::failure::failed;
use super::runner::ServerRunner;
use super::signals::Signals;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_server::Server;
use dibber_server::firing::{FiringReport, Scheduler};
use dibber_text::{Message, message};

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Described by `schemas/serve-once.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OnceV1 {
    version: u32,
    runner: Option<&'static str>,
    decided: usize,
    executed: usize,
    completed: usize,
    failed: usize,
    not_recorded: usize,
    waiting: usize,
}

/// Fires what is due, waits for it, and reports what was done.
pub(super) fn run(
    server: &Server,
    runtime: &Runtime,
    runner: ServerRunner,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let ServerRunner { runner, kind, options, .. } = runner;
    let report = runtime.block_on(async {
        let signals = Signals::watch()?;
        let scheduler = Scheduler::new(server.clone(), runner, options);
        tokio::select! {
            report = scheduler.run_once() => report.map(Some).map_err(failed),
            () = signals.after(1) => Ok(None),
        }
    })?;
    let Some(report) = report else { return Ok(Exit::Interrupted) };
    if json {
        let FiringReport { decided, executed, completed, failed, not_recorded, waiting } = report;
        ui.print_json(&OnceV1 {
            version: VERSION,
            runner: kind,
            decided,
            executed,
            completed,
            failed,
            not_recorded,
            waiting,
        })?;
    } else {
        ui.eprintln(sentence(&report));
        if report.waiting > 0 && kind.is_none() {
            ui.eprintln(
                "help: an agent executes them with the tool `heartbeat_due`, or a program with \
                 `--run` or `[runner]` in `dibber.toml`",
            );
        }
    }
    Ok(Exit::Done)
}

/// Returns what was done, in words.
fn sentence(report: &FiringReport) -> Message {
    let FiringReport { executed, completed, failed, not_recorded, waiting, .. } = *report;
    if executed == 0 && waiting == 0 {
        return "nothing is due".into();
    }
    if executed == 0 {
        return message![runs(waiting), if waiting == 1 { " waits" } else { " wait" }];
    }
    let not_started = executed.saturating_sub(completed + failed + not_recorded);
    let mut parts = vec![message![completed, " completed"]];
    let others = [
        (failed, " failed"),
        (not_recorded, " executed and not recorded"),
        (not_started, " not started"),
    ];
    parts.extend(others.iter().filter(|(count, _)| *count > 0).map(|it| message![it.0, it.1]));
    message![runs(executed), ": ", Message::join(parts, ", ")]
}

fn runs(count: usize) -> Message {
    message![count, if count == 1 { " run" } else { " runs" }]
}
