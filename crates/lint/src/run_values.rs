//! The values of inputs in the heartbeats of a `sprout.yaml`.

use crate::scan::TextFile;
use dibber_skill::manifest::{MANIFEST_FILE_NAME, Manifest};
use dibber_skill::skill::{Entry, Node, NodeKind, Skill};
use dibber_text::Span;

/// Returns a predicate for places in the value of an input of a heartbeat, or in one of a list or a
/// mapping that is the value. There, the name of a child belongs: it is filled in at each run, and is
/// no part of the skill.
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
    let mut values = Vec::new();
    for (name, value) in inputs {
        push_scalars(value, name.span.end, source, &mut values);
    }
    move |place| values.iter().any(|value| value.start <= place.start && place.end <= value.end)
}

/// Adds the places of the scalars in a value, whose anchor is after byte `from` if it has one. What
/// an anchor marks may be repeated where it is a part of the skill.
fn push_scalars(value: &Node, from: usize, source: &str, scalars: &mut Vec<Span>) {
    let before = Span::new(from, value.span.start.max(from));
    if value.is_alias || source[before.range()].contains('&') {
        return;
    }
    let mut from = value.span.start;
    match &value.kind {
        NodeKind::Scalar { .. } => scalars.push(value.span),
        NodeKind::Sequence(items) => {
            for item in items {
                push_scalars(item, from, source, scalars);
                from = item.span.end.max(from);
            }
        }
        NodeKind::Mapping(entries) => {
            for Entry { key, value } in entries {
                push_scalars(value, key.span.end, source, scalars);
            }
        }
    }
}
