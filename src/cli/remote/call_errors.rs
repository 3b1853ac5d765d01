//! The messages and exit codes of calls that failed.

use std::io::{self, IsTerminal};

use serde_json::Value;

use super::client_state::STATE_VARIABLE;
use super::command_words;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_client::publish::{LockFileError, LockFileErrorKind, LockKey, PublishError};
use dibber_client::{Address, ClientError, JournalError, PageUrl};
use dibber_server::store::sqlite::OpenError;
use dibber_skill::contract::{
    ErrorCode, IDEMPOTENCY_CONFLICT, Issue, SCOPE_MISSING, SKILL_CHANGED, ToolError, WireEnum,
};
use dibber_skill::discover::{from_current_directory, shown_path};
use dibber_text::{
    Message, message, quote, quote_argument, quote_display, quote_in_full, quote_lines,
};

/// The most issues of a call that are shown one by one.
const ISSUES_SHOWN_MAX: usize = 20;

/// The ports below this one can only be used by the administrator of a computer.
const PORTS_RESERVED: u16 = 1024;
/// What is added to a reserved port for one that can be used.
const PORT_OFFSET: u16 = 8000;

/// Returns `true` if the token may not use the tool.
pub(super) fn is_scope_missing(error: &ClientError) -> bool {
    matches!(error, ClientError::Refused(error) if error.reason.as_deref() == Some(SCOPE_MISSING))
}

/// Converts a failed call to the error that is shown.
pub(super) fn call_error(error: &ClientError) -> CommandError {
    let shown = CommandError::new(quote_lines(&error.to_string())).exit(exit_of(error));
    let shown = match error {
        ClientError::Refused(error) => {
            let served = serde_json::to_value(error).expect("strings and JSON");
            let shown = shown.with_server_error(served);
            match details(error) {
                lines if lines.is_empty() => shown,
                lines => shown.excerpt(Message::join(lines, "\n")),
            }
        }
        _ => shown,
    };
    match help_for(error) {
        Some(help) => shown.help(help),
        None => shown,
    }
}

/// Converts a failed call of a command, which its user knows by the command and not by the tool.
pub(super) fn command_error(error: &ClientError) -> CommandError {
    let ClientError::Refused(refusal) = error else { return call_error(error) };
    let served = serde_json::to_value(refusal).expect("strings and JSON");
    let in_words = command_words::of_commands(refusal);
    let message = refusal_message(&in_words);
    let error = ClientError::Refused(Box::new(in_words));
    call_error(&error).with_message(message).with_server_error(served)
}

/// Returns the message of a refusal. Its codes come first for programs, which search for them, and
/// last at a terminal.
pub(super) fn refusal_message(refusal: &ToolError) -> Message {
    let ToolError { code, reason, message, .. } = refusal;
    let codes = [Some(code.name()), reason.as_deref()];
    let codes = codes.into_iter().flatten().collect::<Vec<_>>().join(" ");
    if io::stderr().is_terminal() {
        message![quote_lines(message), " (", quote_in_full(&codes), ")"]
    } else {
        message![quote_lines(&format!("{codes}: {message}"))]
    }
}

fn help_for(error: &ClientError) -> Option<Message> {
    match error {
        ClientError::TokenInClear(url) => Some(message![quote_in_full(&tunnel_help(url))]),
        ClientError::PageRequired { pages, .. } => Some(message![quote_in_full(&page_help(pages))]),
        ClientError::Refused(refusal) => refusal_help(refusal),
        _ => Some(fixed_help(error).into()),
    }
}

fn refusal_help(refusal: &ToolError) -> Option<Message> {
    match refusal.reason.as_deref() {
        Some(IDEMPOTENCY_CONFLICT) => Some(
            "check whether it took effect; if it did not, discard its entry, which `dibber journal \
             list` shows, and run the same command again"
                .into(),
        ),
        Some(SKILL_CHANGED) => Some("run the same command again to see what has changed".into()),
        _ if refusal.fix.is_empty() => None,
        _ => Some(message![quote_in_full(&refusal.fix)]),
    }
}

