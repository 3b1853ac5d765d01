//! Adding skills to an agent: what passes between an editor and an agent, line by line, without I/O.

mod conductor;
mod edit;
mod expand;
mod machine;
mod message;
mod proxy_skill;
mod session;

pub use conductor::Conductor;
pub use machine::{AgentLines, Proxy};
pub use message::LINE_BYTES_MAX;
pub use proxy_skill::{ProxySkill, ReadBody};
