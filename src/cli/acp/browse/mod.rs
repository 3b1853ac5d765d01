//! `dibber acp browse`.

mod approvals;
mod arguments;
mod json;
mod offer;
mod render;
mod source;

use clap::ArgMatches;

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use approvals::Approvals;
use arguments::BrowseArgs;
use dibber_catalog::acp::differences;
use dibber_text::{message, quote};
use offer::Offer;

pub(super) const ACTION: Command =
    Command { name: "browse", define: <BrowseArgs as clap::Args>::augment_args, run };

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: BrowseArgs = parse_args(matches);
    let sources = arguments.sources()?;
    let mut offers = Vec::new();
    for source in &sources {
        offers.push(Offer::new(source, &source.collect(&arguments.timing())?));
    }
    if let Some(name) = &arguments.approve {
        return approve(name, &offers, ui);
    }
    let approvals = Approvals::load()?;
    let found = match &offers[..] {
        [first, second] if arguments.compare => Some(differences(&first.skills, &second.skills)),
        _ => None,
    };
    if arguments.json {
        json::print(&offers, found.as_deref(), &arguments, &approvals, ui)?;
    } else {
        render::print(&offers, found.as_deref(), &arguments, &approvals, ui)?;
    }
    Ok(if found.is_some_and(|found| !found.is_empty()) { Exit::Findings } else { Exit::Done })
}

/// Notes that the tools are approved that a skill wants, as it is now.
fn approve(name: &str, offers: &[Offer], ui: &mut Ui) -> Result<Exit, CommandError> {
    let with_name = |offer: &'_ Offer| {
        let skills = offer.skills.iter().filter(|offered| offered.skill.name == name);
        skills.cloned().map(|offered| (offer.key.clone(), offered)).collect::<Vec<_>>()
    };
    let found: Vec<_> = offers.iter().flat_map(with_name).collect();
    if found.is_empty() {
        let message = message!["the agent offers no skill `", quote(name), "`"];
        let help = "`dibber acp browse -- AGENT` lists what it offers";
        return Err(CommandError::new(message).help(help).exit(Exit::NotFound));
    }
    let twice = found
        .iter()
        .enumerate()
        .find(|(at, (key, _))| found[..*at].iter().any(|(other, _)| other == key));
    if twice.is_some() {
        let message = message!["the agent offers several skills named `", quote(name), "`"];
        return Err(CommandError::new(message).exit(Exit::BadInput).help("nothing was approved"));
    }
    Approvals::update(|approvals| {
        for (agent, offered) in &found {
            approvals.approve(agent, offered);
        }
    })?;
    for (_, offered) in &found {
        let tools = offered.skill.allowed_tools.join(" ");
        let tools = if tools.is_empty() { "no tools".to_owned() } else { tools };
        ui.eprintln(message!["approved for `", quote(name), "`: ", quote(&tools)]);
    }
    Ok(Exit::Done)
}
