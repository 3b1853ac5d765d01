//! Connections: how they begin, how long they last, and how they end.

use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinSet, yield_now};
use tokio::time::{sleep, timeout};

use super::connection_slots::{ConnectionSlot, ConnectionSlots};
use super::limits::{Limits, STOP_TIME};
use super::listener::Listener;
use super::streams::IsStopping;
use super::tls::Tls;
use super::write_timeout::WriteTimeoutStream;

/// How long to wait when nothing can be accepted, because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections until `stop` is ready, and lets those that are in use end.
pub(super) async fn serve(
    Listener { socket, tls }: Listener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()> + Send,
) {
    let mut stop = pin!(stop);
    let slots = ConnectionSlots::new(limits.clone());
    let (stopping, is_stopping) = watch::channel(false);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = &mut stop => break,
            (stream, peer, has_sent) = accept(&socket) => {
                let slot = Arc::new(slots.admit(peer, has_sent).await);
                let (router, limits, tls) = (router.clone(), limits.clone(), tls.clone());
                let is_stopping = is_stopping.clone();
                connections.spawn(async move {
                    tokio::select! {
                        () = answer(stream, tls, router, &limits, Arc::clone(&slot), is_stopping) => {}
                        () = slot.wait_for_close() => tracing::debug!("a connection was closed for another one"),
                    }
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
    drop(socket);
    stopping.send_replace(true);
    let all = async { while connections.join_next().await.is_some() {} };
    if timeout(STOP_TIME, all).await.is_err() {
        let left = connections.len();
        tracing::warn!(connections = left, "requests in flight took too long and were aborted");
    }
}

/// Accepts a connection; returns it with the address of its peer, and whether something that the
/// peer has sent can be read already.
async fn accept(listener: &TcpListener) -> (TcpStream, IpAddr, bool) {
    loop {
        let accepted = listener.accept().await.and_then(|(stream, peer)| {
            // The runtime learns only later whether there is something to read; the system knows now.
            let stream = stream.into_std()?;
            let has_sent = stream.peek(&mut [0]).is_ok_and(|length| length > 0);
            Ok((TcpStream::from_std(stream)?, peer.ip(), has_sent))
        });
        match accepted {
            Ok(accepted) => return accepted,
            Err(error) if is_peer_error(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Returns `true` if the peer has caused the error.
fn is_peer_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}

/// Answers the requests of one connection, after its handshake if it is encrypted.
async fn answer(
    stream: TcpStream,
    tls: Option<Tls>,
    router: Router,
    limits: &Limits,
    slot: Arc<ConnectionSlot>,
    is_stopping: watch::Receiver<bool>,
) {
    // An answer is small, and should not wait for more to be sent with it (Nagle's algorithm).
    let _ = stream.set_nodelay(true);
    let stream = WriteTimeoutStream::new(stream, limits.write_time, Arc::clone(&slot));
    let Some(tls) = tls else {
        return answer_requests(stream, router, limits, slot, is_stopping).await;
    };
    match timeout(limits.head_time, tls.acceptor().accept(stream)).await {
        Ok(Ok(stream)) => answer_requests(stream, router, limits, slot, is_stopping).await,
        Ok(Err(error)) => tracing::debug!(%error, "a handshake failed"),
        Err(_) => tracing::debug!("a handshake took too long"),
    }
}

async fn answer_requests(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    limits: &Limits,
    slot: Arc<ConnectionSlot>,
    mut is_stopping: watch::Receiver<bool>,
) {
    let router = TowerToHyperService::new(router);
    let stopping = IsStopping(is_stopping.clone());
    let router = service_fn(move |mut request: Request<Incoming>| {
        let is_without_token = slot.record_request();
        request.extensions_mut().insert(Arc::clone(&slot));
        request.extensions_mut().insert(stopping.clone());
        let (answered, slot) = (router.call(request), Arc::clone(&slot));
        async move {
            if is_without_token {
                // A connection may send many requests at once. Without the pause, all of them would
                // be answered before the next connection has its turn.
                yield_now().await;
            }
            let response = answered.await;
            if is_without_token {
                slot.record_answer();
            }
            response
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .serve_connection(TokioIo::new(stream), router);
    let mut connection = pin!(connection);
    let stopped = async { drop(is_stopping.wait_for(|stopping| *stopping).await) };
    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = stopped => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection was interrupted");
    }
}
