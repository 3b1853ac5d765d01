//! The result of linting: of one skill, or of several.

use std::collections::BTreeSet;

use dibber_skill::diagnostic::Diagnostic;

/// The result of linting one skill, or several.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The findings that are reported, in the order of path and place.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of findings that are waived.
    pub waived: usize,
    /// The number of those that are about security.
    pub waived_security: usize,
    /// The waivers of `dibber.toml` that did so, as
    /// `config_diagnostics` needs them.
    pub used_waivers: BTreeSet<usize>,
}

impl Outcome {
    /// Appends the outcome of a skill that comes after this one in order.
    pub fn extend(&mut self, other: Self) {
        self.diagnostics.extend(other.diagnostics);
        self.waived += other.waived;
        self.waived_security += other.waived_security;
        self.used_waivers.extend(other.used_waivers);
    }
}
