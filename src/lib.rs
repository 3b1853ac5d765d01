//! x
pub mod config;
pub mod diagnostic;
pub mod discover;
pub mod lint;
pub mod report;
pub mod skill;
pub mod text;
