//! A file on its way into an archive.

/// A file as it is written.
pub(super) struct Packed<'a> {
    pub(super) name: String,
    pub(super) mode: u32,
    pub(super) bytes: &'a [u8],
}
