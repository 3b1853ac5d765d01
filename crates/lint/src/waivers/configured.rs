//! Waivers in `dibber.toml`.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;

use super::waivable::waivable_rule;
use crate::rules::delegated::{EXPIRED_WAIVER, UNUSED_WAIVER};
use dibber_skill::config::{Config, ConfigDirectory, ConfigError, Waiver};
use dibber_skill::diagnostic::{Finding, RuleMeta};
use dibber_text::{Source, message, quote};

/// The waivers of a `dibber.toml` on a certain day.
#[derive(Clone, Debug)]
pub(crate) struct ConfiguredWaivers {
    /// The `dibber.toml`.
    pub(crate) source: Arc<Source>,
    directory: ConfigDirectory,
    waivers: Vec<ResolvedWaiver>,
}

/// A waiver whose rule exists.
#[derive(Clone, Debug)]
struct ResolvedWaiver {
    rule: &'static RuleMeta,
    written: Waiver,
    validity: Validity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Validity {
    Valid,
    Expired,
}

impl ConfiguredWaivers {
    /// Resolves the rules of the waivers. A waiver is expired from the day after its date.
    pub(crate) fn new(config: &Config, today: Date, errors: &mut Vec<ConfigError>) -> Self {
        let mut waivers = Vec::new();
        for written in &config.waivers {
            match waivable_rule(&written.rule) {
                Ok(rule) => {
                    let is_expired = written.expires.is_some_and(|(date, _)| date < today);
                    let validity = if is_expired { Validity::Expired } else { Validity::Valid };
                    waivers.push(ResolvedWaiver { rule, written: written.clone(), validity });
                }
                Err(problem) => {
                    let problem = problem.map_place(|()| written.rule_span);
                    errors.push(ConfigError::of_problem(&config.source, problem));
                }
            }
        }
        Self { source: Arc::clone(&config.source), directory: config.directory.clone(), waivers }
    }

    /// Returns `true` if a waiver covers findings of `rule` in the file that is shown as `path`,
    /// and adds the index of each waiver that does to `used`.
    pub(crate) fn cover(&self, rule: &RuleMeta, path: &str, used: &mut BTreeSet<usize>) -> bool {
        let mut relative = None;
        let mut is_covered = false;
        for (index, waiver) in self.waivers.iter().enumerate() {
            if waiver.validity == Validity::Expired || !std::ptr::eq(waiver.rule, rule) {
                continue;
            }
            let path = relative.get_or_insert_with(|| self.directory.relative(path));
            if path.as_ref().is_some_and(|path| waiver.written.path.matches(path)) {
                used.insert(index);
                is_covered = true;
            }
        }
        is_covered
    }

    /// Returns the findings about the waivers themselves after a run on `roots`.
    ///
    /// A waiver is unused only if the run included everything that it could match; an expired one
    /// is reported by every run that included some of it. `has_run` returns `true` if a rule ran
    /// on the files of a path, which is relative to the directory of `dibber.toml`.
    pub(crate) fn findings(
        &self,
        used: &BTreeSet<usize>,
        roots: &[&str],
        has_run: impl Fn(&RuleMeta, &str) -> bool,
    ) -> Vec<Finding> {
        let roots: Vec<_> = roots.iter().filter_map(|root| self.relative_root(root)).collect();
        let mut findings = Vec::new();
        for (index, waiver) in self.waivers.iter().enumerate() {
            let path = &waiver.written.path;
            match waiver.validity {
                Validity::Expired if roots.iter().any(|root| path.reaches_into(root)) => {
                    findings.push(waiver.expired());
                }
                Validity::Valid
                    // An unused waiver is reported only if the run could have used it: on all files
                    // that its path can match, with its rule enabled.
                    if !used.contains(&index)
                        && roots.iter().any(|root| path.is_within(root))
                        && has_run(waiver.rule, path.fixed_part()) =>
                {
                    findings.push(waiver.unused());
                }
                Validity::Expired | Validity::Valid => {}
            }
        }
        findings
    }

    /// Returns a root relative to the directory of `dibber.toml`; the empty path if the root
    /// contains that directory.
    fn relative_root(&self, root: &str) -> Option<String> {
        match self.directory.relative(root) {
            Some(path) => Some(path.into_owned()),
            None => self.directory.is_within(root).then(String::new),
        }
    }
}

impl ResolvedWaiver {
    fn expired(&self) -> Finding {
        let (date, span) = self.written.expires.expect("an expired waiver has a date");
        let (id, path) = (self.rule.id, quote(&self.written.path.text));
        let message = message![
            "the waiver of `",
            id,
            "` for `",
            path,
            "` expired after ",
            quote(&date.to_string())
        ];
        Finding::new(&EXPIRED_WAIVER.meta, span, message)
            .help("fix what it covers and remove it, or give it a later date")
            .label(self.written.rule_span, "its findings are reported again")
    }

    fn unused(&self) -> Finding {
        let (id, path) = (self.rule.id, quote(&self.written.path.text));
        let message = message!["the waiver of `", id, "` covers no finding in `", path, "`"];
        Finding::new(&UNUSED_WAIVER.meta, self.written.path.span, message)
            .help("remove the waiver, or correct its path")
    }
}
