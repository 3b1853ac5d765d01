//! The command of a container runtime.

use serde::{Deserialize, Serialize};

use crate::limits::Limits;

/// A command that runs a Python interpreter in a container.
///
/// The arguments `-I -B -c …` are added to `run`. In both commands these parts are replaced:
///
/// | part | by |
/// |---|---|
/// | `{name}` | a name for the container |
/// | `{skills}`, `{blobs}` | directories to mount read-only at `/skills` and `/blobs` |
/// | `{memory_bytes}`, `{processes}`, `{open_files}`, `{disk_bytes}` | the limits of the run |
///
/// The container gets the job on its standard input, and writes the result to its standard output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerCommand {
    /// The command that runs the container and waits for its end.
    pub run: Vec<String>,
    /// The command that ends it; needed if the runtime has a daemon.
    pub stop: Vec<String>,
}

/// Options of docker and podman that isolate a container as far as both can.
const ISOLATION: [&str; 24] = [
    "run",
    "--rm",
    "--interactive",
    "--name={name}",
    "--network=none",
    // The runtime would write all output to a file of the host, which nothing bounds.
    "--log-driver=none",
    "--read-only",
    "--user=65534:65534",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--memory={memory_bytes}b",
    "--memory-swap={memory_bytes}b",
    "--pids-limit={processes}",
    "--ulimit=nofile={open_files}",
    "--ulimit=core=0",
    "--tmpfs=/workspace:size={disk_bytes},mode=1777",
    "--tmpfs=/tmp:size={disk_bytes},mode=1777",
    "--workdir=/workspace",
    "--env=HOME=/workspace",
    "--env=TMPDIR=/workspace",
    "--volume={skills}:/skills:ro",
    "--volume={blobs}:/blobs:ro",
    "--pull=never",
    // The program may ignore another signal, and would be waited for.
    "--stop-signal=KILL",
];

impl ContainerCommand {
    /// Returns the command for docker, with an image that has `python3`.
    pub fn docker(image: &str) -> Self {
        Self::compatible("docker", &[], image)
    }

    /// Returns the command for podman, with an image that has `python3`.
    pub fn podman(image: &str) -> Self {
        Self::compatible("podman", &[], image)
    }

    /// Returns the command for docker with the gVisor runtime, with an image that has `python3`.
    pub fn runsc(image: &str) -> Self {
        Self::compatible("docker", &["--runtime=runsc"], image)
    }

    /// Returns the command for a program. It is asked to remove the container, because a daemon may not have
    /// started it yet, and podman keeps one whose command was killed.
    fn compatible(program: &str, more: &[&str], image: &str) -> Self {
        let mut run = vec![program];
        run.extend(ISOLATION);
        run.extend(more);
        run.extend([image, "python3"]);
        let stop = [program, "rm", "--force", "{name}"];
        Self {
            run: run.into_iter().map(str::to_owned).collect(),
            stop: stop.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Returns the command with all parts replaced.
    #[must_use]
    pub fn expanded(&self, name: &str, skills: &str, blobs: &str, limits: &Limits) -> Self {
        let replacements = [
            ("{name}", name.to_owned()),
            ("{skills}", skills.to_owned()),
            ("{blobs}", blobs.to_owned()),
            ("{memory_bytes}", limits.memory_bytes.to_string()),
            ("{processes}", limits.processes.to_string()),
            ("{open_files}", limits.open_files.to_string()),
            ("{disk_bytes}", limits.disk_bytes.to_string()),
        ];
        let expand = |argument: &String| {
            replacements.iter().fold(argument.clone(), |text, (from, to)| text.replace(from, to))
        };
        Self {
            run: self.run.iter().map(expand).collect(),
            stop: self.stop.iter().map(expand).collect(),
        }
    }
}
