#!/usr/bin/env bash
# `dibber` as a client of servers that others have written.
# foreign.sh DIBBER NODE PYTHON EVERYTHING
set -euo pipefail
dibber=$1 node=$2 python=$3 everything=$4
here=$(dirname "$0")
work=$(mktemp -d)
started=()
stop() {
  for id in "${started[@]}"; do kill "$id" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT
export DIBBER_DATA=$work/data

free_port() {
  "$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# listens PORT LOG: waits until something listens there.
listens() {
  for _ in $(seq 400); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return; fi
    sleep 0.05
  done
  cat "$2" >&2
  echo "nothing came to listen at port $1" >&2
  exit 1
}

# expect PATTERN COMMAND...: the command ends well, and its output matches.
expect() {
  local pattern=$1 output
  shift
  if ! output=$("$@" 2>&1) || ! grep -qE "$pattern" <<<"$output"; then
    printf '%s\nexpected of `%s`: %s\n' "$output" "$*" "$pattern" >&2
    exit 1
  fi
}

port=$(free_port)
PORT=$port "$node" "$everything" streamableHttp >"$work/everything.log" 2>&1 &
started+=($!)
listens "$port" "$work/everything.log"
url=http://127.0.0.1:$port/mcp
expect '^  protocol +20[0-9-]+$' "$dibber" status --server "$url"
expect '^echo  read-only' "$dibber" tools --server "$url"
expect 'message \(string' "$dibber" tools echo --server "$url"
expect 'Grüße' "$dibber" call echo message=Grüße --server "$url"
expect '12' "$dibber" call get-sum a:=5 b:=7 --server "$url"
echo "server-everything: $("$dibber" status --server "$url" | sed -n 's/^  protocol *//p')"

port=$(free_port)
"$python" "$here/foreign_server.py" "$port" >"$work/python.log" 2>&1 &
started+=($!)
listens "$port" "$work/python.log"
url=http://127.0.0.1:$port/mcp
expect '^  protocol +20[0-9-]+$' "$dibber" status --server "$url"
expect '^add( |$)' "$dibber" tools --server "$url"
expect '12' "$dibber" call add a:=5 b:=7 --server "$url"
if "$dibber" call fail --server "$url" 2>"$work/error"; then
  echo "the failure of a tool is not reported" >&2
  exit 1
fi
grep -q 'the tool answered with an error' "$work/error"
echo "mcp: $("$dibber" status --server "$url" | sed -n 's/^  protocol *//p')"
