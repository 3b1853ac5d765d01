//! What Ctrl-C does: nothing is left behind, and the cursor is there again.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dialoguer::console::Term;

use super::{CommandError, Exit};

/// Ends the program at Ctrl-C, but not while files are half written.
///
/// A question reads its keys one by one. Between two keys the terminal makes a signal of Ctrl-C,
/// and while it waits for one it gives an error; this is for the signal.
#[derive(Clone)]
pub(super) struct Interrupt {
    terminal: TerminalMode,
    is_wanted: Arc<AtomicBool>,
    writing: Arc<Mutex<()>>,
}

impl Interrupt {
    /// Begins to watch for it.
    pub(super) fn watch() -> Result<Self, CommandError> {
        let terminal = TerminalMode::now();
        let interrupt = Self { terminal, is_wanted: Arc::default(), writing: Arc::default() };
        let watched = interrupt.clone();
        let handler = move || watched.end();
        match ctrlc::try_set_handler(handler) {
            // Whoever runs this inside of something larger has a handler already, which counts.
            Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(interrupt),
            Err(error) => Err(CommandError::new(format!("cannot watch for Ctrl-C: {error}"))),
        }
    }

    /// Keeps the program from ending until the guard is dropped; what is being written has then
    /// been taken back, or is there as a whole.
    pub(super) fn hold(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whether Ctrl-C was pressed while the program was held.
    pub(super) fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::SeqCst)
    }

    fn end(&self) {
        self.is_wanted.store(true, Ordering::SeqCst);
        let _held = self.hold();
        self.terminal.restore();
        show_cursor();
        // The main thread waits for a key, and cannot be told to end.
        process::exit(Exit::Interrupted as i32);
    }
}

/// Shows the cursor again, which lists hide, and goes on in a new line.
pub(super) fn show_cursor() {
    let terminal = Term::stderr();
    if terminal.is_term() {
        // A terminal that is gone needs no cursor.
        let _ = terminal.show_cursor();
        let _ = terminal.write_line("");
    }
}

/// How the terminal treats what is typed. While a question waits for a key, it is another way.
#[cfg(unix)]
#[derive(Clone)]
struct TerminalMode(Option<rustix::termios::Termios>);

#[cfg(unix)]
impl TerminalMode {
    fn now() -> Self {
        Self(rustix::termios::tcgetattr(std::io::stdin()).ok())
    }

    fn restore(&self) {
        if let Self(Some(mode)) = self {
            // A terminal that is gone needs no mode.
            let _ = rustix::termios::tcsetattr(
                std::io::stdin(),
                rustix::termios::OptionalActions::Now,
                mode,
            );
        }
    }
}

/// Elsewhere a question does not change it.
#[cfg(not(unix))]
#[derive(Clone)]
struct TerminalMode;

#[cfg(not(unix))]
impl TerminalMode {
    fn now() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "the same call on every system")]
    fn restore(&self) {}
}
