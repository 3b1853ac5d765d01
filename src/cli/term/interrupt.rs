//! What Ctrl-C does, and the signals that end a program when its terminal is closed or its system
//! stops: no file stays half written, and the cursor is visible again.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use dialoguer::console::Term;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_text::{message, quote_display};

/// The watcher of this process: the system has one handler for the whole program.
static WATCHING: OnceLock<Interrupt> = OnceLock::new();

/// Returns a last message, if there is one to show.
pub(in crate::cli) type LastMessage = Box<dyn Fn() -> Option<&'static str> + Send>;

/// Ends the program at Ctrl-C, but not while files are half written.
///
/// A question reads single keys. While it waits for one, Ctrl-C is an error of the read; between
/// two keys the terminal turns it into a signal. This handles the signal.
#[derive(Clone)]
pub(in crate::cli) struct Interrupt {
    terminal: TerminalMode,
    is_requested: Arc<AtomicBool>,
    writing: Arc<Mutex<()>>,
    /// What shows a message when the program ends, if it returns one then.
    pub(in crate::cli) last_message: Arc<Mutex<Option<LastMessage>>>,
}

impl Interrupt {
    /// Starts watching for Ctrl-C, `SIGTERM` and `SIGHUP`, unless this process already does.
    pub(in crate::cli) fn watch() -> Result<Self, CommandError> {
        if let Some(watching) = WATCHING.get() {
            return Ok(watching.clone());
        }
        let interrupt = Self {
            terminal: TerminalMode::now(),
            is_requested: Arc::default(),
            writing: Arc::default(),
            last_message: Arc::default(),
        };
        let watched = interrupt.clone();
        let handler = move || watched.end();
        match ctrlc::try_set_handler(handler) {
            // A program that embeds this one may have a handler already, and keeps it.
            Ok(()) | Err(ctrlc::Error::MultipleHandlers) => {
                Ok(WATCHING.get_or_init(|| interrupt).clone())
            }
            Err(error) => {
                Err(CommandError::new(message!["cannot watch for Ctrl-C: ", quote_display(error)]))
            }
        }
    }

    /// Delays the end of the program until the guard is dropped, when the file being written is
    /// complete or removed again.
    pub(in crate::cli) fn hold(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if Ctrl-C was pressed while the program was held.
    pub(in crate::cli) fn is_requested(&self) -> bool {
        self.is_requested.load(Ordering::SeqCst)
    }

    fn show_last_message(&self) {
        let last_message = self.last_message.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(message) = last_message.as_ref().and_then(|message| message()) {
            // A closed stream does not keep the program from ending.
            let _ = Term::stderr().write_line(message);
        }
    }

    fn end(&self) {
        self.is_requested.store(true, Ordering::SeqCst);
        let _held = self.hold();
        self.terminal.restore();
        show_cursor();
        self.show_last_message();
        // The main thread waits for a key and cannot be woken.
        process::exit(Exit::Interrupted as i32);
    }
}

/// Shows the last message of a program that Ctrl-C has ended while a question waited for a key.
pub(in crate::cli) fn show_last_message() {
    if let Some(interrupt) = WATCHING.get() {
        interrupt.show_last_message();
    }
}

/// Shows the cursor again, which lists hide, and starts a new line.
pub(in crate::cli) fn show_cursor() {
    let terminal = Term::stderr();
    if terminal.is_term() {
        // A closed terminal needs no cursor.
        let _ = terminal.show_cursor();
        let _ = terminal.write_line("");
    }
}

/// The input mode of the terminal. A question changes it while it waits for a key.
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
            // A closed terminal needs no mode.
            let _ = rustix::termios::tcsetattr(
                std::io::stdin(),
                rustix::termios::OptionalActions::Now,
                mode,
            );
        }
    }
}

/// On other systems a question does not change it.
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
