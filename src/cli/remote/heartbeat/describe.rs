//! `dibber heartbeat describe`: the same as `create`, and nothing is written.

use super::arguments::DescribeArgs;
use super::json::Outcome;
use super::plan::Plan;
use super::sources::Access;
use super::{create, sources};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;

pub(super) fn run(
    typed: &DescribeArgs,
    open: impl FnOnce() -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    sources::check(&typed.spec)?;
    let roster = ui.names()?;
    let session = open()?;
    let mut locks = session.locks();
    let plans = create::survey(&typed.spec, Access::Read, &session, &mut locks, ui)?;
    if typed.json {
        let outcomes: Vec<_> = plans.iter().map(|_| Ok(Outcome::Left)).collect();
        create::print_json(&plans, &outcomes, &roster, ui)?;
    } else {
        create::show(&plans, &roster, ui)?;
    }
    Ok(plans.iter().map(Plan::exit).fold(Exit::Done, Exit::worst))
}
