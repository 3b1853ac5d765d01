//! The integration tests, as one binary. A new file under `tests/` is a `mod` line here.

mod architecture;
mod baseline;
mod command;
mod config;
mod heartbeat;
mod heartbeat_conflicts;
mod hostile;
mod limits;
mod lint_command;
mod lint_fixes;
mod lint_paths;
mod lint_since;
mod one_fault;
mod other_commands;
mod parsing;
mod properties;
mod recovery;
mod reference;
mod repairs;
mod reports;
mod reports_of_hostile_text;
mod rules;
mod second_opinion;
mod secrets;
mod support;
mod waivers;
