//! Connections: how many, how long, and how they end.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::{CONNECTIONS_MAX, HEAD_TIME, STOP_TIME};

/// How long to wait when nothing can be accepted, because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections until it is to stop, and lets those that are in use come to their end.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send,
) {
    let mut stop = pin!(stop);
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let (stopping, is_stopping) = watch::channel(false);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = &mut stop => break,
            (stream, place) = accept(&listener, &room) => {
                let (router, is_stopping) = (router.clone(), is_stopping.clone());
                connections.spawn(async move {
                    answer(stream, router, is_stopping).await;
                    drop(place);
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
    drop(listener);
    stopping.send_replace(true);
    let all = async { while connections.join_next().await.is_some() {} };
    if timeout(STOP_TIME, all).await.is_err() {
        let left = connections.len();
        tracing::warn!(connections = left, "requests in flight took too long and were cut off");
    }
}

/// Accepts a connection once there is a place for it.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> (TcpStream, OwnedSemaphorePermit) {
    let place = Arc::clone(room).acquire_owned().await.expect("nobody closes it");
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, place),
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Tells whether it was the other side that failed.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}

/// Answers the requests of one connection.
async fn answer(stream: TcpStream, router: Router, mut is_stopping: watch::Receiver<bool>) {
    // An answer is small and should not wait for more to send with it.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
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
        tracing::debug!(%error, "a connection broke off");
    }
}
