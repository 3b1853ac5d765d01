//! Text that may be written to a terminal as it is.

use std::fmt;
use std::ops::{AddAssign, Deref};

use super::style::Style;
use dibber_lint::report::{self, Context};
use dibber_skill::diagnostic::{Diagnostic, Level};

/// Lines in which secrets and children's names are masked and everything else is escaped. Only the
/// renderers of this module's parent make it.
#[derive(Clone, Debug, Default)]
pub struct Rendered(String);

impl Rendered {
    /// Takes over what a renderer has masked and escaped.
    pub(super) const fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns findings as `dibber lint` shows them.
    pub(in crate::cli) fn findings(findings: &[Diagnostic], style: Style) -> Self {
        let Some(format) = report::format("human") else { return Self::default() };
        let context = Context {
            style,
            rules: Vec::new(),
            version: env!("CARGO_PKG_VERSION"),
            homepage: "",
            fails_on: Level::Deny,
            repository: None,
        };
        let (mut report, mut bytes) = ((format.open)(context), Vec::new());
        for finding in findings {
            report.diagnostic(finding, &mut bytes);
        }
        Self(String::from_utf8(bytes).expect("a report for people is UTF-8"))
    }
}

impl AddAssign for Rendered {
    fn add_assign(&mut self, other: Self) {
        self.0 += &other.0;
    }
}

impl Deref for Rendered {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
