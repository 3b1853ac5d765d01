#!/usr/bin/env bash
# Conformance of the server with the protocol, and interoperation with clients of other makers.
# It needs npm and Python, and brings everything else into target/conformance.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=tests/conformance
cache=target/conformance
suite_version=0.2.0-alpha.12
everything_version=2026.8.31
mcp_version=2.3.0
fastmcp_version=4.1.6
# The clients of errors.mjs.
sdk_version=1.32.2
client_version=2.4.0
inspector_version=2.12.0

have() { command -v "$1" >/dev/null 2>&1; }
say() { printf -- '-- %s\n' "$*"; }

# need COMMAND PACKAGE...: installs the packages if the command is missing.
need() {
  local command=$1
  shift
  have "$command" && return
  if have apt-get; then
    apt-get update && apt-get install -y --no-install-recommends "$@" || true
  fi
  have "$command" || { echo "$command is missing and cannot be installed: $*" >&2; exit 1; }
}

need npm npm
need python3 python3 python3-venv
mkdir -p "$cache"
node="$cache/node_modules/.bin/node"
suite="$cache/node_modules/@modelcontextprotocol/conformance/dist/index.js"
everything="$cache/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
versions="$suite_version $everything_version $sdk_version $client_version $inspector_version"
if [ "$(cat "$cache/suite-version" 2>/dev/null)" != "$versions" ]; then
  say "installing the conformance suite $suite_version, server-everything and TypeScript clients"
  npm install --prefix "$cache" --no-save --no-audit --no-fund --loglevel=error \
    node@24 "@modelcontextprotocol/conformance@$suite_version" \
    "@modelcontextprotocol/server-everything@$everything_version" \
    "@modelcontextprotocol/sdk@$sdk_version" "@modelcontextprotocol/client@$client_version" \
    "@modelcontextprotocol/inspector@$inspector_version"
  "$node" --version
  echo "$versions" >"$cache/suite-version"
fi
python="$cache/python/bin/python"
versions="$mcp_version $fastmcp_version"
if [ "$(cat "$cache/mcp-version" 2>/dev/null)" != "$versions" ]; then
  say "installing the Python packages mcp $mcp_version and fastmcp $fastmcp_version"
  python3 -m venv "$cache/python"
  "$python" -m pip install --quiet --disable-pip-version-check "mcp==$mcp_version" \
    "fastmcp==$fastmcp_version"
  echo "$versions" >"$cache/mcp-version"
fi

# With the tests, so that the dependencies are those that they have built.
cargo build --locked --bin dibber --tests --example conformance-server \
  --example conformance-client
