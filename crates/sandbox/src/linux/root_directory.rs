//! The root directory of a sandbox: only what a run needs, and only the workspace can be changed.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat, symlinkat};
use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, UnmountFlags, mount_change, unmount};
use rustix::process::{chdir, fchdir, pivot_root};

use super::copy::{BLOB_BYTES_MAX, SkillCopy, copy_file, is_readable_by_all, open_regular};
use super::mounts::{
    Access, attach, copy_tree, file_mount, make_read_only, memory_file_system, process_file_system,
};
use super::setup_error::{SetupResult, Step};
use super::user::{Caller, NOBODY, SANDBOX_USER};
use crate::layer::Layer;
use crate::specification::Specification;

/// The writable directory of a run.
pub(super) const WORKSPACE: &str = "/workspace";
/// Where a run finds skills and blobs.
pub(super) const SKILLS: &str = "/skills";
pub(super) const BLOBS: &str = "/blobs";
/// Memory that processes of a run share by name, as Python's `multiprocessing` does.
pub(super) const SHARED_MEMORY: &str = "/dev/shm";

/// The devices of a run. `/dev/zero` is not one of them: it can be mapped as shared memory, which is
/// charged to no process.
pub(super) const DEVICES: [&str; 4] = ["/dev/null", "/dev/full", "/dev/random", "/dev/urandom"];

/// Directories that are symbolic links on most systems; executables name their linker by them.
const TOP_LEVEL_LINKS: [&str; 3] = ["/bin", "/lib", "/lib64"];

const ROOT_BYTES: u64 = 1024 * 1024;
const ROOT_ENTRIES: u64 = 4096;
pub(super) const SHARED_MEMORY_BYTES: u64 = 16 * 1024 * 1024;
const SHARED_MEMORY_ENTRIES: u64 = 256;

/// Replaces the root directory of this process, which has a mount namespace of its own.
pub(super) fn enter(specification: &Specification, caller: Caller) -> SetupResult<()> {
    let flags = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", flags).step("detach the mounts from those of the host")?;
    let root = memory_file_system(&size_options(ROOT_BYTES, ROOT_ENTRIES, "0755"));
    let root = NewRoot { root: root.step("mount the root directory")?, specification, caller };
    // Paths of the host still lead to it, because the root directory of the process is below.
    attach(&root.root, &root.root, Path::new("/")).step("attach the root directory")?;
    root.add_interpreter()?;
    root.add_devices()?;
    root.add_skills()?;
    root.add_blobs()?;
    root.add_workspace()?;
    root.replace()
}

struct NewRoot<'a> {
    root: OwnedFd,
    specification: &'a Specification,
    caller: Caller,
}