/// Returns what to do about a call for which a page has to be opened. The page is never opened by
/// this program: the user decides whether to trust its host.
fn page_help(pages: &[PageUrl]) -> String {
    let addresses: Vec<_> =
        pages.iter().map(|url| format!("{url} (of `{}`)", url.host())).collect();
    match &addresses[..] {
        [] => "the server sends no valid address of the page; nothing was changed".to_owned(),
        addresses => format!(
            "open {} and run the same command again; nothing was changed",
            addresses.join(" and ")
        ),
    }
}

/// Returns the command that makes a connection to another computer private.
fn tunnel_help(url: &Address) -> String {
    let (host, port, path) = (url.host(), url.port(), url.path());
    let own_port = if port < PORTS_RESERVED { port + PORT_OFFSET } else { port };
    format!(
        "use an address that begins with `https://`; or run `ssh -L {own_port}:localhost:{port} {host}` \
         in another terminal, and write `http://localhost:{own_port}{path}`"
    )
}

fn fixed_help(error: &ClientError) -> &'static str {
    match error {
        ClientError::Failed { may_have_applied: true, .. } => {
            "this message is from the tool, which may have changed something before it failed"
        }
        ClientError::Failed { .. } => "this message is from the tool",
        ClientError::Rejected(_) => "this message is from the server; nothing was changed",
        ClientError::UnknownMethod(_) => {
            "the server lacks this part of the protocol; nothing was changed"
        }
        ClientError::Unauthorized => {
            "set DIBBER_TOKEN, or name a file with `--token-file`; on the computer of a dibber server, \
             `dibber family token --output token.txt` makes a new token"
        }
        ClientError::Refused(_)
        | ClientError::TokenInClear(_)
        | ClientError::PageRequired { .. } => "",
        ClientError::NoTool(_) => {
            "`dibber tools` lists the tools; a token may not permit all of them"
        }
        ClientError::Unreachable(_) => {
            "`dibber status` shows the selected server; nothing was changed"
        }
        ClientError::NoAnswer(_) => "`--timeout SECONDS` waits longer; nothing was changed",
        ClientError::InvalidCertificate(_) => {
            "if its certificate is your own, name the file with it, or with the certificate \
             authority that has signed it, as `ca-file` in its table `[servers.NAME]` of your own \
             `dibber.toml`, or in SSL_CERT_FILE, or add that to the certificates of this computer; \
             nothing was sent"
        }
        ClientError::EncryptionExpected => {
            "write `https://` instead of `http://` in its address; nothing was changed"
        }
        ClientError::NotEncrypted(_) => {
            "write `http://` instead of `https://` in its address if it is on this computer, or \
             check the port; nothing was sent"
        }
        ClientError::TooManyRequests(_) => {
            "wait, and run the same command again; nothing was changed"
        }
        ClientError::OutcomeUnknown(_) => {
            "run the same command again; it resumes with the same idempotency key, so it takes \
             effect once"
        }
        ClientError::MayBePosted(_) => {
            "look for it where the skill posts its results; if it is not there, run the same \
             command again"
        }
        ClientError::MayBeCreated { .. } => {
            "`dibber skill link PATH SKILL` says which skill of the server a folder is; if it is none \
             of them, `dibber journal discard` forgets the call"
        }
        ClientError::Protocol(_) => "`dibber status` shows the selected server",
        ClientError::TooManySkills { .. } => {
            "`dibber skill link PATH SKILL` names the skill of the server that a folder is; \
             `dibber push --new PATH` publishes a new one; nothing was changed"
        }
        ClientError::SkillChanged(_) | ClientError::HeartbeatChanged(_) => {
            "run the same command again to see what has changed"
        }
        ClientError::MayBeDamaged(_) => {
            "it stays as it is, and so does what is recorded of it; if it is a server of dibber, \
             `dibber doctor --database` on its computer lists what is damaged"
        }
    }
}

/// Converts an error of the database, with what to do about it.
pub(super) fn open_error(error: &OpenError) -> CommandError {
    CommandError::new(quote_display(error)).help(error.help()).exit(Exit::Failed)
}

