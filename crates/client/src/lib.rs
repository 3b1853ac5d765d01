//! The client: a connection to a server, and calls of its tools.
//!
//! A [`Client`] connects at its first call. Whether a call is repeated when its answer is lost is
//! its [`RetrySafety`]: a call with side effects is repeated only if the tool is idempotent or the
//! server honours its [`IdempotencyKey`]. The [`Journal`] does the same across runs of the
//! program.
//!
//! | subject | items |
//! |---|---|
//! | which server, and as whom | [`ServerRequest`], [`ServerSelection`], [`ServerTarget`], [`Address`], [`ServerCommand`], [`Credential`], [`CertificateAuthority`], [`Header`] |
//! | signing in | [`sign_in`] |
//! | the connection | [`Client`], [`Endpoint`], [`Options`], [`Host`], [`Question`], [`UserRequest`], [`PageUrl`], [`Cancellation`], [`ServerInfo`] |
//! | what a server offers | [`ToolInfo`], [`ResourceInfo`], [`PromptInfo`], [`Listed`] |
//! | calls and their answers | [`ToolResult`], [`Content`], [`ClientError`], [`Retry`], [`RetrySafety`] |
//! | what changes on a server | [`Watcher`], [`WatchEvent`], [`ResourceChange`], [`ResourceNews`] |
//! | writes that happen once | [`RecordedServer`], [`IdempotencyKey`], [`Journal`], [`DryRun`] |
//! | skills and heartbeats of a directory | [`publish`] |
//! | sites: reading what is there, with limits | [`Downloader`], [`Downloaded`] |
//! | skills whose files are resources | [`skills_extension`] |
//! | sites: reading what is there, with limits | [`Downloader`], [`Downloaded`], [`fetch_index`], [`fetch_skill`], [`check_skills`] |
//! | servers of the Skills Protocol, which is not MCP | [`skills_protocol`], [`RpcRefusal`] |

mod address;
mod cancellation;
mod catalog;
mod certificate_authority;
mod change;
mod client;
mod command_line;
mod concurrent;
mod connect;
mod connection;
mod content;
mod creation;
mod credential;
mod deadline;
mod download;
mod dry_run;
mod endpoint;
mod error;
mod exchange;
mod failure;
mod handler;
mod header;
mod host;
mod http;
mod http_client;
mod inbox;
mod input_rounds;
mod journal;
mod key;
mod late_effect;
mod listing;
mod options;
mod outermost;
mod page_url;
mod process;
mod program_output;
pub mod publish;
mod recorded_server;
mod retry;
mod retry_safety;
mod rpc_error;
mod rpc_refusal;
mod secret_forms;
mod secrets;
mod selection;
mod sent_form;
mod short_hash;
pub mod sign_in;
pub mod skills_extension;
pub mod skills_protocol;
mod stored_form;
mod token;
mod tool_info;
mod tool_result;
mod typed;
mod unreadable_item;
mod watch;
mod well_known;

pub use address::{Address, AddressError};
pub use cancellation::Cancellation;
pub use catalog::{FilledPrompt, PromptArgument, PromptInfo, ResourceContents, ResourceInfo};
pub use certificate_authority::{CertificateAuthority, CertificateAuthorityError};
pub use client::Client;
pub use command_line::{CommandLineError, ServerCommand};
pub use connection::ServerInfo;
pub use content::{Blob, BlobKind, Content, NotBase64, ResourceLink};
pub use credential::{Credential, CredentialError, TOKEN_VARIABLE, TokenSource};
pub use download::{Downloaded, Downloader};
pub use dry_run::{DryRun, PREVIEW_DIFFERS, UNKNOWN_DECISION};
pub use endpoint::Endpoint;
pub use error::{ClientError, JournalError};
pub use header::{Header, HeaderError};
pub use host::{Answer, Host, Progress, Question, UserRequest};
pub use journal::{BegunBy, Intent, Journal, Operation, Repeat, Unfinished, UnfinishedDetails};
pub use key::IdempotencyKey;
pub use listing::Listed;
pub use options::{Options, TIMEOUT_DEFAULT};
pub use page_url::PageUrl;
pub use process::OnLine;
pub use recorded_server::RecordedServer;
pub use retry::Retry;
pub use retry_safety::{DeclaredKeys, KeySupport, RetrySafety};
pub use rpc_refusal::RpcRefusal;
pub use selection::{
    ClientFile, ClientServerProblem, ConfigProblem, ConfigProblemKind, ConfiguredServer,
    ConfiguredTransport, FileOwner, LOCAL_SERVER, SERVER_VARIABLE, SelectionError, ServerNameCause,
    ServerNameError, ServerRequest, ServerSelection, ServerSource, ServerSuggestion, ServerTarget,
};
pub use stored_form::text_in_form_of;
pub use token::Token;
pub use tool_info::ToolInfo;
pub use tool_result::ToolResult;
pub use unreadable_item::UnreadableItem;
pub use watch::{ResourceChange, ResourceNews, WatchEvent, Watcher};
pub use well_known::{FetchedIndex, SiteError, check_skills, fetch_index, fetch_skill};