impl NewRoot<'_> {
    fn add_interpreter(&self) -> SetupResult<()> {
        for link in TOP_LEVEL_LINKS {
            if let Ok(target) = fs::read_link(link) {
                let link = relative(Path::new(link));
                symlinkat(&target, &self.root, &link).step("link the libraries")?;
            }
        }
        for file in &self.specification.interpreter.files {
            let tree = copy_tree(file, self.host_access());
            self.attach_at(&tree.step(format!("mount {}", file.display()))?, file)?;
        }
        Ok(())
    }

    fn add_devices(&self) -> SetupResult<()> {
        for device in DEVICES {
            let tree = copy_tree(Path::new(device), Access::ReadOnly);
            self.attach_at(&tree.step(format!("mount {device}"))?, Path::new(device))?;
        }
        let options = size_options(SHARED_MEMORY_BYTES, SHARED_MEMORY_ENTRIES, "1777");
        self.add_memory(SHARED_MEMORY, &options)?;
        symlinkat("/proc/self/fd", &self.root, "dev/fd").step("link /dev/fd")?;
        // A container may refuse it, because parts of its own `/proc` are hidden.
        if let Ok(processes) = process_file_system() {
            self.attach_at(&processes, Path::new("/proc"))?;
        }
        Ok(())
    }

    fn add_skills(&self) -> SetupResult<()> {
        let options = size_options(SkillCopy::BYTES_MAX, SkillCopy::ENTRIES_MAX, "0755");
        let mount = self.add_memory(SKILLS, &options)?;
        let mut copy = SkillCopy::default();
        for (name, directory) in &self.specification.skills {
            copy.copy(directory, &mount, name)?;
        }
        self.protect(&mount)
    }

    /// Shows blobs without copying them, unless the user of the run cannot read the file.
    fn add_blobs(&self) -> SetupResult<()> {
        let entries = self.specification.blobs.len() as u64 + 16;
        let mount = self.add_memory(BLOBS, &size_options(BLOB_BYTES_MAX, entries, "0755"))?;
        for (name, path) in &self.specification.blobs {
            let step = || format!("mount the blob `{name}`");
            let file = open_regular(CWD, path).step(step())?;
            if self.caller == Caller::Root && !is_readable_by_all(&file).step(step())? {
                copy_file(file, &mount, name, BLOB_BYTES_MAX).step(step())?;
                continue;
            }
            let tree = file_mount(file.as_fd()).step(step())?;
            self.attach_at(&tree, &Path::new(BLOBS).join(name))?;
        }
        self.protect(&mount)
    }

    fn add_workspace(&self) -> SetupResult<()> {
        let limits = &self.specification.limits;
        let (bytes, entries) = if self.specification.has(Layer::DiskLimit) {
            (limits.disk_bytes, limits.disk_entries)
        } else {
            (0, 0)
        };
        let mut options = size_options(bytes, entries, "0700");
        // Ids are those of the namespace that mounts it: root has none of its own yet.
        let owner = match self.caller {
            Caller::Root => NOBODY,
            Caller::Ordinary => SANDBOX_USER,
        };
        options.extend([("uid", owner.to_string()), ("gid", owner.to_string())]);
        self.add_memory(WORKSPACE, &options)?;
        match symlinkat("workspace", &self.root, "tmp") {
            // The interpreter is below it. `TMPDIR` is the workspace all the same.
            Err(Errno::EXIST) => Ok(()),
            linked => linked.step("link /tmp"),
        }
    }

    /// Makes the new root the only one, and read-only.
    fn replace(self) -> SetupResult<()> {
        self.protect(&self.root)?;
        fchdir(&self.root).step("enter the root directory")?;
        // The old root is stacked on the new one, and can then be detached at the same path.
        pivot_root(".", ".").step("change the root directory")?;
        unmount(".", UnmountFlags::DETACH).step("detach the root directory of the host")?;
        chdir("/").step("enter the root directory")
    }

    fn add_memory(&self, path: &str, options: &[(&'static str, String)]) -> SetupResult<OwnedFd> {
        let mount = memory_file_system(options).step(format!("mount {path}"))?;
        self.attach_at(&mount, Path::new(path))?;
        Ok(mount)
    }

    fn protect(&self, mount: &OwnedFd) -> SetupResult<()> {
        match self.host_access() {
            Access::ReadOnly => make_read_only(mount).step("make a mount read-only"),
            Access::ReadWrite => Ok(()),
        }
    }

    fn host_access(&self) -> Access {
        if self.specification.has(Layer::ReadOnlyMounts) {
            Access::ReadOnly
        } else {
            Access::ReadWrite
        }
    }

    fn attach_at(&self, mount: &OwnedFd, path: &Path) -> SetupResult<()> {
        let inside = relative(path);
        self.create_target(mount, &inside)
            .and_then(|()| attach(mount, &self.root, &inside))
            .step(format!("attach {}", path.display()))
    }

    /// Creates what a mount is attached to: a directory, or an empty file for a file.
    fn create_target(&self, mount: &OwnedFd, path: &Path) -> io::Result<()> {
        let is_directory = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(mount)?.st_mode)
            == rustix::fs::FileType::Directory;
        let directories = if is_directory { Some(path) } else { path.parent() };
        let mut made: Vec<_> = directories.into_iter().flat_map(Path::ancestors).collect();
        made.retain(|directory| !directory.as_os_str().is_empty());
        for directory in made.into_iter().rev() {
            match mkdirat(&self.root, directory, Mode::from_raw_mode(0o755)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if !is_directory {
            let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
            openat(&self.root, path, flags, Mode::from_raw_mode(0o444))?;
        }
        Ok(())
    }
}

fn size_options(bytes: u64, entries: u64, mode: &str) -> Vec<(&'static str, String)> {
    vec![("size", bytes.to_string()), ("nr_inodes", entries.to_string()), ("mode", mode.to_owned())]
}

fn relative(path: &Path) -> PathBuf {
    path.strip_prefix("/").unwrap_or(path).to_owned()
}
