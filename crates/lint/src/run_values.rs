//! The values of inputs in the heartbeats of a `sprout.yaml`.

use crate::scan::TextFile;
use dibber_skill::manifest::{MANIFEST_FILE_NAME, Manifest};
use dibber_skill::skill::{NodeKind, Skill};
use dibber_text::Span;

/// Returns a predicate for places in the value of an input of a heartbeat. There,
/// the name of a child belongs: it is filled in at each run, and is no part of the skill.
pub(crate) fn values_of_runs(
    skill: &Skill,
    file: TextFile<'_>,
    manifest: Option<&Manifest>,
) -> impl Fn(Span) -> bool + use<> {
    let path = file.resource.map(|index| skill.resources[index].path.as_str());
    let manifest = manifest.filter(|_| path == Some(MANIFEST_FILE_NAME));
    let heartbeats = manifest.map_or(&[][..], |manifest| &manifest.heartbeats);
    let source = file.source.text();
    let inputs = heartbeats.iter().flat_map(|heartbeat| &heartbeat.input);
    let values = inputs.filter(|(name, value)| {
        // What an anchor marks may be repeated where it is a part of the skill.
        let before = Span::new(name.span.end, value.span.start.max(name.span.end));
        matches!(value.kind, NodeKind::Scalar { .. })
            && !value.is_alias
            && !source[before.range()].contains('&')
    });
    let values: Vec<Span> = values.map(|(_, value)| value.span).collect();
    move |place| values.iter().any(|value| value.start <= place.start && place.end <= value.end)
}
