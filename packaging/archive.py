"""Archives that are the same, byte by byte, for the same files."""

import gzip
import io
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from project import LICENSE_FILES, NAME, ROOT, Target

# The oldest time that both formats can hold.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)
TAR_TIME = 315532800


@dataclass(frozen=True)
class File:
    """A file of an archive."""

    path: str
    content: bytes
    is_program: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.is_program else 0o644


def tar_gz(files: list[File]) -> bytes:
    """Returns the files as a compressed tar archive."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=TAR_TIME) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for file in sorted(files, key=lambda file: file.path):
            entry = tarfile.TarInfo(file.path)
            entry.size, entry.mode, entry.mtime = len(file.content), file.mode, TAR_TIME
            archive.addfile(entry, io.BytesIO(file.content))
    return packed.getvalue()


def zip_archive(files: list[File]) -> bytes:
    """Returns the files, in their order, as a zip archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.path, ZIP_TIME)
            # Unix, so that the permissions count; and a regular file.
            entry.create_system, entry.external_attr = 3, (0o100000 | file.mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.content)
    return packed.getvalue()


def licenses(directory: str) -> list[File]:
    """Returns the texts of the licence, in that directory of an archive."""
    return [File(f"{directory}{name}", (ROOT / name).read_bytes()) for name in LICENSE_FILES]


def binary_archive(target: Target, binary: bytes) -> bytes:
    """Returns the archive with the program, its completions and its manual."""
    top = f"{NAME}-{target.triple}/"
    readme = File(f"{top}README.md", (ROOT / "README.md").read_bytes())
    files = [File(f"{top}{target.binary}", binary, is_program=True), readme, *licenses(top)]
    completions = ROOT / "completions"
    for path in sorted(path for path in completions.rglob("*") if path.is_file()):
        inside = path.relative_to(completions).as_posix()
        directory = "" if inside.startswith("man/") else "completions/"
        files.append(File(f"{top}{directory}{inside}", path.read_bytes()))
    return zip_archive(files) if target.archive.endswith(".zip") else tar_gz(files)


def write(directory: Path, name: str, content: bytes) -> None:
    """Writes a file of the release."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_bytes(content)
    print(f"{directory / name}: {len(content)} bytes")
