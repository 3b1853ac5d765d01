//! The characters that identify heartbeats in a picture.

/// The most heartbeats that one picture shows; each has its own mark.
pub const DRAWN_MAX: usize = 35;

/// The marks of heartbeats, in order.
const MARKS: &[u8; DRAWN_MAX] = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Returns the mark of a heartbeat.
pub(super) const fn mark(index: usize) -> char {
    MARKS[index] as char
}
