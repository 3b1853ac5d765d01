//! The wire types of the Skills Protocol: the parameters and results of its eight methods, and its
//! errors.
//!
//! The protocol has two levels of errors: a call that is refused is an [`RpcError`], and a skill that
//! ran and failed is a [`Run`] like any other. What other servers leave out has a default.

mod blobs;
mod discovery;
mod encoded_content;
mod error;
mod method;
mod mime;
mod runs;

pub use blobs::{
    BLOB_PREFIX, BlobContent, BlobCreated, BlobMode, CreateBlob, Encoding, READ_BLOB_BYTES_DEFAULT,
    ReadBlob,
};
pub use discovery::{
    DescribeDetail, DescribeSkill, DescribedSkill, Guide, LIST_ITEMS_DEFAULT, LIST_ITEMS_MAX,
    ListDetail, ListSkills, ReadSkillFile, SkillDescription, SkillFile, SkillListItem, SkillsPage,
};
pub use encoded_content::{EncodedContent, InvalidContent};
pub use error::{RpcCode, RpcError, RpcErrorData, RpcReason};
pub use method::ProtocolMethod;
pub use mime::{InvalidMime, Mime};
pub use runs::{
    CODE_ENTRYPOINT_DEFAULT, ExecuteSkill, Language, RUN_SECONDS_MAX, Run, RunCode, RunFailure,
    RunLimits, RunStatus,
};
