//! A stream whose peer has to read: if it reads nothing of an answer for too long, the connection
//! is closed, and no further request is read from it meanwhile.
//!
//! `hyper` has a time limit for the head of a request, but none for writing, and goes on reading
//! pipelined requests while their answers wait in memory.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::connection_slots::ConnectionSlot;

/// A stream with a limit on how long a write may wait.
pub(super) struct WriteTimeoutStream {
    stream: TcpStream,
    write_time: Duration,
    /// When the write that is waiting has waited too long.
    deadline: Option<Pin<Box<Sleep>>>,
    /// The task to wake when reading may go on.
    reader: Option<Waker>,
    /// The slot of the connection, until all that was sent first is read.
    slot: Option<Arc<ConnectionSlot>>,
    has_read: bool,
}

impl WriteTimeoutStream {
    pub(super) fn new(stream: TcpStream, write_time: Duration, slot: Arc<ConnectionSlot>) -> Self {
        let slot = Some(slot);
        Self { stream, write_time, deadline: None, reader: None, slot, has_read: false }
    }

    /// Starts the timer when a write has to wait, and stops it when some of it was taken.
    fn limit_wait<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            if let Some(reader) = self.reader.take() {
                reader.wake();
            }
            return written;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(self.write_time)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for WriteTimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.deadline.is_some() {
            self.reader = Some(context.waker().clone());
            return Poll::Pending;
        }
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.has_read = true;
        } else if self.has_read
            && let Some(slot) = self.slot.take()
        {
            slot.record_all_read();
        }
        read
    }
}

impl AsyncWrite for WriteTimeoutStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit_wait(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limit_wait(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
