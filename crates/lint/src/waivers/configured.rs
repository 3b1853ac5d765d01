//! Waivers in `dibber.toml`.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;

use super::{NotWaivable, waivable};
use crate::rules::delegated::{EXPIRED_WAIVER, UNUSED_WAIVER};
use dibber_skill::config::{Config, ConfigError, Folder, Waiver};
use dibber_skill::diagnostic::{Finding, RuleMeta};
use dibber_text::{Source, ellipsize};

/// The waivers of a `dibber.toml`, for a day.
#[derive(Clone, Debug)]
pub(crate) struct Configured {
    /// The file that they stand in.
    pub(crate) source: Arc<Source>,
    folder: Folder,
    waivers: Vec<Known>,
}

/// A waiver whose rule exists.
#[derive(Clone, Debug)]
struct Known {
    rule: &'static RuleMeta,
    written: Waiver,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Valid,
    Expired,
}

impl Configured {
    /// Looks the rules up; a waiver is expired from the day after its date.
    pub(crate) fn new(config: &Config, today: Date, errors: &mut Vec<ConfigError>) -> Self {
        let mut waivers = Vec::new();
        for written in &config.waivers {
            match waivable(&written.rule) {
                Ok(rule) => {
                    let is_expired = written.expires.is_some_and(|(date, _)| date < today);
                    let state = if is_expired { State::Expired } else { State::Valid };
                    waivers.push(Known { rule, written: written.clone(), state });
                }
                Err(NotWaivable { message, help }) => {
                    let error = ConfigError::new(&config.source, written.rule_span, message);
                    errors.push(error.help(help));
                }
            }
        }
        Self { source: Arc::clone(&config.source), folder: config.folder.clone(), waivers }
    }

    /// Tells whether a waiver covers findings of `rule` in the file that is shown as `path`;
    /// adds the index of each that does to `used`.
    pub(crate) fn cover(&self, rule: &RuleMeta, path: &str, used: &mut BTreeSet<usize>) -> bool {
        let mut relative = None;
        let mut is_covered = false;
        for (index, waiver) in self.waivers.iter().enumerate() {
            if waiver.state == State::Expired || !std::ptr::eq(waiver.rule, rule) {
                continue;
            }
            let path = relative.get_or_insert_with(|| self.folder.relative(path));
            if path.as_ref().is_some_and(|path| waiver.written.path.matches(path)) {
                used.insert(index);
                is_covered = true;
            }
        }
        is_covered
    }

    /// What is to be said of the waivers after a run over `roots`: findings in `dibber.toml`.
    ///
    /// A waiver is unused only when the run went over everything that it could match; one that
    /// is expired is reported by every run that went over some of that. `has_run` tells whether
    /// a rule ran over the files of a path from the folder of `dibber.toml`.
    pub(crate) fn findings(
        &self,
        used: &BTreeSet<usize>,
        roots: &[&str],
        has_run: impl Fn(&RuleMeta, &str) -> bool,
    ) -> Vec<Finding> {
        let roots: Vec<_> = roots.iter().filter_map(|root| self.reach(root)).collect();
        let mut findings = Vec::new();
        for (index, waiver) in self.waivers.iter().enumerate() {
            let path = &waiver.written.path;
            match waiver.state {
                State::Expired if roots.iter().any(|root| path.reaches_into(root)) => {
                    findings.push(waiver.expired());
                }
                State::Valid
                    if !used.contains(&index)
                        && roots.iter().any(|root| path.is_within(root))
                        && has_run(waiver.rule, path.fixed_part()) =>
                {
                    findings.push(waiver.unused());
                }
                State::Expired | State::Valid => {}
            }
        }
        findings
    }

    /// A root as a path from the folder of `dibber.toml`; a root above the folder holds all of it.
    fn reach(&self, root: &str) -> Option<String> {
        match self.folder.relative(root) {
            Some(path) => Some(path.into_owned()),
            None => self.folder.lies_in(root).then(String::new),
        }
    }
}

impl Known {
    fn expired(&self) -> Finding {
        let (date, span) = self.written.expires.expect("an expired waiver has a date");
        let (id, path) = (self.rule.id, ellipsize(&self.written.path.text));
        let message = format!("the waiver of `{id}` for `{path}` held only until {date}");
        Finding::new(&EXPIRED_WAIVER.meta, span, message)
            .help("repair what it kept quiet and remove it, or give it a later date")
            .label(self.written.rule_span, "its findings are reported again")
    }

    fn unused(&self) -> Finding {
        let (id, path) = (self.rule.id, ellipsize(&self.written.path.text));
        let message = format!("`{id}` finds nothing in `{path}` that could be waived");
        Finding::new(&UNUSED_WAIVER.meta, self.written.path.span, message)
            .help("remove the waiver, or correct its path")
    }
}