/// Converts an error of the journal, with what to do next as the help.
pub(super) fn journal_error(error: &JournalError) -> CommandError {
    let shown = CommandError::new(quote_display(error));
    match error {
        JournalError::TooOld { id, .. } | JournalError::Unreadable { id, .. } => {
            shown.exit(Exit::OutcomeUnknown).help(message![
                "check whether it took effect, with `dibber skill list` or `dibber heartbeat \
                 list`; then `dibber journal discard ",
                quote_in_full(id),
                "`, and run the command again if it did not"
            ])
        }
        JournalError::Io { .. } => shown.help(message![
            "nothing was sent; the journal is in your state directory: make it writable, or set ",
            quote_in_full(STATE_VARIABLE),
            " to another directory"
        ]),
        JournalError::NotRemoved { .. } => {
            shown.help("the call has ended; the same command resumes it, and nothing happens twice")
        }
    }
}

/// Returns the exit code of a call that failed.
pub(super) fn exit_of(error: &ClientError) -> Exit {
    match error {
        ClientError::Refused(error) => match error.code {
            ErrorCode::BadInput => Exit::BadInput,
            ErrorCode::PermissionDenied => Exit::PermissionDenied,
            ErrorCode::DomainNotFound => Exit::NotFound,
            ErrorCode::InternalError => Exit::Failed,
        },
        ClientError::SkillChanged(_) | ClientError::HeartbeatChanged(_) => Exit::BadInput,
        ClientError::Unauthorized | ClientError::PageRequired { .. } => Exit::PermissionDenied,
        ClientError::NoTool(_) | ClientError::TokenInClear(_) => Exit::Usage,
        ClientError::Failed { may_have_applied: false, .. }
        | ClientError::Rejected(_)
        | ClientError::UnknownMethod(_)
        | ClientError::Unreachable(_)
        | ClientError::NoAnswer(_)
        | ClientError::InvalidCertificate(_)
        | ClientError::EncryptionExpected
        | ClientError::NotEncrypted(_)
        | ClientError::TooManyRequests(_)
        | ClientError::Protocol(_)
        | ClientError::TooManySkills { .. }
        | ClientError::MayBeDamaged(_) => Exit::Failed,
        ClientError::Failed { .. }
        | ClientError::OutcomeUnknown(_)
        | ClientError::MayBePosted(_)
        | ClientError::MayBeCreated { .. } => Exit::OutcomeUnknown,
    }
}

impl From<JournalError> for CommandError {
    fn from(error: JournalError) -> Self {
        journal_error(&error)
    }
}

