//! What a program gives up before it is executed: precedence, capabilities, new privileges and resources.

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities,
};

use super::setup_error::{SetupResult, Step};
use crate::layer::Layer;
use crate::specification::Specification;

/// The time between the signal that a program may handle and its end, in seconds of CPU time.
const CPU_GRACE_SECONDS: u64 = 1;

/// Gives up all capabilities, and those that an executed file could grant.
pub(super) fn drop_capabilities() -> SetupResult<()> {
    let step = "drop the capabilities";
    for bit in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        match remove_capability_from_bounding_set(capability) {
            // The kernel knows no further ones.
            Err(rustix::io::Errno::INVAL) => break,
            result => result.step(step)?,
        }
    }
    clear_ambient_capability_set().step(step)?;
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    set_capabilities(None, sets).step(step)
}

/// Lets the kernel end the run instead of the server if the host has no memory left.
pub(super) fn give_precedence_to_host() {
    // It is not possible where `/proc` is read-only or hidden.
    drop(std::fs::write("/proc/self/oom_score_adj", "1000"));
}

/// Limits the resources of this process and of those that it starts.
///
/// `processes` counts those of the same user in the same user namespace.
pub(super) fn limit_resources(specification: &Specification, processes: u64) -> SetupResult<()> {
    let limits = &specification.limits;
    let seconds = limits.capped_timeout().as_secs() + 1;
    let optional = [
        (Layer::AddressSpaceLimit, Resource::As, limits.memory_bytes),
        (Layer::CpuLimit, Resource::Cpu, seconds),
        (Layer::FileSizeLimit, Resource::Fsize, limits.disk_bytes),
        (Layer::OpenFilesLimit, Resource::Nofile, limits.open_files),
        (Layer::ProcessLimit, Resource::Nproc, processes),
    ];
    for (layer, resource, value) in optional {
        if specification.has(layer) {
            let grace = if resource == Resource::Cpu { CPU_GRACE_SECONDS } else { 0 };
            limit(resource, value, value + grace)?;
        }
    }
    for resource in [Resource::Memlock, Resource::Msgqueue, Resource::Rtprio] {
        limit(resource, 0, 0)?;
    }
    // The kernel starts a program of the host that gets the core dump in spite of a limit of 0, but not
    // of 1. The filter of system calls keeps it.
    limit(Resource::Core, 1, 1)
}

fn limit(resource: Resource, current: u64, maximum: u64) -> SetupResult<()> {
    let inherited = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let limit =
        Rlimit { current: Some(current.min(inherited)), maximum: Some(maximum.min(inherited)) };
    setrlimit(resource, limit).step(format!("limit {resource:?}"))
}
