//! The signals that stop a server.

use tokio::signal::ctrl_c;
use tokio::sync::watch;

use crate::cli::error::CommandError;

/// Counts the signals since its creation.
pub(super) struct Signals(watch::Receiver<usize>);

impl Signals {
    /// Starts counting Ctrl-C, and on Unix `SIGTERM`.
    pub(super) fn watch() -> Result<Self, CommandError> {
        let (count, counted) = watch::channel(0);
        let mut terminate = Terminate::watch()?;
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    pressed = ctrl_c() => if pressed.is_err() { return },
                    () = terminate.next() => {}
                }
                count.send_modify(|count| *count += 1);
            }
        });
        Ok(Self(counted))
    }

    /// Waits until there were this many signals.
    pub(super) fn after(&self, signals: usize) -> impl Future<Output = ()> + Send + 'static {
        let mut counted = self.0.clone();
        async move {
            if counted.wait_for(|count| *count >= signals).await.is_err() {
                // The watching task has ended, so no signal will be counted.
                std::future::pending::<()>().await;
            }
        }
    }
}

/// The signal that asks a program to end.
#[cfg(unix)]
struct Terminate(tokio::signal::unix::Signal);

#[cfg(unix)]
impl Terminate {
    fn watch() -> Result<Self, CommandError> {
        let kind = tokio::signal::unix::SignalKind::terminate();
        let signal = tokio::signal::unix::signal(kind);
        Ok(Self(signal.map_err(|error| CommandError::io("cannot watch for signals", error))?))
    }

    async fn next(&mut self) {
        self.0.recv().await;
    }
}

#[cfg(not(unix))]
struct Terminate;

#[cfg(not(unix))]
impl Terminate {
    #[expect(clippy::unnecessary_wraps, reason = "the same call on every system")]
    fn watch() -> Result<Self, CommandError> {
        Ok(Self)
    }

    async fn next(&mut self) {
        std::future::pending().await
    }
}
