//! Skills of the Skills Protocol on disk: finding them, reading their files, and running them.
//!
//! What arrives is the parameters of a method
//! ([`dibber_skill::contract::skills_protocol`]), and what returns is its result or an
//! [`RpcError`](dibber_skill::contract::skills_protocol::RpcError), so that a server and a command on
//! the same machine do the same.
//!
//! | floor | module | contents | never |
//! |---|---|---|---|
