//! Finding the sandbox: once if it works, and again later if it does not.

use std::sync::OnceLock;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long after a failure the sandbox is looked for again.
pub(super) const RETRY_INTERVAL: Duration = Duration::from_secs(30);

/// Finds something; an error says why it is not there.
pub(super) type OpenFn<T> = Box<dyn Fn() -> BoxFuture<'static, Result<T, String>> + Send + Sync>;

/// Something that is looked for until it is found. It is generic, so that a test needs no sandbox.
pub(super) struct SandboxSearch<T> {
    open: OpenFn<T>,
    retry_interval: Duration,
    found: OnceLock<T>,
    last_failure: Mutex<Option<(Instant, String)>>,
}

impl<T> SandboxSearch<T> {
    /// Creates a search, which begins with the first call of [`find`](Self::find).
    pub(super) fn new(open: OpenFn<T>, retry_interval: Duration) -> Self {
        Self { open, retry_interval, found: OnceLock::new(), last_failure: Mutex::default() }
    }

    /// Returns what was found. Callers wait for the one that looks for it; after a failure, its reason
    /// is returned for some time.
    pub(super) async fn find(&self) -> Result<&T, String> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let mut last_failure = self.last_failure.lock().await;
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        if let Some((time, reason)) = &*last_failure
            && time.elapsed() < self.retry_interval
        {
            return Err(reason.clone());
        }
        match (self.open)().await {
            Ok(found) => {
                if last_failure.is_some() {
                    tracing::info!("a sandbox works by now: the code of skills can be run");
                }
                Ok(self.found.get_or_init(|| found))
            }
            Err(reason) => {
                if last_failure.as_ref().is_none_or(|(_, last)| *last != reason) {
                    tracing::warn!(
                        reason,
                        "the code of skills cannot be run, since no sandbox works; `dibber doctor` has more"
                    );
                }
                *last_failure = Some((Instant::now(), reason.clone()));
                Err(reason)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::FutureExt;

    use super::*;

    /// A search that succeeds at its second attempt, and the number of attempts.
    fn second_attempt(retry_interval: Duration) -> (SandboxSearch<usize>, Arc<AtomicUsize>) {
        let attempts = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&attempts);
        let open = move || {
            let attempt = counted.fetch_add(1, Ordering::Relaxed);
            async move { if attempt == 0 { Err("not yet".to_owned()) } else { Ok(attempt) } }
                .boxed()
        };
        (SandboxSearch::new(Box::new(open), retry_interval), attempts)
    }

    #[tokio::test]
    async fn a_sandbox_that_comes_later_is_found() {
        let (search, attempts) = second_attempt(Duration::ZERO);
        assert_eq!(search.find().await, Err("not yet".to_owned()));
        assert_eq!(search.find().await, Ok(&1));
        assert_eq!(search.find().await, Ok(&1));
        assert_eq!(attempts.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn a_failure_is_not_repeated_at_once() {
        let (search, attempts) = second_attempt(RETRY_INTERVAL);
        for _ in 0..3 {
            assert_eq!(search.find().await, Err("not yet".to_owned()));
        }
        assert_eq!(attempts.load(Ordering::Relaxed), 1);
    }
}
