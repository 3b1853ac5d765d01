//! What differs between the offers of two agents.

use super::offered::OfferedSkill;

/// A skill that two agents do not offer alike.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference<'a> {
    /// Only the first one offers it.
    OnlyFirst(&'a OfferedSkill),
    /// Only the second one offers it.
    OnlySecond(&'a OfferedSkill),
    /// They say different things of it: the names of the fields.
    Changed(&'a OfferedSkill, Vec<&'static str>),
}

/// Returns the differences between two offers that are sorted by name, in that order.
pub fn differences<'a>(
    first: &'a [OfferedSkill],
    second: &'a [OfferedSkill],
) -> Vec<Difference<'a>> {
    let named = |all: &'a [OfferedSkill], name: &str| -> Option<&'a OfferedSkill> {
        all.binary_search_by(|offered| offered.skill.name.as_str().cmp(name))
            .ok()
            .map(|at| &all[at])
    };
    let mut found: Vec<Difference> = Vec::new();
    for offered in first {
        match named(second, &offered.skill.name) {
            None => found.push(Difference::OnlyFirst(offered)),
            Some(other) if other.digest != offered.digest || other.kind != offered.kind => {
                found.push(Difference::Changed(offered, fields(offered, other)));
            }
            Some(_) => {}
        }
    }
    let is_new = |offered: &&OfferedSkill| named(first, &offered.skill.name).is_none();
    found.extend(second.iter().filter(is_new).map(Difference::OnlySecond));
    found.sort_by(|a, b| a.name().cmp(b.name()));
    found
}

impl Difference<'_> {
    /// Returns the name of the skill.
    pub fn name(&self) -> &str {
        let (Self::OnlyFirst(offered) | Self::OnlySecond(offered) | Self::Changed(offered, _)) =
            self;
        &offered.skill.name
    }
}

fn fields(first: &OfferedSkill, second: &OfferedSkill) -> Vec<&'static str> {
    let (a, b) = (&first.skill, &second.skill);
    let differ = [
        ("kind", first.kind != second.kind),
        ("description", a.description != b.description),
        ("license", a.license != b.license),
        ("compatibility", a.compatibility != b.compatibility),
        ("allowedTools", a.allowed_tools != b.allowed_tools),
        ("_meta", a.meta != b.meta),
    ];
    differ.iter().filter(|(_, differ)| *differ).map(|(field, _)| *field).collect()
}
