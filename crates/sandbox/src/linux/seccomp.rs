//! The filter of system calls: what is not on the list fails with `EPERM`.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use super::setup_error::{SetupResult, Step};
use super::syscalls::{ALLOWED, ALLOWED_X86, METADATA, UNSUPPORTED};
use crate::mode::Mode;

/// Flags of `clone` that create namespaces.
const NAMESPACE_FLAGS: i32 = libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWUTS;

/// Commands of `fcntl` that only concern the descriptor itself, or locks.
const FCNTL_COMMANDS: [i32; 12] = [
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_GETFL,
    libc::F_GETLK,
    libc::F_OFD_GETLK,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
    libc::F_SETFD,
    libc::F_SETFL,
    libc::F_SETLK,
    libc::F_SETLKW,
];

/// Requests of `ioctl` that only concern the descriptor itself.
const IOCTL_REQUESTS: [u64; 6] =
    [libc::FIOCLEX, libc::FIONBIO, libc::FIONCLEX, libc::FIONREAD, libc::TCGETS, libc::TIOCGWINSZ];

/// Options of `prctl` that only concern the process itself.
const PRCTL_OPTIONS: [i32; 9] = [
    libc::PR_CAPBSET_READ,
    libc::PR_GET_DUMPABLE,
    libc::PR_GET_NAME,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_GET_PDEATHSIG,
    libc::PR_GET_SECCOMP,
    libc::PR_SET_NAME,
    libc::PR_SET_PDEATHSIG,
    libc::PR_SET_VMA,
];

/// The part of the type of a socket that is not flags.
const SOCKET_TYPE_MASK: u64 = 0xf;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Restricts the system calls of this process and of those that it starts.
///
/// There are several filters, because each has one answer. The strictest answer wins, so the list
/// contains the calls that another filter refuses. It is the last one, because no other can follow it.
pub(super) fn restrict(mode: Mode) -> SetupResult<()> {
    let step = "restrict the system calls (seccomp)";
    let architecture: TargetArch = std::env::consts::ARCH.try_into().step(step)?;
    let answer = |error: i32| SeccompAction::Errno(error.cast_unsigned());
    // The flags of `clone3` are in memory, which a filter cannot read. As if it were unknown, libraries
    // use `clone`.
    let mut answers = vec![(&[libc::SYS_clone3][..], libc::ENOSYS), (UNSUPPORTED, libc::ENOTSUP)];
    if mode != Mode::Full {
        // Success, without any effect.
        answers.push((METADATA, 0));
        // A file would be large at once, before anyone looks at it. Libraries write instead.
        answers.push((&[libc::SYS_fallocate], libc::EOPNOTSUPP));
    }
    for (calls, error) in answers {
        let calls = unconditional(calls);
        install(calls, SeccompAction::Allow, answer(error), architecture).step(step)?;
    }
    let rules = rules().step(step)?;
    install(rules, answer(libc::EPERM), SeccompAction::Allow, architecture).step(step)
}

fn unconditional(calls: &[i64]) -> Rules {
    calls.iter().map(|number| (*number, Vec::new())).collect()
}

fn install(
    rules: Rules,
    otherwise: SeccompAction,
    matching: SeccompAction,
    architecture: TargetArch,
) -> Result<(), seccompiler::Error> {
    let filter = SeccompFilter::new(rules, otherwise, matching, architecture)?;
    let program: BpfProgram = filter.try_into()?;
    apply_filter(&program)
}

fn rules() -> Result<Rules, seccompiler::BackendError> {
    let mut rules = unconditional(&[ALLOWED, ALLOWED_X86, METADATA, UNSUPPORTED].concat());
    rules.insert(libc::SYS_clone, new_tasks()?);
    rules.insert(libc::SYS_close_range, without_flags(2, libc::CLOSE_RANGE_UNSHARE.cast_signed())?);
    rules.insert(libc::SYS_ioctl, one_of(1, &IOCTL_REQUESTS)?);
    let commands = FCNTL_COMMANDS.map(|command| command.cast_unsigned().into());
    rules.insert(libc::SYS_fcntl, one_of(1, &commands)?);
    let options = PRCTL_OPTIONS.map(|option| option.cast_unsigned().into());
    rules.insert(libc::SYS_prctl, one_of(0, &options)?);
    resource_limits(&mut rules)?;
    rules.insert(libc::SYS_socketpair, socket_pairs()?);
    rules.insert(libc::SYS_mmap, mappings()?);
    Ok(rules)
}

/// Processes and threads without new namespaces. Threads share the descriptors of their process, so
/// that those of a single thread show what it has open.
fn new_tasks() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let mask = |flags: i32| SeccompCmpOp::MaskedEq(flags.cast_unsigned().into());
    let process = argument(0, mask(NAMESPACE_FLAGS | libc::CLONE_THREAD), 0)?;
    let thread_flags = libc::CLONE_THREAD | libc::CLONE_FILES;
    let thread = mask(NAMESPACE_FLAGS | thread_flags);
    Ok(vec![process, argument(0, thread, thread_flags.cast_unsigned().into())?])
}

/// Adds limits of the process itself, which it can only lower; that of core dumps must not be lower.
/// The limits of other processes of the same user are not the program's to change.
fn resource_limits(rules: &mut Rules) -> Result<(), seccompiler::BackendError> {
    let core = u64::from(libc::RLIMIT_CORE);
    let of_itself = condition(0, SeccompCmpOp::Eq, 0)?;
    let other = condition(1, SeccompCmpOp::Ne, core)?;
    let no_new_one = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
    let set = SeccompRule::new(vec![of_itself.clone(), other])?;
    rules.insert(libc::SYS_prlimit64, vec![set, SeccompRule::new(vec![of_itself, no_new_one])?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_setrlimit, vec![argument(0, SeccompCmpOp::Ne, core)?]);
    Ok(())
}

/// Pairs of sockets whose messages only reach the other socket of the pair. Messages of other types
/// may have an address, such as that of the system log.
fn socket_pairs() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let kind = SeccompCmpOp::MaskedEq(SOCKET_TYPE_MASK);
    let rule = |value: i32| {
        let local = condition(0, SeccompCmpOp::Eq, libc::AF_UNIX.cast_unsigned().into())?;
        SeccompRule::new(vec![local, condition(1, kind.clone(), value.cast_unsigned().into())?])
    };
    Ok(vec![rule(libc::SOCK_STREAM)?, rule(libc::SOCK_SEQPACKET)?])
}

/// Mappings whose memory is charged to a process. Shared memory without a file is not, where it is not
/// mapped at the moment, and huge pages are those that the owner of the host reserved.
fn mappings() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    // `MAP_SHARED_VALIDATE` contains the bit of `MAP_SHARED`.
    let private = without_flags(3, libc::MAP_SHARED | libc::MAP_HUGETLB)?;
    let of_file = without_flags(3, libc::MAP_ANONYMOUS | libc::MAP_HUGETLB)?;
    Ok([private, of_file].concat())
}

fn without_flags(index: u8, flags: i32) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let none = SeccompCmpOp::MaskedEq(flags.cast_unsigned().into());
    Ok(vec![argument(index, none, 0)?])
}

fn one_of(index: u8, values: &[u64]) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    values.iter().map(|value| argument(index, SeccompCmpOp::Eq, *value)).collect()
}

fn argument(
    index: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![condition(index, operator, value)?])
}

fn condition(
    index: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value)
}
