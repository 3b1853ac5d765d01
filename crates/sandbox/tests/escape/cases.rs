//! The functions of `cases.py`, and the host that they look for.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::chown;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::sync::LazyLock;

use dibber_sandbox::{Job, MountedBlob, MountedSkill, Program};
use rustix::io::{FdFlags, fcntl_dupfd_cloexec, fcntl_setfd};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The source of all functions.
pub(super) const CASES: &str = include_str!("cases.py");

/// What is on the host, for code to look for.
pub(super) struct Host {
    directory: TempDir,
    tcp: TcpListener,
    _abstract_socket: UnixListener,
    _inherited: OwnedFd,
}

/// The host of all tests.
pub(super) static HOST: LazyLock<Host> = LazyLock::new(|| {
    let directory = tempfile::tempdir().expect("a directory");
    let skill = directory.path().join("skill/code");
    fs::create_dir_all(&skill).expect("directories");
    fs::write(skill.join("main.py"), "VALUE = 1\n").expect("a file");
    fs::write(directory.path().join("secret"), "secret\n").expect("a file");
    fs::write(directory.path().join("blob"), "blob\n").expect("a file");
    own_secret(&directory.path().join("secret"));
    let public = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(directory.path(), public).expect("permissions");
    let address = SocketAddr::from_abstract_name(abstract_name()).expect("an address");
    let file = fs::File::open("/etc/passwd").expect("a file");
    let inherited = fcntl_dupfd_cloexec(file.as_fd(), 60).expect("a descriptor");
    fcntl_setfd(&inherited, FdFlags::empty()).expect("a descriptor that is inherited");
    Host {
        directory,
        tcp: TcpListener::bind("127.0.0.1:0").expect("a port"),
        _abstract_socket: UnixListener::bind_addr(&address).expect("a socket"),
        _inherited: inherited,
    }
});

/// Lets the file belong to the user of the runs, who could read and change it without a sandbox.
fn own_secret(path: &Path) {
    if rustix::process::geteuid().is_root() {
        chown(path, Some(65534), Some(65534)).expect("another owner");
    }
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(path, private).expect("permissions");
}

fn abstract_name() -> String {
    format!("dibber-sandbox-test-{}", std::process::id())
}

impl Host {
    /// Returns a job that calls one of the functions.
    pub(super) fn job(&self, function: &str) -> Job {
        let program = Program::Code { source: CASES.to_owned(), function: function.to_owned() };
        let path = |name: &str| self.directory.path().join(name);
        let Value::Object(arguments) = json!({
            "secret": path("secret"),
            "pid": std::process::id(),
            "port": self.tcp.local_addr().expect("an address").port(),
            "abstract": abstract_name(),
            "key": shared_memory_key(),
            "calls": SYSTEM_CALLS.iter().copied().collect::<BTreeMap<_, _>>(),
        }) else {
            unreachable!("it is an object")
        };
        let skill =
            MountedSkill { name: "mounted".to_owned(), directory: path("skill"), entrypoint: None };
        let blob = MountedBlob { id: "b1".to_owned(), file: path("blob") };
        Job { program, arguments, skills: vec![skill], blobs: vec![blob], ..Job::code("") }
    }
}

/// The key of a System V shared memory that a test creates.
pub(super) fn shared_memory_key() -> u32 {
    0x00d1_bbe2
}

/// The system calls that `cases.py` tries.
const SYSTEM_CALLS: &[(&str, libc::c_long)] = &[
    ("acct", libc::SYS_acct),
    ("add_key", libc::SYS_add_key),
    ("adjtimex", libc::SYS_adjtimex),
    ("bpf", libc::SYS_bpf),
    ("capset", libc::SYS_capset),
    ("chroot", libc::SYS_chroot),
    ("clock_settime", libc::SYS_clock_settime),
    ("clone", libc::SYS_clone),
    ("clone3", libc::SYS_clone3),
    ("execveat", libc::SYS_execveat),
    ("fanotify_init", libc::SYS_fanotify_init),
    ("fchownat", libc::SYS_fchownat),
    ("fsopen", libc::SYS_fsopen),
    ("init_module", libc::SYS_init_module),
    ("io_uring_setup", libc::SYS_io_uring_setup),
    ("ioctl", libc::SYS_ioctl),
    ("kcmp", libc::SYS_kcmp),
    ("kexec_load", libc::SYS_kexec_load),
    ("keyctl", libc::SYS_keyctl),
    ("landlock_create_ruleset", libc::SYS_landlock_create_ruleset),
    ("memfd_create", libc::SYS_memfd_create),
    ("memfd_secret", libc::SYS_memfd_secret),
    ("mknodat", libc::SYS_mknodat),
    ("mount", libc::SYS_mount),
    ("move_mount", libc::SYS_move_mount),
    ("mq_open", libc::SYS_mq_open),
    ("msgget", libc::SYS_msgget),
    ("name_to_handle_at", libc::SYS_name_to_handle_at),
    ("open_by_handle_at", libc::SYS_open_by_handle_at),
    ("open_tree", libc::SYS_open_tree),
    ("perf_event_open", libc::SYS_perf_event_open),
    ("personality", libc::SYS_personality),
    ("pidfd_getfd", libc::SYS_pidfd_getfd),
    ("pivot_root", libc::SYS_pivot_root),
    ("prctl", libc::SYS_prctl),
    ("prlimit64", libc::SYS_prlimit64),
    ("process_vm_readv", libc::SYS_process_vm_readv),
    ("ptrace", libc::SYS_ptrace),
    ("quotactl", libc::SYS_quotactl),
    ("reboot", libc::SYS_reboot),
    ("request_key", libc::SYS_request_key),
    ("sched_setaffinity", libc::SYS_sched_setaffinity),
    ("seccomp", libc::SYS_seccomp),
    ("semget", libc::SYS_semget),
    ("setgid", libc::SYS_setgid),
    ("setgroups", libc::SYS_setgroups),
    ("sethostname", libc::SYS_sethostname),
    ("setns", libc::SYS_setns),
    ("setpriority", libc::SYS_setpriority),
    ("settimeofday", libc::SYS_settimeofday),
    ("setuid", libc::SYS_setuid),
    ("shmget", libc::SYS_shmget),
    ("socket", libc::SYS_socket),
    ("swapon", libc::SYS_swapon),
    ("syslog", libc::SYS_syslog),
    ("umount2", libc::SYS_umount2),
    ("unshare", libc::SYS_unshare),
    ("userfaultfd", libc::SYS_userfaultfd),
    ("vhangup", libc::SYS_vhangup),
];
