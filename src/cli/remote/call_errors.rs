//! The messages and exit codes of calls that failed.

use std::io::{self, IsTerminal};

use serde_json::Value;

use super::client_state::STATE_VARIABLE;
use super::command_words;
use super::no_skills;
use super::rpc_refusals;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_client::{Address, ClientError, JournalError, PageUrl};
use dibber_server::store::OpenError;
use dibber_skill::contract::{
    ErrorCode, IDEMPOTENCY_CONFLICT, Issue, SCOPE_MISSING, SKILL_CHANGED, ToolError, WireEnum,
};
use dibber_text::{
    Message, message, quote, quote_argument, quote_display, quote_in_full, quote_indented,
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
    let shown = CommandError::new(quote_indented(&error.to_string())).exit(exit_of(error));
    let shown = match error {
        ClientError::Refused(error) => {
            let served = serde_json::to_value(error).expect("strings and JSON");
            let shown = shown.with_server_error(served);
            match details(error) {
                lines if lines.is_empty() => shown,
                lines => shown.excerpt(Message::join(lines, "\n")),
            }
        }
        ClientError::RpcRefused(refusal) => {
            let shown = shown.with_server_error(refusal.to_json());
            match issue_lines(&refusal.issues()) {
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
        message![quote_indented(message), " (", quote_in_full(&codes), ")"]
    } else {
        message![quote_indented(&format!("{codes}: {message}"))]
    }
}

fn help_for(error: &ClientError) -> Option<Message> {
    match error {
        ClientError::TokenInClear(url) => Some(message![quote_in_full(&tunnel_help(url))]),
        ClientError::PageRequired { pages, .. } => Some(message![quote_in_full(&page_help(pages))]),
        ClientError::Refused(refusal) => refusal_help(refusal),
        ClientError::RpcRefused(refusal) => Some(rpc_refusals::help(refusal)),
        ClientError::MayBeCreated { items, entry } => Some(may_be_created_help(items, entry)),
        ClientError::NoSkills { .. } => Some(no_skills::help()),
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

/// Returns what to do about a heartbeat that may have been created. A skill that may have been is
/// linked instead: its push says so.
fn may_be_created_help(items: &[String], entry: &str) -> Message {
    let discard = message!["`dibber journal discard ", quote_in_full(entry), "`"];
    match items {
        [] => message![
            "if the server itself shows it, cancel it there; then run ",
            discard,
            " and the same command again"
        ],
        [only] => message![
            "`dibber heartbeat cancel ",
            quote_argument(only),
            "` and then the same command make it again; if ",
            quote_in_full(only),
            " is another one, run ",
            discard,
            " and then the same command"
        ],
        [_, _, ..] => message![
            "`dibber heartbeat list` shows them: cancel the new one with `dibber heartbeat cancel \
             ID`; if it is none of them, run ",
            discard,
            "; then run the same command again"
        ],
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

#[expect(clippy::too_many_lines, reason = "it is a table with a row for each error")]
fn fixed_help(error: &ClientError) -> &'static str {
    match error {
        ClientError::Failed { may_have_applied: true, .. } => {
            "this message is from the tool, which may have changed something before it failed"
        }
        ClientError::Failed { .. } => "this message is from the tool",
        ClientError::NotApplied(_) => "this message is from the tool; nothing was changed",
        ClientError::Rejected(_) => "this message is from the server; nothing was changed",
        ClientError::UnknownMethod(_) => {
            "the server lacks this part of the protocol; nothing was changed"
        }
        ClientError::Unauthorized => {
            "set DIBBER_TOKEN, or name a file with `--token-file`; on the computer of a dibber server, \
             `dibber family token --output token.txt` makes a new token"
        }
        ClientError::Refused(_)
        | ClientError::RpcRefused(_)
        | ClientError::TokenInClear(_)
        | ClientError::PageRequired { .. }
        | ClientError::NoSkills { .. }
        | ClientError::MayBeCreated { .. } => "",
        ClientError::NoTool(_) => {
            "`dibber tools` lists the tools; a token may not permit all of them"
        }
        ClientError::NoPreview => {
            "a push shows the server's preview first; `dibber call skill_write` publishes without one"
        }
        ClientError::Unreachable(_) => {
            "`dibber status` shows the selected server; nothing was changed"
        }
        ClientError::AnswerLost(_) => "nothing was changed; run the same command again",
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
            "run the same command again: it makes the change if it is not in effect, and nothing is \
             created twice"
        }
        ClientError::MayBeCreatedLater(_) => {
            "wait a minute, and run the same command again: it looks for what was created before it \
             sends anything"
        }
        ClientError::MayBePosted(_) => {
            "look for it where the skill posts its results; if it is not there, run the same \
             command again"
        }
        ClientError::Protocol(_) => "`dibber status` shows the selected server",
        ClientError::TooManySkills { .. } => {
            "`dibber skill link PATH SKILL` names the skill of the server that a folder is; \
             `dibber push --new PATH` publishes a new one; nothing was changed"
        }
        ClientError::SkillAppeared(_)
        | ClientError::SkillChanged(_)
        | ClientError::HeartbeatChanged(_) => "run the same command again to see what has changed",
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
            shown.help("the call has ended; `dibber journal discard` removes its entry")
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
        ClientError::RpcRefused(refusal) => rpc_refusals::exit_of(refusal),
        ClientError::SkillAppeared(_)
        | ClientError::SkillChanged(_)
        | ClientError::HeartbeatChanged(_) => Exit::BadInput,
        ClientError::NoSkills { .. } => Exit::NotFound,
        ClientError::Unauthorized | ClientError::PageRequired { .. } => Exit::PermissionDenied,
        ClientError::NoTool(_) | ClientError::NoPreview | ClientError::TokenInClear(_) => {
            Exit::Usage
        }
        ClientError::Failed { may_have_applied: false, .. }
        | ClientError::NotApplied(_)
        | ClientError::Rejected(_)
        | ClientError::UnknownMethod(_)
        | ClientError::Unreachable(_)
        | ClientError::NoAnswer(_)
        | ClientError::AnswerLost(_)
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
        | ClientError::MayBeCreatedLater(_)
        | ClientError::MayBeCreated { .. } => Exit::OutcomeUnknown,
    }
}

impl From<JournalError> for CommandError {
    fn from(error: JournalError) -> Self {
        journal_error(&error)
    }
}

/// Returns the details of an error, a line each. A single issue is left out: the message
/// shows it already.
fn details(error: &ToolError) -> Vec<Message> {
    let Some(Value::Object(details)) = &error.details else { return Vec::new() };
    let mut lines = Vec::new();
    for (name, value) in details {
        match serde_json::from_value::<Vec<Issue>>(value.clone()) {
            Ok(issues) if name == "issues" => {
                lines.extend(issue_lines(unshown_issues(error, &issues)));
            }
            _ => {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                lines.push(message!["  ", quote_in_full(name), ": ", quote(&value)]);
            }
        }
    }
    lines
}

/// Returns the issues that the message of the error and its help do not show already.
fn unshown_issues<'a>(error: &ToolError, issues: &'a [Issue]) -> &'a [Issue] {
    let is_shown =
        |issue: &Issue| error.message.starts_with(&issue.message) && error.fix == issue.fix;
    match issues {
        [_] => &[],
        [first, others @ ..] if is_shown(first) => others,
        all => all,
    }
}

/// Returns a line for each issue.
fn issue_lines(issues: &[Issue]) -> Vec<Message> {
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
