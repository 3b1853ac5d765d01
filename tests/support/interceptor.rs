//! A proxy that waits for a write of a server, and then does something about it.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::support::fault_proxy::message;

/// The tools that change something.
const WRITES: [&str; 5] =
    ["skill_archive", "skill_write", "skill_update", "heartbeat_create", "heartbeat_update"];

/// A page that some network shows in place of what was asked for.
const PORTAL: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi";

/// What happens to writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They pass.
    Pass,
    /// The server does not get them, and the connection ends.
    Refuse,
    /// The server gets them, and the client gets something else in place of the answer.
    LoseAnswer,
    /// Neither the server nor the client gets anything more.
    HoldRequest,
    /// The server gets them, and the client gets nothing more.
    HoldAnswer,
}

/// A proxy between clients and a server.
#[derive(Clone)]
pub(crate) struct Interceptor {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
}

struct State {
    server: SocketAddr,
    mode: Mutex<Mode>,
    /// The number of writes that still pass, whatever the mode is.
    passing: AtomicUsize,
    /// The number of writes that were intercepted.
    hits: AtomicUsize,
    /// The number of dry-runs that came.
    dry_runs: AtomicUsize,
    released: Notify,
}

impl Interceptor {
    pub(crate) async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(State {
            server,
            mode: Mutex::new(Mode::Pass),
            passing: AtomicUsize::default(),
            hits: AtomicUsize::default(),
            dry_runs: AtomicUsize::default(),
            released: Notify::new(),
        });
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let state = Arc::clone(&shared);
                // A client that was killed is what this is for.
                tokio::spawn(async move { drop(pass(client, &state).await) });
            }
        });
        Self { address, state }
    }

    /// Says what happens from now on.
    pub(crate) fn set(&self, mode: Mode) {
        *self.state.mode.lock().expect("no panic") = mode;
    }

    /// Lets so many writes pass, whatever the mode is.
    pub(crate) fn pass_first(&self, writes: usize) {
        self.state.passing.store(writes, Ordering::SeqCst);
    }

    /// Lets everything go on that is held.
    pub(crate) fn release(&self) {
        self.set(Mode::Pass);
        self.state.released.notify_waiters();
    }

    /// The number of writes that were intercepted.
    pub(crate) fn hits(&self) -> usize {
        self.state.hits.load(Ordering::SeqCst)
    }

    /// Waits until a write is intercepted, which has to happen within a minute.
    pub(crate) fn wait_for_hit(&self) {
        let end = Instant::now() + Duration::from_mins(1);
        while self.hits() == 0 {
            assert!(Instant::now() < end, "no write comes");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The number of dry-runs that came.
    pub(crate) fn dry_runs(&self) -> usize {
        self.state.dry_runs.load(Ordering::SeqCst)
    }
}

impl State {
    /// Returns `true` for a write that passes, whatever the mode is.
    fn passes(&self) -> bool {
        let one_less = |left: usize| left.checked_sub(1);
        self.passing.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less).is_ok()
    }
}

/// What a request is.
#[derive(PartialEq, Eq)]
enum Kind {
    Write,
    DryRun,
    Other,
}

fn kind(request: &[u8]) -> Kind {
    let body = request.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4);
    let body = body.and_then(|at| serde_json::from_slice::<Value>(&request[at..]).ok());
    let Some(body) = body else { return Kind::Other };
    let parameters = &body["params"];
    match parameters["name"].as_str() {
        Some(name) if body["method"] == "tools/call" && WRITES.contains(&name) => {
            if parameters["arguments"]["dryRun"] == true { Kind::DryRun } else { Kind::Write }
        }
        _ => Kind::Other,
    }
}

async fn pass(mut client: TcpStream, state: &State) -> io::Result<()> {
    client.set_nodelay(true)?;
    let mut server = TcpStream::connect(state.server).await?;
    server.set_nodelay(true)?;
    while let Some(request) = message(&mut client).await? {
        let mut mode = Mode::Pass;
        match kind(&request) {
            Kind::Write if !state.passes() => mode = *state.mode.lock().expect("no panic"),
            Kind::DryRun => drop(state.dry_runs.fetch_add(1, Ordering::SeqCst)),
            Kind::Write | Kind::Other => {}
        }
        if matches!(mode, Mode::Refuse | Mode::HoldRequest) {
            hit(mode, state).await;
            if mode == Mode::Refuse {
                return client.set_zero_linger();
            }
        }
        server.write_all(&request).await?;
        let Some(reply) = message(&mut server).await? else { return Ok(()) };
        if matches!(mode, Mode::LoseAnswer | Mode::HoldAnswer) {
            hit(mode, state).await;
        }
        let reply = if mode == Mode::LoseAnswer { PORTAL.as_bytes() } else { &reply };
        client.write_all(reply).await?;
    }
    Ok(())
}

/// Counts a write that was intercepted, and holds it if that is the mode.
async fn hit(mode: Mode, state: &State) {
    let released = state.released.notified();
    let mut released = std::pin::pin!(released);
    released.as_mut().enable();
    state.hits.fetch_add(1, Ordering::SeqCst);
    if matches!(mode, Mode::HoldRequest | Mode::HoldAnswer) {
        released.await;
    }
}
