//! The end of a page about a skill: warnings, the decision of the server, and where it goes.

use super::plan::PushItem;
use super::reason_place::PlacedReason;
use crate::cli::dry_run::render::{RenderContext, Wording, decision_words};
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use dibber_client::LOCAL_SERVER;
use dibber_client::publish::ServerPreview;
use dibber_skill::contract::{Decision, PolicyDecision, PolicyReason};

/// Ends a page with the reasons of the server that are not `shown` yet, its decision, and the hash,
/// with that of the server if it is another one.
pub(super) fn closed(
    mut sheet: Sheet,
    item: &PushItem,
    (preview, shown): (Option<&ServerPreview>, &[PolicyReason]),
    context: &RenderContext,
    server: &str,
) -> Rendered {
    let policy = preview.map_or(&item.review.decision, |preview| &preview.policy);
    for reason in &policy.reasons {
        let is_shown = shown.iter().any(|it| reason.reason == it.reason && reason.path == it.path);
        if !is_shown {
            let PolicyReason { reason: code, fix, .. } = reason;
            let PlacedReason { place, message } = PlacedReason::new(item.review, reason);
            let place = if place.is_empty() { place } else { format!(" at {place}") };
            sheet.row("warning", &format!("{code}{place}: {message}"));
            if !fix.is_empty() {
                sheet.row("", fix);
            }
        }
    }
    let ink = if is_allowed(policy) { Ink::Good } else { Ink::Warning };
    if preview.is_some() && context.wording == Wording::Everyday {
        let (words, ink) = match policy.decision {
            Decision::Allow => ("nothing to warn of", ink),
            Decision::Review => ("read the warnings above first", ink),
            Decision::Refuse => ("it cannot be published like this", Ink::Error),
        };
        sheet.painted_row("checks", words, Some(ink));
        let place = if server == LOCAL_SERVER { "this computer (`local`)" } else { server };
        sheet.row("goes to", place);
        return sheet.finish();
    }
    if preview.is_some() {
        sheet.painted_row("decision", decision_words(policy.decision), Some(ink));
    } else {
        let note = "not known: it needs a token with the scope `skill:write`";
        sheet.painted_row("decision", note, Some(Ink::Warning));
    }
    if let Some(hash) = item.hash().map(|hash| hash.to_string()) {
        sheet.row("specHash", &hash);
        if let Some(preview) = preview.filter(|preview| preview.server_hash != hash) {
            sheet.row("", &format!("{} on the server", preview.server_hash));
        }
    }
    sheet.row("server", server);
    sheet.finish()
}

/// Returns `true` if there is nothing to warn of.
pub(super) fn is_allowed(policy: &PolicyDecision) -> bool {
    policy.decision == Decision::Allow
}
