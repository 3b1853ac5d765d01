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
use dibber_text::{escape_line, message, quote_in_full};

/// Returns what named a server, in words. A path in it is not escaped.
pub(super) fn source_words(source: &ServerSource) -> String {
    match source {
        ServerSource::Argument => "--server".to_owned(),
        ServerSource::Environment => SERVER_VARIABLE.to_owned(),
        ServerSource::Project(path) => format!("{}, of this project", path.display()),
        ServerSource::User(path) => format!("{}, yours", path.display()),
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
            let source = escape_line(&source_words(&source)).into_owned();
            CommandError::new(cause.to_string()).with_context(&source).help(help)
        }
        SelectionError::ConfigFile { path, cause } => configuration::file_error(&path, cause),
        SelectionError::Config(error) => configuration::shown(&error, privacy),
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
    let help = match kind {
        ConfigProblemKind::TrustedInProject => {
            "only you say whom you trust: move it to `dibber/dibber.toml` in your configuration \
             folder"
                .to_owned()
        }
        ConfigProblemKind::ServersInProject => {
            "a project does not choose which programs run: move it to `dibber/dibber.toml` in your \
             configuration folder"
                .to_owned()
        }
        ConfigProblemKind::Command(error) => command_help(*error).to_owned(),
        ConfigProblemKind::Header(_) => "write it as `headers = { X-Api-Key = \"…\" }`".to_owned(),
        ConfigProblemKind::LocalAsNamed => {
            "write a URL, or remove the table: `--server local` needs none".to_owned()
        }
        ConfigProblemKind::LintInUserFile => {
            "move it to the `dibber.toml` of a project; here, only `[server]` counts".to_owned()
        }
        ConfigProblemKind::Server(error) => url_help(error),
        ConfigProblemKind::TokenFileOutside => {
            "name it with `--token-file`, or put `[server]` in your own configuration: a project \
             does not choose which of your files is sent"
                .to_owned()
        }
        ConfigProblemKind::Untrusted { url, .. } => format!(
            "if you trust it, say so with `--server {url}`, or with `trusted = [\"{}\"]` in \
             `[server]` of {}",
            url.origin(),
            user_config.map_or_else(|| "your own configuration".to_owned(), escape_path),
        ),
    };
    let mut error = ConfigError::new(file, *span, message![quote_in_full(&kind.to_string())])
        .help(message![quote_in_full(&help)]);
    // The line would show a password in an address, or the value of a header.
    let is_secret = match kind {
        ConfigProblemKind::Server(error) => error.may_contain_password,
        ConfigProblemKind::Header(_) | ConfigProblemKind::Command(_) => true,
        _ => false,
    };
    if is_secret {
        error.excerpt = None;
    }
    configuration::shown(&error, privacy)
}

/// Returns the help for a server in a file, which is a URL or `local`.
fn url_help(error: &ServerNameError) -> String {
    if let Some(suggestion) = &error.suggestion {
        format!("did you mean `{suggestion}`?")
    } else {
        let local = ServerSuggestion::Local;
        format!("write `{local}`, or an address such as `https://example.org/mcp`")
    }
}

fn name_help(error: &ServerNameError) -> String {
    if let Some(suggestion) = &error.suggestion {
        return format!("did you mean `{suggestion}`?");
    }
    let local = ServerSuggestion::Local;
    match &error.cause {
        ServerNameCause::Command(error) => command_help(*error).to_owned(),
        ServerNameCause::Unusable(_) => {
            "define it in a table `[servers.NAME]` of your own `dibber.toml`; `dibber servers` \
             lists what is configured"
                .to_owned()
        }
        ServerNameCause::Unknown(known) if !known.is_empty() => {
            format!("configured are `{}`; or write a URL, or `{local}`", known.join("`, `"))
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
            "put it in single quotes if it is meant as it is, or write `stdio:sh -c '…'`"
        }
        _ => "write it as in a shell: `stdio:npx -y some-server`",
    }
}

fn of_credential(error: CredentialError) -> CommandError {
    let message = error.to_string();
    match error {
        CredentialError::Read { path, cause } => {
            CommandError::io(format_args!("cannot read {}", escape_path(&path)), cause)
        }
        CredentialError::NotRegular(_) => CommandError::new(message),
        CredentialError::NotPrivate(path) => {
            CommandError::new(message).help(format!("run `chmod 600 {}`", escape_path(&path)))
        }
        CredentialError::Invalid(_) => CommandError::new(message)
            .help("a token is one line of letters, digits and signs, without spaces"),
    }
}

fn escape_path(path: &Path) -> String {
    escape_line(&path.to_string_lossy()).into_owned()
}
