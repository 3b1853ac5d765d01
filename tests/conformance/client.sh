#!/usr/bin/env bash
# What the conformance suite starts as a client: `dibber`, or a client of its library that reads skills,
# against the URL that comes last.
set -euo pipefail
dibber=$1
url=${*: -1}
here=$(dirname "$0")
DIBBER_DATA=$(mktemp -d)
export DIBBER_DATA
trap 'rm -rf "$DIBBER_DATA"' EXIT

dibber() { "$dibber" "$@" --server "$url"; }
# A question of the server needs a terminal.
at_terminal() { python3 "$here/terminal.py" "$dibber" "$@" --server "$url"; }

skills=$(dirname "$dibber")/examples/conformance-client

case $MCP_CONFORMANCE_SCENARIO in
  sep-2640-client-no-prefetch) "$skills" "$url" ;;
  sep-2640-client-*)
    if "$skills" --read "$url"; then
      echo "a skill was read that is not the one that is listed" >&2
      exit 1
    fi
    ;;
  sse-retry) dibber call test_reconnection ;;
  tools_call) dibber call add_numbers a:=5 b:=3 ;;
  http-invalid-tool-headers) dibber call valid_tool region=here ;;
  json-schema-2020-12-preservation)
    schema=$(dibber tools json_schema_2020_12_tool --json \
      | python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)["items"][0]["inputSchema"]))')
    dibber call json_schema_echo "schema:=$schema"
    ;;
  http-custom-headers)
    # The calls are those that the suite asks for.
    python3 -c 'import json, os
for call in json.loads(os.environ["MCP_CONFORMANCE_CONTEXT"])["toolCalls"]:
    print(call["name"], json.dumps(call["arguments"]), sep="\t")' \
      | while IFS=$'\t' read -r tool arguments; do
        "$dibber" call "$tool" --args-json - --server "$url" <<<"$arguments"
      done
    ;;
  sep-2322-client-request-state)
    for tool in test_mrtr_echo_state test_mrtr_no_state test_mrtr_unrelated \
      test_mrtr_no_result_type; do
      at_terminal call "$tool"
    done
    ;;
  elicitation-sep1034-client-defaults) at_terminal call test_client_elicitation_defaults ;;
  http-standard-headers)
    dibber tools
    dibber resources
    dibber prompts
    ;;
  *) dibber tools ;;
esac
