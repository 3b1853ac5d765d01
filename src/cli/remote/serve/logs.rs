//! The log on standard error.

use std::io::{self, Stderr, Write};
use std::sync::Arc;

use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::cli::error::CommandError;
use dibber_text::{Mask, message, quote, quote_in_full};

/// The environment variable with the level.
const VARIABLE: &str = "DIBBER_LOG";

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum LogFormat {
    /// For people.
    Human,
    /// A JSON object on each line.
    Json,
}

/// Standard error, with everything masked that no output may show: also what a dependency logs.
struct MaskedStderr<M> {
    stderr: Stderr,
    mask: Arc<M>,
}

impl<M: Mask> Write for MaskedStderr<M> {
    /// Writes an event, which the subscriber passes as a whole.
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        self.stderr.write_all(self.mask.mask(&text).as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stderr.flush()
    }
}

/// Starts logging. What `mask` masks is not logged.
pub(super) fn start(
    format: LogFormat,
    mask: impl Mask + Send + Sync + 'static,
) -> Result<(), CommandError> {
    let own = level()?;
    let mask = Arc::new(mask);
    let writer = move || MaskedStderr { stderr: io::stderr(), mask: Arc::clone(&mask) };
    let filter = Targets::new()
        .with_default(LevelFilter::WARN.min(own))
        .with_target("dibber", own)
        // Its warnings quote what callers write, which can be the name of a child.
        .with_target("rmcp", LevelFilter::ERROR.min(own))
        // Its errors say that an answer could not be sent, as when a client has left, or that a
        // connection ends.
        .with_target("rmcp::service", LevelFilter::OFF);
    let layer = match format {
        LogFormat::Human => fmt::layer().with_ansi(false).with_writer(writer).boxed(),
        LogFormat::Json => fmt::layer().json().flatten_event(true).with_writer(writer).boxed(),
    };
    // A program that embeds this one may have a subscriber already, which stays.
    let _ = tracing_subscriber::registry().with(layer.with_filter(filter)).try_init();
    Ok(())
}

/// Returns the level of dibber's own events.
fn level() -> Result<LevelFilter, CommandError> {
    let named = std::env::var_os(VARIABLE).filter(|level| !level.is_empty());
    let Some(named) = named else { return Ok(Level::INFO.into()) };
    let named = named.to_string_lossy();
    let levels = ["off", "error", "warn", "info", "debug", "trace"];
    let is_level = levels.contains(&named.as_ref());
    is_level.then(|| named.parse().ok()).flatten().ok_or_else(|| {
        let shown = quote(&named);
        CommandError::new(message!["invalid log level `", shown, "` in ", VARIABLE])
            .help(message!["set it to one of ", quote_in_full(&levels.join(", "))])
    })
}
