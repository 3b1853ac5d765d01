//! The check of whether the code of skills can be run here.

use std::path::Path;

use super::item::ItemV2;
use crate::cli::sandbox_config::SandboxConfig;
use crate::cli::term::ui::Ui;
use dibber_sandbox::{Mode, ModeStatus, Sandbox};
use dibber_text::{Message, message, quote_in_full};
use tokio::runtime::Builder;

const KIND: &str = "sandbox";

/// What to do if no accepted mode works.
const HELP: &str = "correct what is missing, or accept another mode that works: `mode = \"landlock\"` \
                    below `[sandbox]` in your own `dibber.toml`";

/// Returns an item for each mode. A user is warned only with a sandbox configured: others may never run
/// code.
pub(super) fn run(data: &Path, ui: &Ui) -> Vec<ItemV2> {
    let config = match SandboxConfig::read(data) {
        Ok(config) => config,
        Err(error) => return vec![ItemV2::error(KIND, &error, ui)],
    };
    let judged = |is_warning: bool, message: Message| {
        if is_warning {
            ItemV2::warning(KIND, message, HELP, ui)
        } else {
            ItemV2::ok(KIND, message, ui)
        }
    };
    let statuses = match config.setup().and_then(|setup| {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot start: {error}"))?;
        Ok(runtime.block_on(Sandbox::probe(&setup)))
    }) {
        Ok(statuses) => statuses,
        Err(reason) => {
            let message = message!["sandbox: skills cannot be run: ", quote_in_full(&reason)];
            return vec![judged(config.is_configured, message)];
        }
    };
    let works = |mode: &Mode| {
        let is_it = |status: &&ModeStatus| status.mode == *mode;
        statuses.iter().find(is_it).is_some_and(|status| status.problem.is_none())
    };
    let used = config.accepted.iter().copied().find(|mode| works(mode));
    let item = |status: &ModeStatus| {
        let ModeStatus { mode, problem, .. } = status;
        let is_accepted = config.accepted.contains(mode);
        let use_of_it = match used {
            Some(used) if used == *mode => ", and is used",
            _ if is_accepted => "",
            _ => ", but is not accepted",
        };
        match problem {
            None => {
                let message = message!["sandbox: `", mode.name(), "` works", use_of_it];
                let message = match status.limits() {
                    Some(limits) => message![message, "; ", quote_in_full(&limits)],
                    None => message,
                };
                ItemV2::ok(KIND, message, ui)
            }
            Some(problem) => {
                let problem = quote_in_full(problem);
                let message = message!["sandbox: `", mode.name(), "` does not work: ", problem];
                judged(config.is_configured && is_accepted && used.is_none(), message)
            }
        }
    };
    statuses.iter().map(item).collect()
}
