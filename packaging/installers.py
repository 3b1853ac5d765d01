"""What is made once all archives are: installers, the Homebrew formula, checksums."""

import hashlib
import re
from pathlib import Path

from project import DESCRIPTION, LICENSE, NAME, RELEASED, ROOT, VERSION

INSTALLERS = ["install.sh", "install.ps1"]
CHECKSUMS = "SHA256SUMS"

FORMULA = """\
class Dibber < Formula
  desc "{description}"
  homepage "{repository}"
  version "{version}"
  license any_of: [{licenses}]

  on_macos do
    on_arm do
{aarch64-apple-darwin}
    end
    on_intel do
{x86_64-apple-darwin}
    end
  end

  on_linux do
    on_arm do
{aarch64-unknown-linux-musl}
    end
    on_intel do
{x86_64-unknown-linux-musl}
    end
  end

  def install
    bin.install "dibber"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/dibber.bash" => "dibber"
    zsh_completion.install "completions/_dibber"
    fish_completion.install "completions/dibber.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/dibber --version")
  end
end
"""


def download_url(repository: str, file: str) -> str:
    """Returns where a file of this version's release is downloaded."""
    return f"{repository}/releases/download/v{VERSION}/{file}"


def installer(name: str, repository: str) -> bytes:
    """Returns an installer that installs this version."""
    text = (ROOT / "packaging" / name).read_text(encoding="utf-8")
    filled = text.replace("@VERSION@", VERSION).replace("@REPOSITORY@", repository)
    return filled.encode()


def formula(repository: str, directory: Path) -> bytes:
    """Returns the Homebrew formula for the archives in `directory`."""
    sources = {}
    for target in RELEASED:
        if target.node_os == "win32":
            continue
        url = download_url(repository, target.archive)
        checksum = sha256(directory / target.archive)
        sources[target.triple] = f'      url "{url}"\n      sha256 "{checksum}"'
    licenses = ", ".join(f'"{name}"' for name in LICENSE.split(" OR "))
    facts = {"description": DESCRIPTION, "repository": repository, "version": VERSION}
    facts |= {"licenses": licenses} | sources
    # Not `format`: Ruby has braces of its own.
    return re.sub(r"(?<!#)\{([\w-]+)\}", lambda match: facts[match[1]], FORMULA).encode()


def checksums(directory: Path) -> bytes:
    """Returns the checksums of all files in `directory`, as sha256sum writes them."""
    files = sorted(path for path in directory.iterdir() if path.name != CHECKSUMS)
    return "".join(f"{sha256(path)}  {path.name}\n" for path in files).encode()


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def notes() -> str:
    """Returns the section of this version in the changelog."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for section in changelog.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        if title.split()[0].strip("[]") == VERSION:
            return body.strip() + "\n"
    raise SystemExit(f"error: CHANGELOG.md of {NAME} has no section `## {VERSION}`")
