//! The journal: a small file for each write whose outcome is not known yet.
//!
//! The file is on the disk before the first byte is sent. A write that is begun again, after a
//! crash or a lost answer, finds it and is sent with the same key, so that it takes effect once.
//!
//! Two writes are the same only if they also start from the same state: after a lost answer and
//! other changes in between, the same arguments are another write, with another key. Several
//! entries of one subject can exist only until the next write of that subject, which was planned
//! from the state after the earlier ones, and therefore replaces them.

mod directory;
mod disk;
mod entry;
mod entry_name;
mod intent;
mod operation;
mod repeated;

pub use directory::Journal;
pub use entry::{Unfinished, UnfinishedDetails};
pub use intent::{BegunBy, Intent, Repeat};
pub use operation::Operation;
