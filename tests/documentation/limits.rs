//! The numbers in the pages about the Skills Protocol are those of the program.

use std::fs;

use dibber_sandbox::{Limits, TIMEOUT_MAX};
use dibber_skill::contract::skills_protocol::READ_BLOB_BYTES_DEFAULT;
use dibber_skill::protocol::{DOTTED_NAME_BYTES_MAX, PROTOCOL_BYTES_MAX, SECRETS_MAX};

use crate::support::package;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Returns a number with commas between its thousands.
fn with_commas(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", with_commas(number / 1000), number % 1000),
    }
}

#[test]
fn limits_of_runs_and_manifests_are_those_of_the_program() {
    let limits = Limits::default();
    let seconds = limits.timeout.as_secs();
    let (longest, processes) = (TIMEOUT_MAX.as_secs(), limits.processes);
    let memory = limits.memory_bytes / MIB;
    let disk = format!(
        "{} MiB, {} files and directories",
        limits.disk_bytes / MIB,
        with_commas(limits.disk_entries)
    );
    let (output, log) = (limits.output_bytes as u64 / MIB, limits.log_bytes as u64 / KIB);
    let manifest = PROTOCOL_BYTES_MAX as u64 / KIB;
    let blob = with_commas(READ_BLOB_BYTES_DEFAULT);
    let expected = [
        ("running-skills.md", format!("| time | {seconds} seconds, at most {longest} |")),
        ("running-skills.md", format!("| at most {longest}; the default is {seconds} |")),
        ("running-skills.md", format!("| memory | {memory} MiB |")),
        ("running-skills.md", format!("| processes and threads | {processes} |")),
        ("running-skills.md", format!("| open files of a process | {} |", limits.open_files)),
        ("running-skills.md", format!("| files that are written | {disk} |")),
        ("running-skills.md", format!("| output | {output} MiB;")),
        ("running-skills.md", format!("| what is printed | {log} KiB are kept |")),
        ("running-skills.md", format!("memory-bytes = {} ", limits.memory_bytes)),
        ("running-skills.md", format!("disk-bytes = {} ", limits.disk_bytes)),
        ("running-skills.md", format!("processes = {processes} ")),
        ("serving-skills.md", format!("or {seconds} seconds; never more than {longest} |")),
        ("serving-skills.md", format!("| the memory of a run | {memory} MiB |")),
        ("serving-skills.md", format!("| what a run writes | {disk} |")),
        ("serving-skills.md", format!("| processes and threads of a run | {processes} |")),
        ("serving-skills.md", format!("| the output of a run | {output} MiB;")),
        ("serving-skills.md", format!("| the logs of a run that are kept | {log} KiB |")),
        ("serving-skills.md", format!("| `skill.toml` | {manifest} KiB |")),
        ("skills-protocol.md", format!("| `skill.toml` | {manifest} KiB |")),
        ("skills-protocol.md", format!("at most {DOTTED_NAME_BYTES_MAX} characters;")),
        ("skills-protocol.md", format!("the names of up to {SECRETS_MAX} secrets")),
        ("skills-protocol.md", format!("up to {SECRETS_MAX} hosts")),
        ("skills-protocol.md", format!("{blob} bytes unless the call says more")),
    ];
    for (page, text) in expected {
        let path = package().join("docs/src").join(page);
        let content = fs::read_to_string(&path).expect("a page");
        assert!(content.contains(&text), "{page} does not say: {text}");
    }
}
