"""The Python wheel: the program, as a script of the package.

The format is that of https://packaging.python.org/en/latest/specifications/binary-distribution-format/.
"""

import base64
import hashlib

from archive import File, licenses, zip_archive
from project import DESCRIPTION, KEYWORDS, LICENSE, LICENSE_FILES, PACKAGE, ROOT, VERSION, Target

# How a pre-release is written: `1.0.0-rc.1` is `1.0.0rc1`.
PRE_RELEASES = {"": "", "alpha": "a", "beta": "b", "rc": "rc"}


def python_version(version: str) -> str:
    """Returns a version as Python packages write it."""
    release, _, pre_release = version.partition("-")
    kind, _, number = pre_release.partition(".")
    return release + PRE_RELEASES[kind] + number


DISTRIBUTION = f"{PACKAGE.replace('-', '_')}-{python_version(VERSION)}"


def wheel_name(target: Target) -> str:
    """Returns the name of the wheel's file."""
    return f"{DISTRIBUTION}-py3-none-{target.wheel_tags}.whl"


def wheel(target: Target, binary: bytes, repository: str | None) -> bytes:
    """Returns the wheel."""
    info = f"{DISTRIBUTION}.dist-info/"
    files = [
        File(f"{DISTRIBUTION}.data/scripts/{target.binary}", binary, is_program=True),
        *licenses(f"{info}licenses/"),
        File(f"{info}WHEEL", wheel_file(target).encode()),
        File(f"{info}METADATA", metadata(repository).encode()),
    ]
    record = f"{info}RECORD"
    lines = [f"{file.path},sha256={digest(file.content)},{len(file.content)}\n" for file in files]
    return zip_archive([*files, File(record, "".join([*lines, f"{record},,\n"]).encode())])


def wheel_file(target: Target) -> str:
    tags = [f"Tag: py3-none-{tag}\n" for tag in target.wheel_tags.split(".")]
    return "".join(
        ["Wheel-Version: 1.0\n", "Generator: dibber\n", "Root-Is-Purelib: false\n", *tags]
    )


def metadata(repository: str | None) -> str:
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", PACKAGE),
        ("Version", python_version(VERSION)),
        ("Summary", DESCRIPTION),
        ("Keywords", ",".join(KEYWORDS)),
        ("License-Expression", LICENSE),
        *[("License-File", name) for name in LICENSE_FILES],
        *([("Project-URL", f"Source, {repository}")] if repository else []),
        ("Requires-Python", ">=3.8"),
        ("Description-Content-Type", "text/markdown"),
    ]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return "".join(f"{name}: {value}\n" for name, value in fields) + "\n" + readme


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
