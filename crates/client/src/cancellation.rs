//! The cancellation of everything that a client waits for, when the program is interrupted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::watch;

/// How often it is checked whether everything is cancelled; for a second in all.
const CHECKS_MAX: usize = 200;
/// The time between two checks.
const CHECK_EVERY: Duration = Duration::from_millis(5);

/// Cancels the open requests of a client, from any thread.
#[derive(Clone, Debug)]
pub struct Cancellation {
    requested: watch::Sender<bool>,
    open: Arc<AtomicUsize>,
}

/// A request that is open until this is dropped.
pub(super) struct OpenRequest<'a>(&'a Cancellation);

impl Cancellation {
    pub(super) fn new() -> Self {
        Self { requested: watch::Sender::new(false), open: Arc::default() }
    }

    /// Cancels the open requests on the server, and waits for a bounded time until that is sent. The
    /// calls themselves stay pending: the program is about to end.
    pub fn cancel(&self) {
        self.requested.send_replace(true);
        for _ in 0..CHECKS_MAX {
            if self.open.load(Ordering::SeqCst) == 0 {
                return;
            }
            std::thread::sleep(CHECK_EVERY);
        }
    }

    /// Counts a request as open.
    pub(super) fn open_request(&self) -> OpenRequest<'_> {
        self.open.fetch_add(1, Ordering::SeqCst);
        OpenRequest(self)
    }

    /// Waits until cancellation is requested.
    pub(super) async fn requested(&self) {
        let mut requested = self.requested.subscribe();
        if requested.wait_for(|is_requested| *is_requested).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for OpenRequest<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}
