//! The limits of requests and connections.

use std::time::Duration;

use super::open_files;
use crate::protocol::UPLOADS_MAX;

/// The most bytes of a request's body (4 MiB). The largest skill that may be written is smaller.
pub const BODY_BYTES_MAX: usize = 4 << 20;

/// The most bytes of a body that is too large which are still read, so that its sender gets to
/// read the answer (64 MiB).
pub(super) const DISCARDED_BYTES_MAX: usize = 64 << 20;

/// The most bytes of large answers that wait to be read by all clients together (64 MiB).
pub const ANSWERS_BYTES_MAX: usize = 64 << 20;

/// The most bytes of large answers that wait to be read by the clients with one token (32 MiB): the
/// rest is for the others.
pub(super) const ANSWERS_OF_TOKEN_BYTES_MAX: usize = ANSWERS_BYTES_MAX / 2;

/// The most bytes of an answer that needs no room among those (64 KiB).
pub(super) const SMALL_ANSWER_BYTES_MAX: u64 = 64 << 10;

/// How long a body may take to arrive.
pub(super) const BODY_TIME: Duration = Duration::from_secs(30);

/// The most bytes of a call that creates a large blob (512 MiB): the characters of a content may be
/// escaped.
pub(super) const UPLOAD_BYTES_MAX: usize = 512 << 20;

/// How long such a call may take to arrive; each part of it within [`BODY_TIME`].
pub(super) const UPLOAD_TIME: Duration = Duration::from_mins(10);

/// The fewest bytes of such a call that may arrive in a second (32 KiB), averaged over
/// [`UPLOAD_RATE_TIME`]: its slot is one of few.
pub(super) const UPLOAD_RATE_MIN: usize = 32 << 10;

/// Over how long the rate of such a call is averaged.
pub(super) const UPLOAD_RATE_TIME: Duration = Duration::from_secs(30);

/// How long requests in flight may go on after the server begins to stop.
pub const STOP_TIME: Duration = Duration::from_secs(10);

/// The most connections with a token of a process of its own: many of them only wait for news.
const AUTHENTICATED_MAX: usize = 2048;

/// The files that are kept for everything but connections and skills: the database (at most 10 connections
/// with 4 files each), the programs of 4 runs and 4 safety checks with their pipes, and the process itself.
const RESERVED_FILES: usize = 128;

/// The files of the large blobs that arrive: of each, that of what has arrived and that of its content.
const UPLOAD_FILES: usize = 2 * UPLOADS_MAX;

/// The files of a run of a skill: the socket, two pipes and the handle of its launcher, the lock of its blobs,
/// and the other ends of the first three while the launcher starts.
const FILES_PER_RUN: usize = 8;

/// The limits of a server's connections.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most connections at once that have sent a known token.
    pub authenticated_max: usize,
    /// The most other connections at once; at least 1. They have slots of their own, so that no
    /// number of them keeps a client with a token from being served.
    pub unauthenticated_max: usize,
    /// How long the head of a request may take to arrive, and how long a connection may be idle.
    pub head_time: Duration,
    /// How long an answer may wait for its reader to take any of it.
    pub write_time: Duration,
}

impl Limits {
    /// Returns the limits for a server that is a process of its own. The limit of open files is raised
    /// as far as the system permits; it is logged if that is not enough for the default. `skill_runs` are
    /// the most runs of skills at once.
    pub fn of_process(skill_runs: usize) -> Self {
        let files = usize::try_from(open_files::raise_limit()).unwrap_or(usize::MAX);
        let (limits, default) = (Self::for_open_files(files, skill_runs), Self::default());
        let (connections, wanted) = (limits.connections_max(), default.connections_max());
        if connections < wanted {
            tracing::warn!(
                files,
                connections,
                "the system permits few open files, so fewer clients can connect; raise its hard limit \
                 to {}, as with `LimitNOFILE` of systemd",
                wanted + Self::reserved_files(skill_runs)
            );
        }
        limits
    }

    /// Returns the limits for a process that may have so many files open: each connection is one, and
    /// some are left for everything else, as [`reserved_files`](Self::reserved_files).
    pub fn for_open_files(files: usize, skill_runs: usize) -> Self {
        let reserved = Self::reserved_files(skill_runs);
        let connections = files.saturating_sub(reserved).max(files / 4);
        let default = Self::default();
        let unauthenticated_max = (connections / 4).clamp(1, default.unauthenticated_max);
        let authenticated_max = (connections - unauthenticated_max).clamp(1, AUTHENTICATED_MAX);
        Self { authenticated_max, unauthenticated_max, ..default }
    }

    /// Returns how many files are kept for everything but connections, with so many runs of skills at once;
    /// 0 if no skills are served.
    pub const fn reserved_files(skill_runs: usize) -> usize {
        match skill_runs {
            0 => RESERVED_FILES,
            runs => RESERVED_FILES + UPLOAD_FILES + FILES_PER_RUN * runs,
        }
    }

    const fn connections_max(&self) -> usize {
        self.authenticated_max + self.unauthenticated_max
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            authenticated_max: 256,
            unauthenticated_max: 256,
            head_time: Duration::from_secs(15),
            write_time: Duration::from_secs(30),
        }
    }
}
