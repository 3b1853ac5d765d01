#!/usr/bin/env bash
# What the conformance suite starts as a client: `dibber`, against the URL that comes last.
set -euo pipefail
dibber=$1
url=${*: -1}
DIBBER_DATA=$(mktemp -d)
export DIBBER_DATA
trap 'rm -rf "$DIBBER_DATA"' EXIT
case $MCP_CONFORMANCE_SCENARIO in
  tools_call) "$dibber" call add_numbers a:=5 b:=3 --server "$url" ;;
  *) "$dibber" tools --server "$url" ;;
esac
