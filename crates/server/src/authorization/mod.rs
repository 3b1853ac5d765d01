//! The server as its own authorization server: which client may do what for whom.
//!
//! The rules of the requests are in `dibber-authorization`. Here are the flows, each step in one
//! transaction:
//!
//! | step | module |
//! |---|---|
//! | a client registers, or is described by a document | `clients` |
//! | a person signs in with a link, and has a session in a browser | `sign_in` |
//! | the person allows what a client asks for: the client gets a code, or its device does | `codes`, `devices` |
//! | the client gets tokens for the code, and new ones for the token that gets others | `tokens` |
//! | the person looks at grants, narrows and revokes them | `grants` |
//!
//! Of every secret, only the digest is stored.

pub(crate) mod clients;
mod codes;
pub(crate) mod devices;
mod documents;
pub(crate) mod error;
pub(crate) mod grants;
pub(crate) mod secret;
pub(crate) mod settings;
pub(crate) mod sign_in;
mod start;
mod tokens;