dibber=target/debug/dibber
work=$(mktemp -d)
started=()
stop() {
  for id in "${started[@]}"; do kill "$id" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT

# await FILE PATTERN: prints what matches in the file, as soon as it does.
await() {
  for _ in $(seq 200); do
    if grep -oE -m1 "$2" "$1"; then return; fi
    sleep 0.05
  done
  cat "$1" >&2
  echo "nothing came to listen" >&2
  exit 1
}

# check URL EXPECTED: every server scenario of the newest revision, and of the two before it.
check() {
  local result=0
  for which in '--requirements 2026-07-28' '--suite all --spec-version 2025-11-25' \
    '--suite all --spec-version 2025-06-18'; do
    say "$which of $1"
    # shellcheck disable=SC2086 # These are several words.
    if ! "$node" "$suite" server --url "$1" $which --expected-failures "$2" \
      >"$work/output" 2>&1; then
      cat "$work/output"
      result=1
    fi
    grep -E '^Total' "$work/output" || true
  done
  return "$result"
}

say "dibber serve"
unset DIBBER_DATA DIBBER_LOG DIBBER_SERVER DIBBER_TOKEN
skills="$work/skills"
mkdir -p "$skills/ferns/more files" "$skills/ferns/inner"
printf -- '---\nname: ferns\ndescription: Waters ferns.\nversion: 1.10\n---\n' >"$skills/ferns/SKILL.md"
printf -- '---\nname: inner\ndescription: Waters what is inside.\n---\n' >"$skills/ferns/inner/SKILL.md"
printf 'a\r\nb' >"$skills/ferns/more files/ä&b.txt"
head -c 5000 /dev/urandom >"$skills/ferns/more files/picture.png"
"$dibber" serve --listen 127.0.0.1:0 --data "$work/data" --skills "$skills" 2>"$work/serve.log" &
started+=($!)
url=$(await "$work/serve.log" 'http://127[^ ]*/mcp')
port=${url##*:}
"$node" "$here/authorize.mjs" "${port%/mcp}" "$work/data/token" >"$work/proxy.port" &
started+=($!)
proxy=$(await "$work/proxy.port" '[0-9]+')
check "http://127.0.0.1:$proxy/mcp" "$here/dibber.yaml"

say "its skills"
# Scenarios of extensions are part of no suite.
for scenario in sep-2640-skills-enumeration sep-2640-skills-manifest sep-2640-skills-directory; do
  for version in 2026-07-28 2025-11-25; do
    if ! "$node" "$suite" server --url "http://127.0.0.1:$proxy/mcp" --scenario "$scenario" \
      --spec-version "$version" --force >"$work/output" 2>&1; then
      cat "$work/output"
      exit 1
    fi
  done
done
# Packages are looked for beside the script.
cp "$here/skills.mjs" "$cache/"
"$node" "$cache/skills.mjs" "$url" "$work/data/token" "$skills"
"$python" "$here/skills.py" "$url" "$work/data/token" "$skills"
inspector="$cache/node_modules/.bin/mcp-inspector"
PATH="$PWD/$cache/node_modules/.bin:$PATH" HOME="$work" "$inspector" --cli "$url" --transport http \
  --header "Authorization: Bearer $(cat "$work/data/token")" --method skills/list --verify 2>&1 \
  | grep -F 'no conformance errors'

say "the server with the fixtures of the suite"
target/debug/examples/conformance-server >"$work/fixtures.url" &
started+=($!)
check "$(await "$work/fixtures.url" 'http://[^ ]*')" "$here/fixtures.yaml"

say "the Python client"
"$python" "$here/interop.py" "$dibber" "$url" "$work/data/token" "$work/data"

say "signing in with the Python client"
"$python" "$here/sign_in.py" "$PWD/$dibber" "$url" "$work/data"

say "the scenarios of authorization servers"
"$python" "$here/authorization.py" "$PWD/$dibber" "$url" "$work/data" "$node" "$suite"

say "the TypeScript clients and the Inspector"
# Packages are looked for beside the script.
cp "$here/errors.mjs" "$cache/"
"$node" "$cache/errors.mjs" "$dibber"

say "dibber as a client"
# Every client scenario of the suite, except:
# - auth/*: `dibber login` signs in for a person, with a browser; the scenarios want a client that does it
#   while it calls.
for scenario in initialize:2025-06-18 initialize:2025-11-25 \
  tools_call:2025-06-18 tools_call:2025-11-25 tools_call:2026-07-28 \
  elicitation-sep1034-client-defaults:2025-11-25 sse-retry:2025-11-25 request-metadata:2026-07-28 \
  sep-2322-client-request-state:2026-07-28 http-standard-headers:2026-07-28 \
  http-custom-headers:2026-07-28 http-invalid-tool-headers:2026-07-28 \
  json-schema-ref-no-deref:2026-07-28 json-schema-2020-12-preservation:2025-11-25 \
  json-schema-2020-12-preservation:2026-07-28 \
  sep-2640-client-no-prefetch:2026-07-28 sep-2640-client-verify-size:2026-07-28 \
  sep-2640-client-verify-digest:2026-07-28 sep-2640-client-verify-frontmatter:2026-07-28 \
  sep-2640-client-verify-frontmatter:2025-11-25; do
  say "$scenario"
  if ! "$node" "$suite" client --command "$here/client.sh $PWD/$dibber" \
    --scenario "${scenario%:*}" --spec-version "${scenario#*:}" --force >"$work/output" 2>&1; then
    cat "$work/output"
    exit 1
  fi
done

say "servers of other makers"
"$here/foreign.sh" "$PWD/$dibber" "$node" "$python" "$everything"

say "editors and agents of the Agent Client Protocol"
"$here/acp/run.sh" "$dibber"