impl From<PublishError> for CommandError {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Call(error) => command_error(&error),
            PublishError::Journal(error) => error.into(),
            PublishError::Lock(error) => error.into(),
            PublishError::NotReplaced { cancelled, cause } => {
                let id = quote_in_full(cancelled.as_str());
                let context =
                    message!["the old one was cancelled (", id, "), and the new one was not made"];
                Self::from(*cause).with_context(context)
            }
            PublishError::Restored { heartbeat_id, not_paused, cause } => {
                let id = quote_in_full(heartbeat_id.as_str());
                let context =
                    message!["the new one was not made, and the old one is back (", id, ")"];
                let Some(why) = not_paused else {
                    return Self::from(*cause).with_context(context);
                };
                let id = quote_in_full(heartbeat_id.as_str());
                let help = message!["it fires; `dibber heartbeat pause ", id, "` pauses it"];
                let context =
                    message![context, ", but is not paused (", quote_display(&why), ")"];
                Self::from(*cause).with_context(context).help(help)
            }
            PublishError::NotCancelled(_) => Self::new(quote_display(&error))
                .help("it still fires; cancel it on the server itself, or pause it")
                .exit(Exit::Failed),
            PublishError::NotArchived { ref skill_id, archival } => {
                let verb = archival.verb();
                let id = quote_in_full(skill_id.as_str());
                Self::new(quote_display(&error))
                    .help(message![
                        "`dibber skill get ",
                        id,
                        "` shows what the server has; ",
                        verb,
                        " it on the server itself"
                    ])
                    .exit(Exit::Failed)
            }
            PublishError::UnlistedHeartbeat(_) => Self::new(quote_display(&error))
                .help("`dibber heartbeat list` shows what it has; run the same command again")
                .exit(Exit::Failed),
            PublishError::MissingSkill(_) => Self::new(quote_display(&error))
                .help("`dibber skill list` shows what it has; run the same command again")
                .exit(Exit::Failed),
            PublishError::ChangedSinceCreation(_) => Self::new(quote_display(&error))
                .help("run the same command again to compare it with sprout.yaml")
                .exit(Exit::BadInput),
            PublishError::NotVerified { .. } => Self::new(quote_display(&error))
                .help("run the same command again to compare what the server has with the files")
                .exit(Exit::Failed),
            PublishError::PulledMeanwhile { ref directory, .. } => {
                Self::new(quote_display(&error)).help(unlink_help(directory)).exit(Exit::BadInput)
            }
            PublishError::NotPaused { created, cause } => {
                let id = quote_in_full(created.as_str());
                let help = message!["it fires; `dibber heartbeat pause ", id, "` pauses it"];
                let context = message!["the new one was made (", id, "), but is not paused"];
                Self::from(*cause).with_context(context).help(help)
            }
            PublishError::StoredDifferently { .. } | PublishError::IgnoredHeartbeat { .. } => Self::new(
                quote_display(&error),
            )
            .help(
                "`dibber diff` shows what the server has; change it there, or take it over with \
                     `dibber pull --force`",
            )
            .exit(Exit::Failed),
        }
    }
}

/// Returns what to do about a skill of an interrupted push that another folder is linked to.
fn unlink_help(directory: &LockKey) -> Message {
    let path = shown_path(&from_current_directory(directory.skill_directory()));
    message![
        "`dibber skill unlink ",
        quote_argument(&path),
        "`, and then the same command; of the two folders, remove one"
    ]
}

impl From<LockFileError> for CommandError {
    fn from(error: LockFileError) -> Self {
        let shown = Self::new(quote_display(&error));
        match error.kind {
            LockFileErrorKind::Invalid(error) => shown.help(error.help),
            LockFileErrorKind::Read(_)
            | LockFileErrorKind::NotUtf8
            | LockFileErrorKind::Write(_) => shown,
            LockFileErrorKind::Locked(_) => shown.help(
                "end the other dibber process, which may be stopped or asking a question, and run \
                 the same command again",
            ),
        }
    }
}

/// Returns the details of an error, a line each. A single issue is left out: the message
/// shows it already.
fn details(error: &ToolError) -> Vec<Message> {
    let Some(Value::Object(details)) = &error.details else { return Vec::new() };
    let mut lines = Vec::new();
    for (name, value) in details {
        match serde_json::from_value::<Vec<Issue>>(value.clone()) {
            Ok(issues) if name == "issues" => lines.extend(issue_lines(error, &issues)),
            _ => {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                lines.push(message!["  ", quote_in_full(name), ": ", quote(&value)]);
            }
        }
    }
    lines
}

/// Returns a line for each issue that the message of the error and its help do not show already.
fn issue_lines(error: &ToolError, issues: &[Issue]) -> Vec<Message> {
    let is_shown =
        |issue: &Issue| error.message.starts_with(&issue.message) && error.fix == issue.fix;
    let issues = match issues {
        [_] => return Vec::new(),
        [first, others @ ..] if is_shown(first) => others,
        all => all,
    };
    let shown = issues.iter().take(ISSUES_SHOWN_MAX).map(|issue| {
        let Issue { path, message, fix, .. } = issue;
        let path = if path.is_empty() { "/" } else { path };
        let (path, message, fix) =
            (quote_in_full(path), quote_in_full(message), quote_in_full(fix));
        message!["  ", path, ": ", message, "; ", fix]
    });
    let mut lines: Vec<Message> = shown.collect();
    if issues.len() > ISSUES_SHOWN_MAX {
        lines.push(message!["  and ", issues.len() - ISSUES_SHOWN_MAX, " more"]);
    }
    lines
}
