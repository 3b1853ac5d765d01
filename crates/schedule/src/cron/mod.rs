//! Cron expressions of five fields, as Debian's cron reads them.
//!
//! An expression is text and sets of numbers. It knows neither dates nor time zones.

mod error;
mod expression;
mod field;
mod field_name;
mod item;
mod parse;

pub use error::CronError;
pub use expression::{Cron, JobKind};
pub(crate) use field::Field;
pub use field_name::FieldName;
pub(crate) use parse::{CRON_BYTES_MAX, is_nickname, nickname_meaning};
