//! How many files this process may have open: each connection is one.

/// The files that a process of the server wants to have open at most.
const WANTED: u64 = 8192;

/// Raises the limit as far as the system permits and returns it. Many systems begin with a low one,
/// for the sake of programs that cannot have more.
#[cfg(unix)]
pub(super) fn raise_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(WANTED, |maximum| maximum.min(WANTED));
    if current.is_some_and(|current| current < wanted) {
        let raised = Rlimit { current: Some(wanted), maximum };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::debug!(%error, "the limit of open files stays as it is");
        }
    }
    getrlimit(Resource::Nofile).current.unwrap_or(WANTED)
}

/// Returns the limit; this system has none.
#[cfg(not(unix))]
pub(super) fn raise_limit() -> u64 {
    WANTED
}
