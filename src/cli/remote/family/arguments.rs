//! The arguments of `dibber family`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};
use jiff::Span;

use crate::cli::flags::{DryRun, Yes};
use crate::cli::output::Output;
use dibber_server::Issuer;
use dibber_server::families::HOME;
use dibber_skill::contract::{Scope, UserId, WireEnum};

/// The URL at which `dibber serve` is reached, unless it is started with others.
const PUBLIC_URL_DEFAULT: &str = "http://127.0.0.1:7340";

/// Manage the family of the server in this program
///
/// Skills must not contain the names of its children; skills and heartbeats refer to its canvases
/// and grown-ups. A family other than `home` is created when a grown-up, a child or a canvas is
/// added to it.
#[derive(Args)]
#[command(disable_help_subcommand = true)]
pub(super) struct FamilyArgs {
    #[command(subcommand)]
    pub(super) action: Action,

    /// Another family of the same database
    #[arg(long, value_name = "NAME", default_value = HOME, global = true)]
    pub(super) family: String,

    /// The directory of the database of the server in this program
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(super) enum Action {
    /// Show the family: ids, ages and canvases, but no name of a child
    Show {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    AddChild(ChildArgs),
    AddMember(MemberArgs),
    AddCanvas(CanvasArgs),
    ArchiveSkill(ArchiveArgs),
    Token(TokenArgs),
    Invite(InviteArgs),
    Grants(GrantsArgs),
}

/// Add a child; skills that contain its name are refused from then on
///
/// Without a name, it is asked for. This program masks it in every skill and finding; agents whose token has
/// the scope `family:read` get it with the tool `family_query_overview`.
#[derive(Args)]
pub(super) struct ChildArgs {
    /// The date of birth, such as 2019-04-30
    #[arg(long, value_name = "DATE")]
    pub(super) born: String,

    /// The name, or `-` to read it from standard input; a name that is typed here stays in the
    /// history of your shell
    #[arg(value_name = "NAME", conflicts_with = "name")]
    pub(super) words: Vec<String>,

    /// The same as NAME
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Add a grown-up
#[derive(Args)]
pub(super) struct MemberArgs {
    /// The name of the grown-up
    pub(super) name: String,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Add a canvas that skills can link
#[derive(Args)]
pub(super) struct CanvasArgs {
    /// The name of the canvas
    pub(super) name: String,

    /// An emoji for it
    #[arg(long, value_name = "EMOJI")]
    pub(super) emoji: Option<String>,

    /// The ages that it is for, such as 5-7; skills cannot link a canvas without them
    #[arg(long, value_name = "AGES")]
    pub(super) ages: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Archive a skill, so that it can no longer be run
///
/// A skill that a heartbeat runs is not archived; cancel the heartbeat first.
#[derive(Args)]
pub(super) struct ArchiveArgs {
    /// The id of the skill, or its label
    pub(super) skill: String,

    #[command(flatten)]
    pub(super) yes: Yes,

    #[command(flatten)]
    pub(super) dry_run: DryRun,
}

/// Issue, list or revoke tokens for `dibber serve`
///
/// A client with a token may do what its scopes allow, in the name of the grown-up. A token
/// cannot be shown again.
#[expect(clippy::struct_excessive_bools, reason = "flags as typed")]
#[derive(Args)]
#[command(
    group = ArgGroup::new("action").args(["output", "list", "revoke", "revoke_all"]).required(true),
    override_usage = "dibber family token [OPTIONS] <--output|--list|--revoke|--revoke-all>"
)]
pub(super) struct TokenArgs {
    /// The id of the grown-up; the default is the one who founded the family
    #[arg(long, value_name = "ID", conflicts_with_all = ["list", "revoke"])]
    pub(super) member: Option<UserId>,

    /// A scope of the token, such as `skill:read` (can be repeated); the default is every scope
    #[arg(long, value_name = "SCOPE", value_parser = scope, requires = "output")]
    pub(super) scope: Vec<Scope>,

    /// A name for the token, which `--list` shows
    #[arg(long, value_name = "NAME", requires = "output")]
    pub(super) name: Option<String>,

    /// How long the token is valid, such as 30d, 12h or 1y; the default is until it is revoked
    #[arg(long, value_name = "TIME", value_parser = span, requires = "output")]
    pub(super) expires: Option<Span>,

    /// Issue a token, and write it to a file that only you will be able to read; `-` prints it
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<Output>,

    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    pub(super) force: bool,

    /// List the tokens of the family: ids, names, scopes and times, but no secret
    #[arg(long)]
    pub(super) list: bool,

    /// Print the list as JSON
    #[arg(long, requires = "list")]
    pub(super) json: bool,

    /// Revoke the token with this id (can be repeated)
    #[arg(long, value_name = "ID")]
    pub(super) revoke: Vec<String>,

    /// Revoke every token of the grown-up, including that of `dibber serve`
    #[arg(long)]
    pub(super) revoke_all: bool,
}

/// Print a link with which a grown-up signs in to the pages of `dibber serve`
///
/// The link works once, within 15 minutes. In the browser, the grown-up sees which agents are connected, and
/// allows or refuses what they ask for.
#[derive(Args)]
pub(super) struct InviteArgs {
    /// The id of the grown-up; the default is the one who founded the family
    #[arg(value_name = "ID")]
    pub(super) member: Option<UserId>,

    /// The URL at which browsers reach the server
    #[arg(long, value_name = "URL", default_value = PUBLIC_URL_DEFAULT, value_parser = public_url)]
    pub(super) public_url: Issuer,
}

/// List, narrow or revoke what grown-ups have allowed agents to do
///
/// An agent asks for it in the browser (OAuth). A revoked one is refused at once.
#[derive(Args)]
pub(super) struct GrantsArgs {
    /// Revoke the grant with this id (can be repeated)
    #[arg(long, value_name = "ID", conflicts_with = "narrow")]
    pub(super) revoke: Vec<String>,

    /// Leave the grant with this id only the scopes of `--scope`
    #[arg(long, value_name = "ID", requires = "scope")]
    pub(super) narrow: Option<String>,

    /// A scope that the grant keeps (can be repeated)
    #[arg(long, value_name = "SCOPE", value_parser = scope, requires = "narrow")]
    pub(super) scope: Vec<Scope>,

    /// Print the list as JSON
    #[arg(long, conflicts_with_all = ["revoke", "narrow"])]
    pub(super) json: bool,
}

/// Parses the URL at which browsers and agents reach a server.
pub(in crate::cli::remote) fn public_url(typed: &str) -> Result<Issuer, String> {
    let example = "write it as in https://family.example or http://127.0.0.1:7340";
    let issuer = Issuer::parse(typed).map_err(|error| format!("{error}; {example}"))?;
    // The pages lead to one another by their paths.
    if issuer.path().is_empty() { Ok(issuer) } else { Err(format!("it has a path; {example}")) }
}

fn scope(typed: &str) -> Result<Scope, String> {
    let names = || Scope::words().join(", ");
    Scope::from_name(typed).ok_or_else(|| format!("the scopes are {}", names()))
}

fn span(typed: &str) -> Result<Span, String> {
    typed.parse().map_err(|_| "write a number and a unit, such as 30d, 12h or 1y".to_owned())
}
