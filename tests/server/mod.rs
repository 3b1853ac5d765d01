//! The server: its tools over a connection, and its store.

mod activity;
mod blobs;
mod blobs_crashes;
pub(crate) mod connections;
pub(crate) mod dry_run;
pub(crate) mod families;
pub(crate) mod family_admin;
mod family_limits;
pub(crate) mod firing;
mod firing_claims;
mod firing_plan;
mod firing_simulation;
mod firing_store;
pub(crate) mod guides;
pub(crate) mod heartbeats;
pub(crate) mod heartbeats_describe;
pub(crate) mod heartbeats_refusals;
pub(crate) mod heartbeats_roles;
pub(crate) mod hostile;
pub(crate) mod idempotency;
mod inbox;
pub(crate) mod lists;
mod names_in_errors;
pub(crate) mod panics;
pub(crate) mod refusals;
mod resources;
mod response_model;
#[cfg(unix)]
mod runner_command;
mod runner_webhook;
#[cfg(target_os = "linux")]
mod safety;
pub(crate) mod schemas;
mod sessions;
pub(crate) mod skills;
mod store_blobs;
pub(crate) mod store_changes;
pub(crate) mod store_conformance;
mod store_copy;
pub(crate) mod store_files;
mod store_postgres;
mod store_runs;
mod store_skill_runs;
mod store_versions;
mod subscriptions;
mod subscriptions_of_clients;
mod subscriptions_of_servers;
