//! `dibber login`.

use std::time::Duration;

use clap::{ArgMatches, Args, Command as ClapCommand};
use jiff::Timestamp;
use tokio::runtime::Runtime;

use super::error::command_error;
use super::{browser, pasted};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::server_options::{self, SelectedServer};
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::sign_in::{
    AnswerListener, AuthorizationServer, DeviceSignIn, RegisteredClient, SignInError,
    SignInRequest, SignInStore, StoredSignIn, discover, register,
};
use dibber_client::{Address, CertificateAuthority, ServerTarget};
use dibber_text::{message, quote_display, quote_in_full};

pub(in crate::cli::remote) const COMMAND: Command = Command { name: "login", define, run };

/// How long the browser is waited for.
const BROWSER_WAIT: Duration = Duration::from_mins(10);
/// Where a browser would be sent back to, for a client that registers without one.
const PORTLESS_REDIRECT: &str = "http://127.0.0.1/callback";

/// Sign in to a server with a browser
///
/// Opens the page of the server on which you allow what dibber may do for you, and keeps the token in
/// a file that only you can read, below your state directory. It is renewed by itself. Later commands
/// for the same `--server` use it, unless `DIBBER_TOKEN`, `--token-file` or a `token-file` is set.
/// The address of the page is printed, too: open it yourself if no browser opens. If the browser is
/// on another computer, it ends at an address that it cannot open; copy that here, or use `--device`.
#[derive(Args)]
struct LoginArgs {
    /// Ask for this scope only, such as `skill:read` (can be repeated)
    #[arg(long, value_name = "SCOPE")]
    scope: Vec<String>,
    /// Show a code to type on another device, such as a phone
    #[arg(long)]
    device: bool,
    /// Print the address of the page, and open no browser
    #[arg(long)]
    no_browser: bool,
    /// The id of this program, at a server where programs cannot register themselves
    #[arg(long, value_name = "ID")]
    client_id: Option<String>,
}

fn define(command: ClapCommand) -> ClapCommand {
    server_options::define(LoginArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: LoginArgs = parse_args(matches);
    let server = server_options::select(matches)?;
    let (url, authority) = url_of(&server)?;
    if let ServerTarget::Url { credential: Some(credential), .. } = &server.selection.target {
        ui.warning(message![
            "the token from ",
            quote_display(&credential.source),
            " is used, and not the sign-in, while it is set"
        ]);
    }
    Interrupt::watch()?;
    let store = server.state.sign_ins();
    let runtime = runtime()?;
    let signed_in = runtime.block_on(async {
        let found = discover(url, authority.cloned(), server.timeout).await?;
        sign_in(found.with_scopes(&arguments.scope), &arguments, &store, ui).await
    });
    let stored = signed_in.map_err(|error| command_error(&error))?;
    store.set(url, &stored).map_err(|error| command_error(&error))?;
    report(&server, &stored, ui);
    Ok(Exit::Done)
}

/// Returns the address of the server; an error if it has none, so that nobody can sign in to it.
pub(super) fn url_of(
    server: &SelectedServer,
) -> Result<(&Address, Option<&CertificateAuthority>), CommandError> {
    match &server.selection.target {
        ServerTarget::Url { url, authority, .. } => Ok((url, authority.as_ref())),
        ServerTarget::Local { .. } | ServerTarget::Program { .. } => {
            Err(CommandError::new("the selected server runs on this computer and needs no sign-in")
                .help("name another one with `--server URL`"))
        }
    }
}

pub(super) fn runtime() -> Result<Runtime, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| CommandError::io("cannot start", error))
}

async fn sign_in(
    server: AuthorizationServer,
    arguments: &LoginArgs,
    store: &SignInStore,
    ui: &mut Ui,
) -> Result<StoredSignIn, SignInError> {
    let known = match &arguments.client_id {
        Some(id) => Some(RegisteredClient::with_id(id.clone())),
        None => store.client_of(server.issuer()),
    };
    if arguments.device {
        let client = match known {
            Some(client) => client,
            None if server.offers_device_codes() => register(&server, PORTLESS_REDIRECT).await?,
            None => return Err(SignInError::Unsupported("codes for devices")),
        };
        return with_device(DeviceSignIn::begin(server, client).await?, ui).await;
    }
    let listener = AnswerListener::bind(known.as_ref().and_then(RegisteredClient::port)).await?;
    let redirect_uri = listener.redirect_uri();
    let client = match known {
        Some(client) => client,
        None => register(&server, &redirect_uri).await?,
    };
    let request = SignInRequest::new(server, client, redirect_uri)?;
    with_browser(&request, listener, !arguments.no_browser, ui).await
}

/// Sends the browser to the server, and waits until it is sent back.
async fn with_browser(
    request: &SignInRequest,
    listener: AnswerListener,
    opens: bool,
    ui: &mut Ui,
) -> Result<StoredSignIn, SignInError> {
    let url = request.url();
    let page: Option<Address> = url.parse().ok().filter(|_| opens);
    let is_open = page.is_some_and(|page| browser::open(&page));
    ui.eprintln(if is_open {
        "a browser opens with this page; if it does not, open it yourself:"
    } else {
        "open this page in a browser:"
    });
    // As it is: a changed address does not work. A closed stream changes nothing.
    let _ = ui.print(format!("{url}\n").as_bytes());
    let mut pasted = ui.can_ask().then(pasted::lines);
    if pasted.is_some() {
        ui.eprintln("if the browser ends at an address that it cannot open, paste that here:");
        ui.eprint_prompt("> ");
    }
    let mut answered = std::pin::pin!(listener.wait(|answer| request.check(answer)));
    let mut too_late = std::pin::pin!(tokio::time::sleep(BROWSER_WAIT));
    let code = loop {
        let line = async {
            match &mut pasted {
                Some(lines) => lines.recv().await,
                None => None,
            }
        };
        tokio::select! {
            answer = &mut answered => break answer?,
            () = &mut too_late => return Err(SignInError::NoAnswer),
            Some(line) = line => match request.check(&line) {
                Ok(code) => break code,
                Err(error @ SignInError::WrongAnswer(_)) => {
                    ui.error(&command_error(&error));
                    ui.eprint_prompt("> ");
                }
                Err(error) => return Err(error),
            },
        }
    };
    code.exchange(Timestamp::now()).await
}

/// Shows a code, and waits until it is typed.
async fn with_device(device: DeviceSignIn, ui: &mut Ui) -> Result<StoredSignIn, SignInError> {
    let page = device.page().to_string();
    ui.eprintln(message![
        "open this page on any device, and type the code ",
        quote_in_full(device.user_code()),
        ":"
    ]);
    let _ = ui.print(format!("{page}\n").as_bytes());
    device.wait(Timestamp::now).await
}

fn report(server: &SelectedServer, stored: &StoredSignIn, ui: &mut Ui) {
    let scopes = stored.scopes().join(", ");
    let allowed = if scopes.is_empty() { String::new() } else { format!("; allowed: {scopes}") };
    ui.eprintln(message!["signed in to ", quote_in_full(server.name()), quote_in_full(&allowed)]);
    if !stored.is_renewable() {
        ui.warning("the server gives no way to renew the token: sign in again when it expires");
    }
}
