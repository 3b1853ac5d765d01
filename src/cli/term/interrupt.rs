//! What Ctrl-C does, and the signals that end a program when its terminal is closed or its system
//! stops: no file stays half written.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_text::{message, quote_display};

/// The watcher of this process: the system has one handler for the whole program.
static WATCHING: OnceLock<Interrupt> = OnceLock::new();

/// Returns a last message, if there is one to show.
type LastMessage = Box<dyn Fn() -> Option<Cow<'static, str>> + Send>;

/// Ends the program at Ctrl-C, but not while files are half written.
#[derive(Clone)]
pub(in crate::cli) struct Interrupt {
    is_requested: Arc<AtomicBool>,
    writing: Arc<Mutex<()>>,
    /// What shows a message when the program ends, if it returns one then.
    last_message: Arc<Mutex<Option<LastMessage>>>,
}

impl Interrupt {
    /// Starts watching for Ctrl-C, `SIGTERM` and `SIGHUP`, unless this process already does.
    pub(in crate::cli) fn watch() -> Result<Self, CommandError> {
        if let Some(watching) = WATCHING.get() {
            return Ok(watching.clone());
        }
        let interrupt = Self {
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

    /// Sets what returns a message to show when the program ends, in place of what was set before.
    pub(in crate::cli) fn set_last_message(
        &self,
        message: impl Fn() -> Option<Cow<'static, str>> + Send + 'static,
    ) {
        let mut last_message = self.last_message.lock().unwrap_or_else(PoisonError::into_inner);
        *last_message = Some(Box::new(message));
    }

    fn show_last_message(&self) {
        let last_message = self.last_message.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(message) = last_message.as_ref().and_then(|message| message()) {
            // A closed stream does not keep the program from ending.
            let _ = writeln!(io::stderr(), "{message}");
        }
    }

    fn end(&self) {
        self.is_requested.store(true, Ordering::SeqCst);
        let _held = self.hold();
        let mut stderr = io::stderr();
        if stderr.is_terminal() {
            // The terminal has shown `^C` on the current line.
            let _ = writeln!(stderr);
        }
        self.show_last_message();
        // The main thread waits for an answer and cannot be woken.
        process::exit(Exit::Interrupted as i32);
    }
}

/// Shows the last message of a program whose input was closed while a question waited for a line.
pub(in crate::cli) fn show_last_message() {
    if let Some(interrupt) = WATCHING.get() {
        interrupt.show_last_message();
    }
}
