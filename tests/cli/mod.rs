//! The commands, as they are run.

mod acp_browse;
mod acp_command;
#[cfg(unix)]
mod acp_proxy;
mod added_commands;
pub(crate) mod call_content;
pub(crate) mod catalog_commands;
pub(crate) mod client_commands;
mod completions;
mod config_command;
pub(crate) mod conflicts;
mod damaged_rows;
mod database_command;
mod diff;
pub(crate) mod doctor_command;
pub(crate) mod dry_run;
mod edit;
#[cfg(unix)]
mod edited_names;
#[cfg(unix)]
mod edited_titles;
#[cfg(unix)]
mod everyday_answers;
pub(crate) mod family_command;
mod forged_lines;
pub(crate) mod heartbeat_command;
pub(crate) mod heartbeat_export;
mod heartbeat_names;
mod heartbeat_paused;
pub(crate) mod heartbeat_remote;
mod heartbeat_runs;
mod inbox_command;
pub(crate) mod isolation;
pub(crate) mod journal_command;
mod json_errors;
pub(crate) mod lint_command;
pub(crate) mod lint_fixes;
pub(crate) mod lint_paths;
pub(crate) mod lint_reports;
pub(crate) mod lint_since;
mod lint_waivers;
mod lint_watch;
pub(crate) mod login_command;
mod long_calls;
pub(crate) mod markdown;
pub(crate) mod moves;
mod names_children;
pub(crate) mod names_command;
pub(crate) mod names_cut;
pub(crate) mod names_escaped;
pub(crate) mod names_hidden;
pub(crate) mod new;
pub(crate) mod other_commands;
#[cfg(unix)]
mod pack_command;
mod pages;
pub(crate) mod program_servers;
pub(crate) mod project_files;
mod protocol_answers;
mod protocol_commands;
mod protocol_hostile;
mod pull_failures;
mod pull_heartbeats;
#[cfg(unix)]
mod pull_links;
mod pull_untrusted;
pub(crate) mod push;
#[cfg(unix)]
pub(crate) mod push_at_a_terminal;
mod push_heartbeats;
#[cfg(unix)]
mod push_interrupted;
pub(crate) mod reference;
mod round_trips;
mod run_command;
mod run_starts;
#[cfg(unix)]
mod runs_command;
mod safety;
mod scheduled_names;
mod schema_command;
mod schema_tools;
mod secrets_hidden;
mod secrets_in_other_files;
mod secrets_in_results;
pub(crate) mod serve;
#[cfg(unix)]
mod serve_crashes;
#[cfg(target_os = "linux")]
mod serve_disk_full;
#[cfg(unix)]
mod serve_once;
#[cfg(unix)]
mod serve_site;
#[cfg(unix)]
mod serve_skill_queue;
mod serve_skill_runs;
mod serve_skills;
pub(crate) mod server_choice;
mod sign_in;
mod skill_names;
mod skill_update;
#[cfg(unix)]
pub(crate) mod spoken_names;
mod status_health;
mod suggested_commands;
pub(crate) mod tour;
mod unreadable_items;
mod watch_command;
mod wrong_invocations;
