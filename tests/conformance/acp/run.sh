#!/usr/bin/env bash
# `dibber acp proxy` between editors and agents of the official SDKs of TypeScript and Python, and, with
# DIBBER_TEST_CONDUCTOR=1, as a component of the conductor of the Rust SDK, which takes minutes to build.
# The first argument is the program; it needs npm and Python, and brings everything else into
# target/conformance/acp.
set -euo pipefail
dibber=$(realpath "$1")
cd "$(dirname "$0")/../../.."
here=tests/conformance/acp
cache=$PWD/target/conformance/acp
sdk_version=2.4.0
python_version=0.12.1
conductor_version=5.0.0

mkdir -p "$cache"
if [ "$(cat "$cache/versions" 2>/dev/null)" != "$sdk_version $python_version" ]; then
  npm install --prefix "$cache" --no-save --no-audit --no-fund --loglevel=error \
    node@24 "@agentclientprotocol/sdk@$sdk_version"
  python3 -m venv "$cache/python"
  "$cache/python/bin/python" -m pip install --quiet --disable-pip-version-check \
    "agent-client-protocol==$python_version"
  echo "$sdk_version $python_version" >"$cache/versions"
fi
node="$cache/node_modules/.bin/node"
python="$cache/python/bin/python"
# The imports of a module are looked up beside it.
cp "$here/peer.mjs" "$cache/peer.mjs"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/notes" "$work/taken"
printf -- '---\nname: notes\ndescription: Writes notes.\n---\nWrite $ARGUMENTS.\n' >"$work/notes/SKILL.md"
printf -- '---\nname: taken\ndescription: Takes notes.\n---\nTake $ARGUMENTS.\n' >"$work/taken/SKILL.md"

agents=("$node $cache/peer.mjs agent 1" "$python $here/peer.py agent")
clients=("$node $cache/peer.mjs client 1" "$python $here/peer.py client")
for agent in "${agents[@]}"; do
  for client in "${clients[@]}"; do
    echo "-- $(basename "${client%% *}") with $(basename "${agent%% *}")"
    $client "$dibber" acp proxy --skills "$work" -- $agent
  done
done
echo "-- version 2: node with node"
"$node" "$cache/peer.mjs" client 2 "$dibber" acp proxy --skills "$work" -- \
  "$node" "$cache/peer.mjs" agent 2
echo "-- what an agent offers"
"$dibber" acp browse --json -- "$python" "$here/peer.py" agent | grep -q '"name": "own"'

echo "-- the types of the Rust SDK"
cargo build --quiet --locked --manifest-path "$here/schema/Cargo.toml" --target-dir "$cache/schema"
for form in commands commands-v2 skills v2; do
  "$dibber" acp emit "$work" --as "$form" | "$cache/schema/debug/acp-schema-check" "$form"
done

if [ -n "${DIBBER_TEST_CONDUCTOR:-}" ]; then
  cargo install --quiet --locked --root "$cache" \
    "agent-client-protocol-conductor@$conductor_version"
  for agent in "${agents[@]}"; do
    for client in "${clients[@]}"; do
      echo "-- in the conductor: $(basename "${client%% *}") with $(basename "${agent%% *}")"
      $client "$cache/bin/agent-client-protocol-conductor" agent \
        "$dibber acp proxy --skills $work --conductor" "$agent"
    done
  done
fi
echo "-- all passed"
