//! Skills of the Skills Protocol on disk: finding them, reading their files, and running them.
//!
//! What arrives is the parameters of a method
//! ([`dibber_skill::contract::skills_protocol`]), and what returns is its result or an
//! [`RpcError`](dibber_skill::contract::skills_protocol::RpcError), so that a server and a command on
//! the same machine do the same.
//!
//! | floor | module | contents | never |
//! |---|---|---|---|
//! | 0 | `refusal` | messages as errors of JSON-RPC | I/O |
//! | 0 | `skill_files` | opening files beneath the directory of a skill | following links |
//! | 1 | `skill` | one skill, from its directory | |
//! | 2 | `guide` | the built-in skill that explains the protocol to models | I/O |
//! | 3 | `registry` | the skills of some directories: finding, listing, describing and reading them | |

mod guide;
mod refusal;
mod registry;
mod skill;
mod skill_files;

pub use guide::{GUIDE_NAME, guide};
pub use registry::{
    CHECK_INTERVAL, Index, IndexProblem, ProblemEffect, Registry, Root, SKILL_FILE_BYTES_MAX,
};
pub use skill::{LoadError, LoadErrorKind, ProtocolSkill};
pub use skill_files::FileError;
