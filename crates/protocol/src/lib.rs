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
//! | 0 | `secret_pattern` | one secret, in every form in which it is printed | I/O |
//! | 1 | `secret_mask` | what a run says, without the values of its secrets | I/O |
//! | 1 | `skill` | one skill, from its directory | |
//! | 1 | `arguments` | the arguments of a run, checked with a schema | I/O |
//! | 2 | `secrets` | the values of secrets, from the file of the owner | showing a value |
//! | 2 | `requirements` | the packages that a skill needs | |
//! | 3 | `plan` | what is checked before a run | running it |
//! | 2 | `guide` | the built-in skill that explains the protocol to models | I/O |
//! | 3 | `registry` | the skills of some directories: finding, listing, describing and reading them | |
//! | 4 | `outcome` | the result of a run | I/O |

mod arguments;
mod guide;
mod outcome;
mod plan;
mod refusal;
mod registry;
mod requirements;
mod secret_mask;
mod secret_pattern;
mod secrets;
mod skill;

pub use dibber_text::folder::FileError;
pub use guide::{GUIDE_NAME, guide};
pub use outcome::{FinishedRun, LOGS_PREVIEW_BYTES_MAX, finish_run, sandbox_refusal};
pub use plan::{INPUT_BYTES_MAX, MOUNTED_SKILLS_MAX, RunPlan, plan_code, plan_skill};
pub use registry::{
    CHECK_INTERVAL, Index, IndexProblem, ProblemEffect, Registry, Root, SKILL_FILE_BYTES_MAX,
};
pub use secrets::{SECRETS_FILE_NAME, SecretStore, SecretsError};
pub use skill::{LoadError, LoadErrorKind, ProtocolSkill};
