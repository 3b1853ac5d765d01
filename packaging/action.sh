#!/usr/bin/env bash
# The steps of action.yml. Its inputs come as variables, never as text of a script. The bash of macOS
# is 3.2.
set -euo pipefail

action=$(cd "$(dirname "$0")/.." && pwd)

# Prints the version of the action itself.
own_version() { sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' "$action/Cargo.toml"; }

# Decides which version is used, and where it is.
plan() {
  local version=${DIBBER_VERSION:-$(own_version)}
  if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
    echo "::error title=dibber::the input \`version\` must be a version such as 1.2.3"
    return 2
  fi
  {
    echo "version=$version"
    echo "directory=$RUNNER_TEMP/dibber-$version"
  } >>"$GITHUB_OUTPUT"
}

# Installs that version. The directory is not in PATH, so install.sh would say how to extend it.
install() {
  local page=$GITHUB_SERVER_URL/$DIBBER_REPOSITORY/releases/download/v$DIBBER_VERSION
  export DIBBER_DOWNLOAD_URL=${DIBBER_DOWNLOAD_URL:-$page}
  PATH=$DIBBER_INSTALL_DIR:$PATH sh "$action/packaging/install.sh"
}

# Runs dibber lint with the arguments of this function, those of the input `args`, and the paths.
run_lint() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    [[ $line =~ ^[[:space:]]*$ ]] || set -- "$@" "$line"
  done <<<"$DIBBER_ARGS"$'\n--\n'"$DIBBER_PATHS"
  "$DIBBER_INSTALL_DIR/dibber" lint "$@"
}

# Reports the findings: into a file for code scanning, if asked for, and as annotations.
lint() {
  if [ "$DIBBER_SARIF" = true ]; then
    local file=$RUNNER_TEMP/dibber.sarif code=0
    run_lint --quiet --format sarif --output "$file" || code=$?
    # 1 is findings; with a higher code, the report is not complete.
    [ "$code" -le 1 ] || return "$code"
    echo "sarif-file=$file" >>"$GITHUB_OUTPUT"
  fi
  run_lint --format github
}

"$1"
