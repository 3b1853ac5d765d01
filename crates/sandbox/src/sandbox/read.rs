//! Reading what a run writes: all of it, but keeping a bounded part.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// What was read, as far as it was kept.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) bytes: Vec<u8>,
    pub(super) dropped: u64,
}

impl Kept {
    /// Removes what the bytes begin with, and returns `true` if they began with it.
    pub(super) fn remove_prefix(&mut self, prefix: &[u8]) -> bool {
        let has_prefix = self.bytes.starts_with(prefix);
        if has_prefix {
            self.bytes.drain(..prefix.len());
        }
        has_prefix
    }
}

/// Reads to the end and keeps the first bytes. A writer is never blocked by a full pipe.
pub(super) async fn read_all(
    mut stream: impl AsyncRead + Unpin,
    bytes_max: usize,
) -> io::Result<Kept> {
    let mut kept = Kept::default();
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let length = stream.read(&mut buffer).await?;
        if length == 0 {
            return Ok(kept);
        }
        let room = length.min(bytes_max - kept.bytes.len());
        kept.bytes.extend_from_slice(&buffer[..room]);
        kept.dropped += (length - room) as u64;
    }
}
