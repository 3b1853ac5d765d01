//! The integration tests, as one binary. A new file under `tests/` is a `mod` line here.

mod parsing;
mod recovery;
mod repairs;
mod rules;
mod second_opinion;
mod support;
