"""What is packed and under which names: the facts of Cargo.toml, and the systems."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))

NAME = MANIFEST["package"]["name"]
DESCRIPTION = MANIFEST["package"]["description"]
KEYWORDS = MANIFEST["package"]["keywords"]
VERSION = MANIFEST["workspace"]["package"]["version"]
LICENSE = MANIFEST["workspace"]["package"]["license"]

# The package at PyPI and npm; at PyPI, `dibber` is another project's.
PACKAGE = "dibber-cli"
LICENSE_FILES = ["LICENSE-APACHE", "LICENSE-MIT"]


@dataclass(frozen=True)
class Target:
    """A system that binaries are built for."""

    triple: str
    # The tags of its wheel; a binary without libraries runs with glibc and with musl.
    wheel_tags: str
    # `process.platform` and `process.arch` in Node.
    node_os: str
    node_cpu: str

    @property
    def binary(self) -> str:
        return f"{NAME}.exe" if self.node_os == "win32" else NAME

    @property
    def archive(self) -> str:
        extension = "zip" if self.node_os == "win32" else "tar.gz"
        return f"{NAME}-{self.triple}.{extension}"

    @property
    def npm_package(self) -> str:
        return f"{PACKAGE}-{self.node_os}-{self.node_cpu}"


RELEASED = [
    Target("aarch64-apple-darwin", "macosx_11_0_arm64", "darwin", "arm64"),
    Target("aarch64-unknown-linux-musl", "manylinux_2_17_aarch64.musllinux_1_1_aarch64", "linux", "arm64"),
    Target("x86_64-apple-darwin", "macosx_10_12_x86_64", "darwin", "x64"),
    Target("x86_64-pc-windows-msvc", "win_amd64", "win32", "x64"),
    Target("x86_64-unknown-linux-musl", "manylinux_2_17_x86_64.musllinux_1_1_x86_64", "linux", "x64"),
]

# For the machine that built them: they need its C library, and PyPI does not take such wheels.
LOCAL = [
    Target("aarch64-unknown-linux-gnu", "linux_aarch64", "linux", "arm64"),
    Target("x86_64-unknown-linux-gnu", "linux_x86_64", "linux", "x64"),
]


def target(triple: str) -> Target:
    """Returns the target of that name."""
    return next(target for target in RELEASED + LOCAL if target.triple == triple)
