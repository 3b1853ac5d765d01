//! The integration tests, as one binary. A new file under `tests/` is a `mod` line here.

mod baseline;
mod config;
mod rules;
mod support;
mod waivers;
