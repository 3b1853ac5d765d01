//! A proxy that breaks what passes through it, between a client and a server over HTTP.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What happens to one request.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The connection is reset before anything is read.
    Refuse,
    /// The server gets that many bytes of the request, and the client no answer.
    Request(usize, End),
    /// The client gets that many bytes of the reply.
    Reply(usize, End),
    /// That byte of the request is not valid UTF-8.
    CorruptRequest(usize),
    /// That byte of the reply is not valid UTF-8.
    CorruptReply(usize),
    /// The reply declares a length that much greater than its own, and ends.
    Longer(usize),
    /// The server gets the request twice.
    Twice,
    /// The proxy answers itself, with that status and `Retry-After`.
    Status(u16, Option<String>),
}

/// How a connection continues after the last byte.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// It is reset.
    Reset,
    /// It is closed.
    Close,
    /// Nothing more comes.
    Stall,
}

/// What happens to the requests that come, one after the other; those after the last pass.
#[derive(Clone, Default)]
pub(crate) struct Plan(Arc<Mutex<VecDeque<Option<Fault>>>>);

impl Plan {
    /// What is to happen from now on.
    pub(crate) fn set(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        *self.0.lock().expect("no panic") = faults.into_iter().collect();
    }

    /// Returns `true` if everything has happened.
    pub(crate) fn is_over(&self) -> bool {
        self.0.lock().expect("no panic").is_empty()
    }

    fn next(&self) -> Option<Fault> {
        self.0.lock().expect("no panic").pop_front().flatten()
    }
}

/// The lengths of the requests and replies that passed whole, in bytes.
pub(crate) type Lengths = Arc<Mutex<Vec<(usize, usize)>>>;

/// A proxy before a server. When it is dropped, no client can connect any more.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    pub(crate) plan: Plan,
    pub(crate) lengths: Lengths,
    accepting: JoinHandle<()>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Proxy {
    pub(crate) async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (plan, lengths) = (Plan::default(), Lengths::default());
        let (for_all, seen) = (plan.clone(), lengths.clone());
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (plan, lengths) = (for_all.clone(), seen.clone());
                // A connection that breaks is what this is for.
                tokio::spawn(async move { drop(pass(client, server, &plan, &lengths).await) });
            }
        });
        Self { address, plan, lengths, accepting }
    }
}

async fn pass(
    mut client: TcpStream,
    server: SocketAddr,
    plan: &Plan,
    lengths: &Lengths,
) -> io::Result<()> {
    client.set_nodelay(true)?;
    let mut upstream = TcpStream::connect(server).await?;
    upstream.set_nodelay(true)?;
    while let Some(mut request) = message(&mut client).await? {
        let fault = plan.next();
        match &fault {
            Some(Fault::Refuse) => return end(client, End::Reset).await,
            Some(Fault::Status(status, retry_after)) => {
                let retry_after =
                    retry_after.iter().map(|after| format!("retry-after: {after}\r\n"));
                let head: String = retry_after.collect();
                let reply = format!("HTTP/1.1 {status} No\r\n{head}content-length: 0\r\n\r\n");
                client.write_all(reply.as_bytes()).await?;
                continue;
            }
            Some(Fault::Request(at, how)) => {
                upstream.write_all(&request[..*at.min(&request.len())]).await?;
                // A client that waits for the rest does not learn at once that it does not come.
                if !matches!(how, End::Stall) {
                    drop(upstream);
                }
                return end(client, *how).await;
            }
            Some(Fault::CorruptRequest(at)) => corrupt(&mut request, *at),
            Some(Fault::Twice) => {
                let mut other = TcpStream::connect(server).await?;
                other.write_all(&request).await?;
                upstream.write_all(&request).await?;
                message(&mut other).await?;
            }
            _ => {}
        }
        if !matches!(fault, Some(Fault::Twice)) {
            upstream.write_all(&request).await?;
        }
        let Some(mut reply) = message(&mut upstream).await? else { return Ok(()) };
        match fault {
            Some(Fault::Reply(at, how)) => {
                client.write_all(&reply[..at.min(reply.len())]).await?;
                return end(client, how).await;
            }
            Some(Fault::Longer(by)) => {
                client.write_all(&lengthened(&reply, by)).await?;
                return Ok(());
            }
            Some(Fault::CorruptReply(at)) => corrupt(&mut reply, at),
            _ => {}
        }
        lengths.lock().expect("no panic").push((request.len(), reply.len()));
        client.write_all(&reply).await?;
    }
    Ok(())
}

async fn end(client: TcpStream, how: End) -> io::Result<()> {
    match how {
        End::Reset => client.set_zero_linger(),
        End::Close => Ok(()),
        End::Stall => {
            // The client goes away first.
            let mut client = client;
            client.read_to_end(&mut Vec::new()).await.map(drop)
        }
    }
}

/// A byte that UTF-8 never contains.
fn corrupt(bytes: &mut [u8], at: usize) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte = 0xFF;
    }
}

/// One message of HTTP/1.1 with its body; none when the other side has hung up.
pub(crate) async fn message(from: &mut TcpStream) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if from.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    };
    let length = content_length(&bytes[..head]).map_or(0, |(_, length)| length);
    while bytes.len() < head + length {
        if from.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
    Ok(Some(bytes))
}

/// The position and value of `Content-Length` in a head.
fn content_length(head: &[u8]) -> Option<(std::ops::Range<usize>, usize)> {
    const NAME: &str = "content-length: ";
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let start = head.find(NAME)? + NAME.len();
    let end = start + head[start..].find('\r')?;
    Some((start..end, head[start..end].parse().ok()?))
}

fn lengthened(reply: &[u8], by: usize) -> Vec<u8> {
    let (range, length) = content_length(reply).expect("a reply with a length");
    [&reply[..range.start], (length + by).to_string().as_bytes(), &reply[range.end..]].concat()
}
