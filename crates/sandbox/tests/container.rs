//! The commands of container runtimes.

use dibber_sandbox::{ContainerCommand, Limits};

/// Returns the expanded commands, an option on each line.
fn shown(command: &ContainerCommand) -> String {
    let limits = Limits::default();
    let ContainerCommand { run, stop } =
        command.expanded("dibber-sandbox-7", "/tmp/s", "/tmp/b", &limits);
    format!("{}\n{}\n", run.join("\n"), stop.join(" "))
}

/// What docker and podman get alike.
const OPTIONS: &str = "\
run
--rm
--interactive
--name=dibber-sandbox-7
--network=none
--log-driver=none
--read-only
--user=65534:65534
--cap-drop=ALL
--security-opt=no-new-privileges
--memory=536870912b
--memory-swap=536870912b
--pids-limit=32
--ulimit=nofile=256
--ulimit=core=0
--tmpfs=/workspace:size=67108864,mode=1777
--tmpfs=/tmp:size=67108864,mode=1777
--workdir=/workspace
--env=HOME=/workspace
--env=TMPDIR=/workspace
--volume=/tmp/s:/skills:ro
--volume=/tmp/b:/blobs:ro
--pull=never
--stop-signal=KILL
";

#[test]
fn a_known_runtime_isolates_the_container() {
    let expected = |program: &str, more: &str| {
        format!(
            "{program}\n{OPTIONS}{more}python:3.13-slim\npython3\n{program} rm --force dibber-sandbox-7\n"
        )
    };
    let image = "python:3.13-slim";
    assert_eq!(shown(&ContainerCommand::docker(image)), expected("docker", ""));
    assert_eq!(shown(&ContainerCommand::podman(image)), expected("podman", ""));
    let runsc = ContainerCommand::runsc(image);
    assert_eq!(shown(&runsc), expected("docker", "--runtime=runsc\n"));
}

#[test]
fn every_part_of_another_command_is_replaced() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect();
    let command = ContainerCommand {
        run: words(
            "vm {name} -v{skills}:{blobs} {memory_bytes},{processes},{open_files} {disk_bytes}",
        ),
        stop: words("vm stop {name} {other}"),
    };
    assert_eq!(
        shown(&command),
        "vm\ndibber-sandbox-7\n-v/tmp/s:/tmp/b\n536870912,32,256\n67108864\n\
         vm stop dibber-sandbox-7 {other}\n"
    );
}
