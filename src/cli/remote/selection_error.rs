//! How a command shows that no server can be selected.

use std::path::Path;

use crate::cli::error::CommandError;
use crate::cli::lint::configuration;
use dibber_client::{
    CommandLineError, ConfigProblem, ConfigProblemKind, CredentialError, SERVER_VARIABLE,
    SelectionError, ServerNameCause, ServerNameError, ServerSource, ServerSuggestion,
};
use dibber_lint::Privacy;
use dibber_skill::config::ConfigError;
use dibber_text::{Message, message, quote_display, quote_in_full, quote_path};

/// The help for a file without a token.
const TOKEN_HELP: &str = "name the file with the token of the server; on the computer of a dibber server, `dibber family \
     token --output FILE` writes one";

/// Returns what named a server, in words. A path in it is not escaped.
pub(super) fn source_words(source: &ServerSource) -> String {
    match source {
        ServerSource::Argument => "--server".to_owned(),
        ServerSource::Environment => SERVER_VARIABLE.to_owned(),
        ServerSource::Project(path) => format!("{} (project)", path.display()),
        ServerSource::User(path) => format!("{} (user)", path.display()),
        ServerSource::Default => "default".to_owned(),
    }
}

/// Converts an error; `user_config` is the path of the user's own configuration.
pub(super) fn to_command_error(
    error: SelectionError,
    user_config: Option<&Path>,
    privacy: Privacy<'_>,
) -> CommandError {
    match error {
        SelectionError::Server { source, cause } => {
            let help = name_help(&cause);
            CommandError::new(quote_display(cause))
                .with_context(quote_in_full(&source_words(&source)))
                .help(quote_in_full(&help))
        }
        SelectionError::ConfigFile { path, cause } => configuration::file_error(&path, cause),
        SelectionError::Config(error) => configuration::config_error(&error, privacy),
        SelectionError::Problem(problem) => of_problem(&problem, user_config, privacy),
        SelectionError::Credential(error) => of_credential(error),
    }
}

fn of_problem(
    problem: &ConfigProblem,
    user_config: Option<&Path>,
    privacy: Privacy<'_>,
) -> CommandError {
    let ConfigProblem { file, span, kind } = problem;
    let help: Message = match kind {
        ConfigProblemKind::TrustedInProject => {
            "only you say whom you trust: move it to `dibber/dibber.toml` in your configuration \
             folder"
                .into()
        }
        ConfigProblemKind::ServersInProject
        | ConfigProblemKind::SafetyInProject
        | ConfigProblemKind::RunnerInProject
        | ConfigProblemKind::SandboxInProject => {
            "a project does not choose which programs run: move it to `dibber/dibber.toml` in your \
             configuration folder"
                .into()
        }
        ConfigProblemKind::SkillsInProject => {
            "a project does not choose which code a server runs: move it to `dibber/dibber.toml` in your \
             configuration folder, or start the server with `--skills`"
                .into()
        }
        ConfigProblemKind::Command(error) => command_help(*error).into(),
        ConfigProblemKind::Authority(_) => "name a PEM file with the certificate of the authority that \
             has signed the server's, or with the server's own"
            .into(),
        ConfigProblemKind::Header(_) => "write it as `headers = { X-Api-Key = \"…\" }`".into(),
        ConfigProblemKind::LocalAsNamed => {
            "write a URL, or remove the table: `--server local` needs none".into()
        }
        ConfigProblemKind::LintInUserFile => {
            "move it to the `dibber.toml` of a project; this file can only have `[server]`, `[servers]`, \
             `[safety]`, `[runner]` and `[sandbox]`"
                .into()
        }
        ConfigProblemKind::Server(error) => url_help(error),
        ConfigProblemKind::TokenFileOutside => {
            "name it with `--token-file`, or put `[server]` in your own configuration: a project \
             does not choose which of your files is sent"
                .into()
        }
        ConfigProblemKind::Untrusted { url, .. } => message![
            "if you trust it, add `--server ",
            quote_display(url),
            "`, or `trusted = [\"",
            quote_display(url.origin()),
            "\"]` in `[server]` of ",
            user_config.map_or_else(|| "your own configuration".into(), quote_path),
        ],
    };
    let mut error = ConfigError::new(file, *span, quote_display(kind)).help(help);
    // The line would show a password in an address, or the value of a header.
    let is_secret = match kind {
        ConfigProblemKind::Server(error) => error.may_contain_password,
        ConfigProblemKind::Header(_) | ConfigProblemKind::Command(_) => true,
        _ => false,
    };
    if is_secret {
        error.line = None;
    }
    configuration::config_error(&error, privacy)
}

/// Returns the help for a server in a file, which is a URL or `local`.
fn url_help(error: &ServerNameError) -> Message {
    if let Some(suggestion) = &error.suggestion {
        message!["did you mean `", quote_display(suggestion), "`?"]
    } else {
        let local = ServerSuggestion::Local;
        message![
            "write `",
            quote_display(local),
            "`, or an address such as `https://example.org/mcp`"
        ]
    }
}

fn name_help(error: &ServerNameError) -> String {
    if let Some(suggestion) = &error.suggestion {
        return format!("did you mean `{suggestion}`?");
    }
    let local = ServerSuggestion::Local;
    match &error.cause {
        ServerNameCause::Command(error) => command_help(*error).into(),
        ServerNameCause::Unusable(_) => {
            "define it in a table `[servers.NAME]` of your own `dibber.toml`; `dibber servers` \
             lists what is configured"
                .to_owned()
        }
        ServerNameCause::Unknown(known) if !known.is_empty() => {
            format!(
                "the configured servers are `{}`; or write a URL, or `{local}`",
                known.join("`, `")
            )
        }
        _ => format!(
            "write `{local}`, an address such as `https://example.org/mcp`, `stdio:COMMAND`, or the \
             name of a table `[servers.NAME]` in your own `dibber.toml`"
        ),
    }
}

fn command_help(error: CommandLineError) -> &'static str {
    match error {
        CommandLineError::ShellSyntax(_) => {
            "put it in single quotes if it is meant literally, or write `stdio:sh -c '…'`"
        }
        _ => "write it as in a shell: `stdio:npx -y some-server`",
    }
}

fn of_credential(error: CredentialError) -> CommandError {
    let message = quote_display(&error);
    match error {
        CredentialError::Read { path, cause } => {
            CommandError::io(message!["cannot read ", quote_path(&path)], cause).help(TOKEN_HELP)
        }
        CredentialError::NotRegular(_) => CommandError::new(message).help(TOKEN_HELP),
        CredentialError::NotPrivate(path) => {
            CommandError::new(message).help(message!["run `chmod 600 ", quote_path(&path), "`"])
        }
        CredentialError::Invalid(_) => CommandError::new(message)
            .help("a token is one line of letters, digits and signs, without spaces"),
    }
}
