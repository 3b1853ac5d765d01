//! A reader that ends with an error where an archive becomes too large.

use std::io::{self, Read};

use dibber_text::{Message, message};

use super::problem::ArchiveLimits;

/// The bytes up to which any ratio is accepted (4 MiB): short files may repeat a line many times.
const ANY_RATIO_BYTES: u64 = 4 << 20;

/// The bytes of headers and padding for each entry of a tar file.
const OVERHEAD_BYTES: u64 = 2048;

/// Reads what is unpacked, up to the limits of an archive.
pub(super) struct Bounded<R> {
    inner: R,
    read: u64,
    bounds: Bounds,
    exceeded: Option<Message>,
}

/// How many bytes an archive may become.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    bytes: u64,
    overhead: u64,
    ratio_bytes: u64,
    ratio: u64,
}

impl Bounds {
    /// Returns the bounds of an archive with so many bytes.
    pub(super) fn new(limits: ArchiveLimits, packed_bytes: usize) -> Self {
        let ratio_bytes = limits.ratio_max.saturating_mul(packed_bytes as u64);
        Self {
            bytes: limits.contents.bytes_max,
            overhead: OVERHEAD_BYTES * limits.entries_max as u64,
            ratio_bytes: ratio_bytes.max(ANY_RATIO_BYTES),
            ratio: limits.ratio_max,
        }
    }

    /// Returns why an archive must not become so many bytes, of which some are headers.
    pub(super) fn check(self, bytes: u64, overhead: u64) -> Option<Message> {
        if bytes > self.bytes.saturating_add(overhead) {
            return Some(message!["unpacks to more than ", self.bytes >> 20, " MiB"]);
        }
        (bytes > self.ratio_bytes)
            .then(|| message!["unpacks to more than ", self.ratio, " times its size"])
    }
}

impl<R: Read> Bounded<R> {
    pub(super) fn new(inner: R, bounds: Bounds) -> Self {
        Self { inner, read: 0, bounds, exceeded: None }
    }

    /// Returns which limit has ended it, if one has.
    pub(super) fn exceeded(&self) -> Option<&Message> {
        self.exceeded.as_ref()
    }

    pub(super) fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read += read as u64;
        self.exceeded = self.bounds.check(self.read, self.bounds.overhead);
        if self.exceeded.is_some() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(read)
    }
}
