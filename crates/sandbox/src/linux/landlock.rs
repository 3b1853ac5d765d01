//! Landlock: which files a program may use, no TCP, and signals only to its own processes.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreatedAttr, Scope,
};

use super::paths::Paths;
use super::setup_error::{SetupResult, Step};
use crate::layer::Layer;
use crate::mode::Mode;
use crate::specification::Specification;

/// The first version that keeps signals in; all rights that it knows are restricted.
const VERSION: ABI = ABI::V6;

/// Restricts this process, and those that it starts, to the given paths.
///
/// With namespaces, which refuse the same and more, an old kernel is accepted.
pub(super) fn restrict(specification: &Specification, paths: &Paths) -> SetupResult<()> {
    let level = match specification.mode {
        Mode::Full => CompatLevel::BestEffort,
        Mode::Landlock | Mode::Container => CompatLevel::HardRequirement,
    };
    apply(specification, paths, level).step("restrict the files (Landlock)")
}

fn apply(
    specification: &Specification,
    paths: &Paths,
    level: CompatLevel,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(level)
        .handle_access(AccessFs::from_all(VERSION))?
        .handle_access(AccessNet::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?
        .create()?;
    let interpreter = AccessFs::Execute | AccessFs::ReadFile | AccessFs::ReadDir;
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let write = AccessFs::from_all(VERSION)
        & !(AccessFs::Execute | AccessFs::IoctlDev | AccessFs::MakeBlock | AccessFs::MakeChar);
    let shown = [&paths.skills, &paths.blobs].into_iter().chain(&paths.readable);
    let used = [&paths.workspace].into_iter().chain(&paths.writable);
    let rules = specification.interpreter.files.iter().map(|path| (path, interpreter));
    let rules = rules.chain(shown.map(|path| (path, read))).chain(used.map(|path| (path, write)));
    for (path, access) in rules {
        // What is not there cannot be used either.
        let Ok(opened) = PathFd::new(path) else { continue };
        let access: BitFlags<AccessFs> =
            if path.is_dir() { access } else { access & AccessFs::from_file(VERSION) };
        ruleset = ruleset.add_rule(PathBeneath::new(opened, access))?;
    }
    ruleset.no_new_privs(specification.has(Layer::NoNewPrivileges)).restrict_self()?;
    Ok(())
}
