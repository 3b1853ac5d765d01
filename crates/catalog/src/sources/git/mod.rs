//! Skills of a git repository, through the git of the system.

mod command;
mod repository;
mod tree;

pub use repository::GitSource;
