//! Running work so that a panic in it ends that work alone.
//!
//! A panic is a bug in this program. Its message may quote untrusted text that contains a child's
//! name or control characters, so only the location in the source is recorded.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{self, AssertUnwindSafe, Location};
use std::path::{Component, Path};
use std::sync::{Mutex, PoisonError};

/// The help for an [`InternalError`].
pub const REPORT_HELP: &str = "this is a bug in dibber: please report this line, and the file that \
                               it was reading if you may share it";

/// A panic, without its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError {
    /// The file and line in the source; none without the hook.
    place: Option<String>,
}

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = env!("CARGO_PKG_VERSION");
        match &self.place {
            Some(place) => write!(f, "internal error at {place} (dibber {version})"),
            None => write!(f, "internal error (dibber {version})"),
        }
    }
}

impl std::error::Error for InternalError {}

thread_local! {
    /// The last panic of this thread, which the hook records.
    static LAST: RefCell<Option<InternalError>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic in it becomes an error.
///
/// A panic may leave what `work` changes outside of itself in an invalid state, so it should only
/// return a value. The location is known after [`install_hook`].
pub fn isolated<T>(work: impl FnOnce() -> T) -> Result<T, InternalError> {
    LAST.take();
    panic::catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| LAST.take().unwrap_or(InternalError { place: None }))
}

/// Installs the panic hook of this process: `report` shows the location of a panic, once for each
/// location.
pub fn install_hook(report: fn(&InternalError)) {
    static REPORTED: Mutex<BTreeSet<Option<String>>> = Mutex::new(BTreeSet::new());
    panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(in_source);
        let is_new = REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert(place.clone());
        let error = InternalError { place };
        if is_new {
            report(&error);
        }
        // The thread-local value of a thread that is ending may be gone.
        let _ = LAST.try_with(|last| last.replace(Some(error)));
    }));
}

/// Returns a location in the source as it is shown.
fn in_source(location: &Location<'_>) -> String {
    format!("{}:{}", shown_file(Path::new(location.file())), location.line())
}

/// Returns the path of a source file as it is shown.
///
/// The path of a dependency contains directories of the build machine: an absolute path is cut to
/// what is below the parent of the package's `src`.
fn shown_file(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy()),
            _ => None,
        })
        .collect();
    let source = parts.iter().rposition(|part| part == "src").unwrap_or(parts.len());
    let first = match path.has_root() {
        true if source < parts.len() => source.saturating_sub(1),
        true => parts.len().saturating_sub(1),
        false => 0,
    };
    parts[first..].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_of_the_machine_is_shown() {
        for (path, shown) in [
            ("src/lint/mod.rs", "src/lint/mod.rs"),
            (
                "/home/u/.cargo/registry/src/index-1a/yaml-0.3.3/src/scan.rs",
                "yaml-0.3.3/src/scan.rs",
            ),
            ("/rustc/59807/library/core/src/str/mod.rs", "core/src/str/mod.rs"),
            ("/build/generated.rs", "generated.rs"),
            ("", ""),
        ] {
            assert_eq!(shown_file(Path::new(path)), shown);
        }
    }

    #[test]
    fn a_panic_ends_the_work_alone() {
        assert_eq!(isolated(|| 1), Ok(1));
        let error = isolated(|| -> usize { panic!("Zebulonka") }).expect_err("a panic");
        assert!(!error.to_string().contains("Zebulonka"), "{error}");
        assert_eq!(isolated(|| 2), Ok(2));
    }
}
