#!/usr/bin/env python3
"""Packs built binaries for a release. Needs Python 3.11 or newer, and nothing else."""

import argparse
from pathlib import Path

from archive import binary_archive, write
from installers import CHECKSUMS, INSTALLERS, checksums, formula, installer, notes
from npm import main_package, package_name, platform_package
from project import LOCAL, PACKAGE, RELEASED, VERSION, target
from wheel import wheel, wheel_name


def pack_binary(arguments: argparse.Namespace) -> None:
    """Writes the archive, the wheel and the npm package of one binary."""
    system = target(arguments.target)
    binary = arguments.binary.read_bytes()
    repository, out = arguments.repository, arguments.out
    write(out, system.archive, binary_archive(system, binary))
    write(out, wheel_name(system), wheel(system, binary, repository))
    npm = platform_package(system, binary, repository)
    write(out, package_name(system.npm_package), npm)


def pack_launcher(arguments: argparse.Namespace) -> None:
    """Writes the npm package that selects among those with binaries."""
    write(arguments.out, package_name(PACKAGE), main_package(arguments.repository))


def pack_release(arguments: argparse.Namespace) -> None:
    """Writes the installers, the formula and the checksums of all files in the directory."""
    for name in INSTALLERS:
        write(arguments.out, name, installer(name, arguments.repository))
    write(arguments.out, "dibber.rb", formula(arguments.repository, arguments.out))
    write(arguments.out, CHECKSUMS, checksums(arguments.out))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    for name, run in [
        ("binary", pack_binary),
        ("launcher", pack_launcher),
        ("release", pack_release),
    ]:
        command = commands.add_parser(name, description=run.__doc__)
        command.set_defaults(run=run)
        command.add_argument("--out", type=Path, required=True, help="the directory of the release")
        command.add_argument(
            "--repository",
            required=run is pack_release,
            help="the URL of the repository, such as https://github.com/OWNER/dibber",
        )
        if run is pack_binary:
            triples = [system.triple for system in RELEASED + LOCAL]
            command.add_argument("--target", choices=triples, required=True)
            command.add_argument("--binary", type=Path, required=True)
    command = commands.add_parser("version", description="Prints the version.")
    command.set_defaults(run=lambda _: print(VERSION))
    command = commands.add_parser("notes", description="Prints the changelog of this version.")
    command.set_defaults(run=lambda _: print(notes(), end=""))
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
