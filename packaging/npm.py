"""The npm packages: one with the program for each system, and one that selects among them."""

import json

from archive import File, licenses, tar_gz
from project import DESCRIPTION, KEYWORDS, LICENSE, NAME, PACKAGE, RELEASED, ROOT, VERSION, Target

LAUNCHER = ROOT / "packaging" / "launcher.js"


def package_name(name: str) -> str:
    """Returns the name of a package's file."""
    return f"{name}-{VERSION}.tgz"


def platform_package(target: Target, binary: bytes, repository: str | None) -> bytes:
    """Returns the package with the program for one system."""
    manifest = common(target.npm_package, repository)
    manifest |= {"os": [target.node_os], "cpu": [target.node_cpu], "preferUnplugged": True}
    program = File(f"package/bin/{target.binary}", binary, is_program=True)
    return package(manifest, [program])


def main_package(repository: str | None) -> bytes:
    """Returns the package that is installed by name."""
    manifest = common(PACKAGE, repository)
    manifest |= {
        "bin": {NAME: f"bin/{NAME}.js"},
        "engines": {"node": ">=18"},
        "keywords": KEYWORDS,
        "optionalDependencies": {target.npm_package: VERSION for target in RELEASED},
    }
    launcher = File(f"package/bin/{NAME}.js", LAUNCHER.read_bytes(), is_program=True)
    readme = File("package/README.md", (ROOT / "README.md").read_bytes())
    return package(manifest, [launcher, readme])


def common(name: str, repository: str | None) -> dict[str, object]:
    source = {"repository": {"type": "git", "url": f"git+{repository}.git"}} if repository else {}
    facts = {"name": name, "version": VERSION, "description": DESCRIPTION, "license": LICENSE}
    return facts | source


def package(manifest: dict[str, object], files: list[File]) -> bytes:
    described = File("package/package.json", (json.dumps(manifest, indent=2) + "\n").encode())
    return tar_gz([described, *licenses("package/"), *files])
