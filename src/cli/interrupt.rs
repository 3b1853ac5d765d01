//! What Ctrl-C does: nothing is left behind, and the cursor is there again.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use dialoguer::console::Term;

use super::error::CommandError;
use super::exit::Exit;

/// The one that watches; the system has one handler for the whole program.
static WATCHING: OnceLock<Interrupt> = OnceLock::new();

/// What is said at the end, if there is something to say.
type LastWords = Box<dyn Fn() -> Option<&'static str> + Send>;

/// Ends the program at Ctrl-C, but not while files are half written.
///
/// A question reads its keys one by one. Between two keys the terminal makes a signal of Ctrl-C,
/// and while it waits for one it gives an error; this is for the signal.
#[derive(Clone)]
pub(super) struct Interrupt {
    terminal: TerminalMode,
    is_wanted: Arc<AtomicBool>,
    writing: Arc<Mutex<()>>,
    last_words: Arc<Mutex<Option<LastWords>>>,
}

impl Interrupt {
    /// Begins to watch for it, if nobody in this program does yet.
    pub(super) fn watch() -> Result<Self, CommandError> {
        if let Some(watching) = WATCHING.get() {
            return Ok(watching.clone());
        }
        let interrupt = Self {
            terminal: TerminalMode::now(),
            is_wanted: Arc::default(),
            writing: Arc::default(),
            last_words: Arc::default(),
        };
        let watched = interrupt.clone();
        let handler = move || watched.end();
        match ctrlc::try_set_handler(handler) {
            // Whoever runs this inside of something larger has a handler already, which counts.
            Ok(()) | Err(ctrlc::Error::MultipleHandlers) => {
                Ok(WATCHING.get_or_init(|| interrupt).clone())
            }
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

    /// Says something at the end, if there is something to say then.
    #[cfg(feature = "remote")]
    pub(super) fn say_at_end(
        &self,
        last_words: impl Fn() -> Option<&'static str> + Send + 'static,
    ) {
        let mut kept = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some(Box::new(last_words));
    }

    fn end(&self) {
        self.is_wanted.store(true, Ordering::SeqCst);
        let _held = self.hold();
        self.terminal.restore();
        show_cursor();
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(words) = last_words.as_ref().and_then(|last_words| last_words()) {
            // Nobody may be there to read it.
            let _ = Term::stderr().write_line(words);
        }
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
