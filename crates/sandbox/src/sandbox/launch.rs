//! Starting a launcher, and the exchange with it.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::launcher::Launcher;
use super::read::{Kept, read_all};
use crate::channel::{LAUNCHER_ARGUMENT, frame, frame_length};
use crate::mode::Mode;
use crate::outcome::SandboxError;
use crate::specification::{BEGUN_MARK, Ending, Report, Specification};

/// How long the launcher may take to start, to end a run whose time is over, and to end after that.
const GRACE: Duration = Duration::from_secs(15);

/// How long the launcher of a cancelled run may take to end: it copies files of skills and blobs to their
/// end, and only then looks whether it is still wanted.
const CANCEL_TIME: Duration = Duration::from_mins(1);

/// What a launcher wrote.
pub(super) struct Exchange {
    pub(super) report: Report,
    pub(super) result: Kept,
    pub(super) logs: Kept,
}

impl Exchange {
    /// What is left of a run that was cancelled.
    fn cancelled() -> Self {
        let report = Report::ended(Ending::Cancelled);
        Self { report, result: Kept::default(), logs: Kept::default() }
    }
}

/// Starts a launcher, and returns what it wrote when it has ended. If `cancelled` is ready before, the run
/// is ended.
///
/// The launcher is not killed if the future is dropped, nor if it takes too long without namespaces:
/// that would leave the processes or the files of the run behind. The end of the socket makes it end
/// and remove them, and then itself.
pub(super) async fn exchange(
    launcher: &Launcher,
    specification: &Specification,
    cancelled: impl Future<Output = ()>,
) -> Result<Exchange, SandboxError> {
    let (mut child, control) = start(launcher).map_err(|error| {
        let step = "start the launcher".to_owned();
        SandboxError::Refused { step, reason: error.to_string() }
    })?;
    let time = specification.limits.capped_timeout() + GRACE;
    let (exchanged, end_time) = tokio::select! {
        biased;
        exchanged = timeout(time, talk(&mut child, control, specification)) => {
            let late = |_| Err(io::Error::new(io::ErrorKind::TimedOut, "it takes too long to end"));
            (exchanged.unwrap_or_else(late), GRACE)
        }
        // The socket is closed by now.
        () = cancelled => (Ok(Exchange::cancelled()), CANCEL_TIME),
    };
    end(&mut child, specification.mode, end_time).await;
    exchanged.map_err(SandboxError::Launcher)
}

/// Waits for the end of a launcher that has nothing to do any more. With namespaces, it is killed if it takes
/// too long, and the kernel ends the run. Bounded: a process that waits for a device cannot be killed.
async fn end(child: &mut Child, mode: Mode, time: Duration) {
    let has_ended = timeout(time, child.wait()).await.is_ok();
    if !has_ended && mode == Mode::Full {
        drop(child.start_kill());
        drop(timeout(GRACE, child.wait()).await);
    }
}

fn start(launcher: &Launcher) -> io::Result<(Child, UnixStream)> {
    let (own, other) = StdUnixStream::pair()?;
    own.set_nonblocking(true)?;
    let child = Command::new(&launcher.program)
        .args(&launcher.arguments)
        .arg(LAUNCHER_ARGUMENT)
        .stdin(OwnedFd::from(other))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    Ok((child, UnixStream::from_std(own)?))
}

async fn talk(
    child: &mut Child,
    mut control: UnixStream,
    specification: &Specification,
) -> io::Result<Exchange> {
    let missing = || io::Error::other("a stream is missing");
    let stdout = child.stdout.take().ok_or_else(missing)?;
    let stderr = child.stderr.take().ok_or_else(missing)?;
    let limits = &specification.limits;
    control.write_all(&frame(specification)?).await?;
    let (report, result, logs) = tokio::try_join!(
        read_report(control),
        read_all(stdout, limits.output_bytes + BEGUN_MARK.len()),
        read_all(stderr, limits.log_bytes),
    )?;
    Ok(Exchange { report, result, logs })
}

async fn read_report(mut control: UnixStream) -> io::Result<Report> {
    let mut length = [0; 4];
    control.read_exact(&mut length).await?;
    let mut bytes = vec![0; frame_length(length)?];
    control.read_exact(&mut bytes).await?;
    Ok(serde_json::from_slice(&bytes)?)
}
