#!/bin/sh
# Installs dibber for the current user, from a release and after its checksum.
#
#   DIBBER_INSTALL_DIR   where to: ~/.local/bin
#   DIBBER_VERSION       which version: the one of the release that this file is from
#   DIBBER_DOWNLOAD_URL  where that version's files are: the page of its release
#
# It changes nothing else: no profile, no system directory.
set -eu

fail() {
  printf 'error: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf 'help: %s\n' "$2" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# Prints the target of this machine's binary.
target() {
  system=$(uname -s)
  machine=$(uname -m)
  # A shell that macOS translates takes the machine for an Intel one.
  if [ "$system" = Darwin ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null || true)" = 1 ]; then
    machine=arm64
  fi
  case $machine in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "there is no binary for $system on $machine" "build it from source with cargo" ;;
  esac
  case $system in
    Linux) echo "$machine-unknown-linux-musl" ;;
    Darwin) echo "$machine-apple-darwin" ;;
    # Windows runs programs for x86-64 on ARM, too.
    MINGW* | MSYS* | CYGWIN*) echo x86_64-pc-windows-msvc ;;
    *) fail "there is no binary for $system" "build it from source with cargo" ;;
  esac
}

# download URL FILE
download() {
  case $1 in
    https://* | http://127.0.0.1:* | http://localhost:*) ;;
    *) fail "$1 is not an https address" ;;
  esac
  if has curl; then
    curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
  elif has wget; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is installed"
  fi || fail "cannot download $1"
}

# Prints the SHA-256 of a file.
sha256() {
  if has sha256sum; then
    sha256sum "$1"
  elif has shasum; then
    shasum -a 256 "$1"
  else
    fail "neither sha256sum nor shasum is installed"
  fi | cut -d ' ' -f 1
}

# verify FILE CHECKSUMS: compares a file with the list of checksums.
verify() {
  name=$(basename "$1")
  expected=$(awk -v name="$name" '$2 == name { print $1 }' "$2")
  [ -n "$expected" ] || fail "the checksums of the release do not list $name"
  actual=$(sha256 "$1")
  [ "$actual" = "$expected" ] \
    || fail "the checksum of $name is wrong: expected $expected, got $actual" \
      "nothing was installed; try again, and report it if it stays"
}

# unpack ARCHIVE DIRECTORY
unpack() {
  case $1 in
    *.zip) unzip -q "$1" -d "$2" ;;
    *) tar -xzf "$1" -C "$2" ;;
  esac || fail "cannot unpack $(basename "$1")"
}

main() {
  version=${DIBBER_VERSION:-@VERSION@}
  url=${DIBBER_DOWNLOAD_URL:-@REPOSITORY@/releases/download/v$version}
  case $url in
    @*) fail "this file is not from a release" "set DIBBER_VERSION and DIBBER_DOWNLOAD_URL" ;;
  esac
  directory=${DIBBER_INSTALL_DIR:-${HOME:?}/.local/bin}
  target=$(target)
  case $target in
    *windows*) archive=dibber-$target.zip program=dibber.exe ;;
    *) archive=dibber-$target.tar.gz program=dibber ;;
  esac

  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM HUP
  download "$url/$archive" "$work/$archive"
  download "$url/SHA256SUMS" "$work/SHA256SUMS"
  verify "$work/$archive" "$work/SHA256SUMS"
  unpack "$work/$archive" "$work"

  mkdir -p "$directory" || fail "cannot create $directory" "choose another DIBBER_INSTALL_DIR"
  # Beside its target and renamed: a running dibber is not overwritten.
  cp "$work/dibber-$target/$program" "$directory/.dibber.$$" \
    || fail "cannot write to $directory" "choose another DIBBER_INSTALL_DIR"
  chmod 755 "$directory/.dibber.$$"
  mv -f "$directory/.dibber.$$" "$directory/$program"
  echo "Installed $("$directory/$program" --version) in $directory"
  case ":$PATH:" in
    *":$directory:"*) ;;
    *)
      echo "It is not in your PATH yet. Add this line to the profile of your shell:"
      echo "  export PATH=\"$directory:\$PATH\""
      ;;
  esac
}

# At the end, so that a download that breaks off runs nothing.
main
