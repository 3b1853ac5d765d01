//! The layers of the sandbox, which tests leave out one at a time to show what each one refuses.
//!
//! Only the feature `disable-layers` makes a specification that can leave one out.

use serde::{Deserialize, Serialize};

/// A layer of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "disable-layers", expect(missing_docs, reason = "the names say it"))]
#[cfg_attr(
    not(feature = "disable-layers"),
    expect(unreachable_pub, reason = "it is public with the feature")
)]
pub enum Layer {
    AddressSpaceLimit,
    Capabilities,
    CloseDescriptors,
    ControlGroup,
    CpuLimit,
    DiskLimit,
    Environment,
    FileSizeLimit,
    HostNameNamespace,
    IpcNamespace,
    Landlock,
    MemoryWatch,
    NetworkNamespace,
    NoNewPrivileges,
    OpenFilesLimit,
    ParentDeathSignal,
    ProcessLimit,
    ReadOnlyMounts,
    Seccomp,
    Sweep,
    Timeout,
    UnprivilegedUser,
}
