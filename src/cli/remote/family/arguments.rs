//! What can be typed behind `dibber family`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use dibber_server::families::HOME;
use dibber_skill::contract::{Scope, WireEnum};

/// Manage the family of the server in this program
///
/// The names of its children may not stand in a skill; canvases and grown-ups are what skills and
/// heartbeats refer to. A family other than `home` is made when somebody or something is added
/// to it.
#[derive(Args)]
#[command(disable_help_subcommand = true)]
pub(super) struct FamilyArgs {
    #[command(subcommand)]
    pub(super) action: Action,

    /// Another family of the same database
    #[arg(long, value_name = "NAME", default_value = HOME, global = true)]
    pub(super) family: String,

    /// Where the server in this program keeps its database
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
}

/// Add a child; skills that hold its name are refused from then on
///
/// The name is asked for, and is never shown again.
#[derive(Args)]
pub(super) struct ChildArgs {
    /// The day of the birth, such as 2019-04-30
    #[arg(long, value_name = "DATE")]
    pub(super) born: String,

    /// The name, or `-` to read it from standard input; a name that is typed here stays in the
    /// history of your shell
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,

    /// Somebody who types the name here gets help that does not show it.
    #[arg(hide = true)]
    pub(super) stray: Vec<String>,
}

/// Add a grown-up
#[derive(Args)]
pub(super) struct MemberArgs {
    /// What they are called
    pub(super) name: String,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Add a canvas that skills can link
#[derive(Args)]
pub(super) struct CanvasArgs {
    /// What it is called
    pub(super) name: String,

    /// A sign for it
    #[arg(long, value_name = "SIGN")]
    pub(super) emoji: Option<String>,

    /// The ages that it is for, such as 5-7; skills cannot link a canvas without them
    #[arg(long, value_name = "AGES")]
    pub(super) ages: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Archive a skill, so that nobody runs it any more
///
/// A skill that a heartbeat runs is not archived; cancel the heartbeat first.
#[derive(Args)]
pub(super) struct ArchiveArgs {
    /// The id of the skill, or its label
    pub(super) skill: String,

    /// Ask nothing
    #[arg(long)]
    pub(super) yes: bool,
}

/// Make a token for `dibber serve`
///
/// Whoever has it may do what its scopes say, in the name of the grown-up. It cannot be shown
/// again.
#[derive(Args)]
pub(super) struct TokenArgs {
    /// The id of the grown-up; otherwise whoever founded the family
    #[arg(long, value_name = "ID")]
    pub(super) member: Option<String>,

    /// What it allows, such as `skill:read` (can be repeated); otherwise everything
    #[arg(long, value_name = "SCOPE", value_parser = scope)]
    pub(super) scope: Vec<Scope>,

    /// The file to write it to, which only you will be able to read; `-` prints it
    #[arg(long, value_name = "FILE", required_unless_present = "revoke")]
    pub(super) output: Option<PathBuf>,

    /// Make none: take away every token that the grown-up has, that of `dibber serve` too
    #[arg(long, conflicts_with_all = ["output", "scope"])]
    pub(super) revoke: bool,
}

fn scope(typed: &str) -> Result<Scope, String> {
    let names = || Scope::words().join(", ");
    Scope::from_name(typed).ok_or_else(|| format!("the scopes are {}", names()))
}
