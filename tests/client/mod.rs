//! Connections, retries and the journal, against servers and networks that fail.

pub(crate) mod any_server;
pub(crate) mod any_server_heartbeats;
pub(crate) mod crash;
pub(crate) mod faults;
pub(crate) mod heartbeat_workflow;
pub(crate) mod histories;
pub(crate) mod interrupted;
pub(crate) mod interrupted_plan;
pub(crate) mod journal;
pub(crate) mod lost_answers;
pub(crate) mod once;
pub(crate) mod plan_faults;
pub(crate) mod publish;
pub(crate) mod publish_workflow;
pub(crate) mod pull_workflow;
pub(crate) mod retry_safety;
pub(crate) mod timeouts;
pub(crate) mod two_machines;
pub(crate) mod two_writers;
