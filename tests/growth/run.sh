#!/usr/bin/env bash
# Growth: how the work of a command grows with the size of its input, counted in instructions.
# It needs Python and valgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."

# need COMMAND PACKAGE: installs the package if the command is missing.
need() {
  command -v "$1" >/dev/null 2>&1 && return
  if command -v apt-get >/dev/null 2>&1; then
    apt-get update && apt-get install -y --no-install-recommends "$2" || true
  fi
  command -v "$1" >/dev/null 2>&1 || { echo "$1 is missing and cannot be installed" >&2; exit 1; }
}

need python3 python3
need valgrind valgrind
# With the tests, so that the dependencies are those that they have built.
cargo build --locked --bin dibber --tests
# Reading what a debugger wants to know takes valgrind longer than most runs.
mkdir -p target/growth
strip -o target/growth/dibber target/debug/dibber
exec python3 tests/growth/growth.py target/growth/dibber "$@"
