//! `dibber heartbeat describe`: the same as `create`, and nothing is written.

use super::arguments::DescribeArgs;
use super::initiator::Initiator;
use super::plan::{self, HeartbeatItem, PlanPolicy};
use super::sources::Access;
use super::{create, sources};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{ForeignChanges, HeartbeatOutcome};

pub(super) fn run(
    typed: &DescribeArgs,
    open: impl FnOnce(&mut Ui) -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    sources::check(&typed.spec)?;
    let session = open(ui)?;
    let roster = ui.names()?;
    let mut locks = session.locks()?;
    let (requested, removed) =
        sources::gather(&typed.spec, Access::Read, &session, &mut locks, ui)?;
    let policy = PlanPolicy { foreign_changes: ForeignChanges::Block, is_agreed: false };
    let items = plan::plan(Initiator::Create, requested, removed, policy, &session, &locks)?;
    plan::warn_of_uncertain(&items, &session, ui);
    if typed.json {
        let outcomes: Vec<_> = items.iter().map(|_| Ok(HeartbeatOutcome::Unchanged)).collect();
        create::print_json(&items, &outcomes, &roster, ui)?;
    } else {
        create::show(&items, &roster, ui)?;
    }
    Ok(items.iter().map(HeartbeatItem::exit).fold(Exit::Done, Exit::worst))
}
