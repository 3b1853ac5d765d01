#!/usr/bin/env bash
# Packaging: what a release would contain is packed with the program of this checkout, installed in
# clean directories, and run. Loopback only. It needs Python 3.11; what needs npm, a virtual
# environment or pre-commit is skipped without it.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD

have() { command -v "$1" >/dev/null 2>&1; }

passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)) && echo "ok       $1"; }
not_ok() { failed=$((failed + 1)) && echo "FAILED   $1${2:+: $2}"; }
skip() { skipped=$((skipped + 1)) && echo "skipped: $1"; }

# equal WHAT ACTUAL EXPECTED
equal() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got \`$2\`, expected \`$3\`"; fi; }

# has WHAT TEXT PART
has() { case $2 in *"$3"*) ok "$1" ;; *) not_ok "$1" "no \`$3\` in: $2" ;; esac; }

# ends WHAT CODE COMMAND...: the command ends with that code; its output is in $output.
ends() {
  local what=$1 expected=$2 code=0
  shift 2
  output=$("$@" 2>&1) || code=$?
  if [ "$code" = "$expected" ]; then ok "$what"; else not_ok "$what" "exit code $code: $output"; fi
}

work=$(mktemp -d)
server=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
# Nothing of the user's own is read or changed.
export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
home=$work/home
mkdir "$home"

for script in packaging/*.sh tests/packaging/run.sh; do bash -n "$script"; done
sh -n packaging/install.sh
if have shellcheck; then ends "shellcheck" 0 shellcheck --severity=warning packaging/*.sh tests/packaging/run.sh; else skip "no shellcheck"; fi
if ! python3 -c 'import tomllib' 2>/dev/null; then
  skip "no Python 3.11"
  echo "$passed passed, $failed failed, $skipped skipped"
  exit $((failed > 0))
fi
export PYTHONDONTWRITEBYTECODE=1

# With the tests, so that the dependencies are those that they have built.
cargo build --quiet --locked --bin dibber --tests
program=$work/program
cp target/debug/dibber "$program"
if have strip; then strip "$program"; fi
host=$(rustc -vV | sed -n 's/^host: //p')
case $host in
  x86_64-*-linux-*) released=x86_64-unknown-linux-musl ;;
  aarch64-*-linux-*) released=aarch64-unknown-linux-musl ;;
  *-apple-darwin) released=$host ;;
  *) echo "no packages are made for $host" >&2 && exit 1 ;;
esac
version=$(python3 packaging/pack.py version)
repository=https://github.com/OWNER/dibber
pack() { python3 packaging/pack.py "$@" --repository "$repository" >/dev/null; }

# -- what is packed ------------------------------------------------------------------------------

equal "one version" "$("$program" --version)" "dibber $version"
equal "the examples have that version" \
  "$(grep -ohE '(dibber@v|download/v|dibber/v|rev: v|OWNER/dibber:)[0-9.]+[0-9]' docs/src/*.md packaging/gitlab/lint.yml \
    | sed 's/^[^0-9]*//' | sort -u)" "$version"
equal "a pre-release in Python" "$(cd packaging && python3 -c 'from wheel import python_version as v
print(v("1.2.3"), v("1.2.3-rc.1"), v("1.2.3-alpha.2"))')" "1.2.3 1.2.3rc1 1.2.3a2"
dist=$work/dist local=$work/local
# The other systems' programs are not built here; any file shows how they are packed.
echo "another system" >"$work/other"
for target in aarch64-apple-darwin aarch64-unknown-linux-musl x86_64-apple-darwin \
  x86_64-pc-windows-msvc x86_64-unknown-linux-musl; do
  binary=$work/other
  [ "$target" != "$released" ] || binary=$program
  pack binary --target "$target" --binary "$binary" --out "$dist"
done
pack launcher --out "$dist"
pack release --out "$dist"
# Of this machine's own, whatever its C library is.
pack binary --target "$host" --binary "$program" --out "$local"

pack binary --target aarch64-apple-darwin --binary "$work/other" --out "$work/again"
for file in "$work/again"/*; do
  equal "the same twice: ${file##*/}" "$(cksum <"$file")" "$(cksum <"$dist/${file##*/}")"
done
ends "checksums" 0 sh -c "cd '$dist' && { sha256sum -c --quiet SHA256SUMS || shasum -a 256 -c SHA256SUMS; }"
equal "every file has a checksum" "$(wc -l <"$dist/SHA256SUMS" | tr -d ' ')" "$(($(find "$dist" -type f | wc -l) - 1))"
listed=$(tar -tzf "$dist/dibber-$released.tar.gz")
for part in LICENSE-MIT README.md man/dibber-lint.1 completions/_dibber; do
  has "the archive has $part" "$listed" "dibber-$released/$part"
done
formula=$(cat "$dist/dibber.rb")
has "the formula has the checksum" "$formula" "$(awk -v name="dibber-$released.tar.gz" '$2 == name { print $1 }' "$dist/SHA256SUMS")"
has "the formula has the address" "$formula" "$repository/releases/download/v$version/dibber-$released.tar.gz"
if have ruby; then ends "the formula is Ruby" 0 ruby -c "$dist/dibber.rb"; else skip "no ruby"; fi
case $(cat "$dist/install.sh" "$dist/install.ps1" "$dist/dibber.rb") in
  *@VERSION@* | *@REPOSITORY@*) not_ok "the installers are filled in" ;;
  *) ok "the installers are filled in" ;;
esac

# -- Python and npm ------------------------------------------------------------------------------

if python3 -m venv "$work/venv" >/dev/null 2>&1; then
  ends "pip installs the wheel" 0 "$work/venv/bin/python" -m pip install --quiet --no-index \
    --disable-pip-version-check "$local"/*.whl
  ends "the wheel's program runs" 0 "$work/venv/bin/dibber" --version
  equal "the wheel's version" "$output" "dibber $version"
  has "the wheel's metadata" "$("$work/venv/bin/python" -m pip show dibber-cli 2>/dev/null)" "Version: $version"
else
  skip "no virtual environments"
fi

if have npm && have node; then
  mkdir "$work/npm"
  ends "npm installs the packages" 0 npm install --prefix "$work/npm" --offline --omit=optional \
    --no-audit --no-fund --loglevel=error "$dist/dibber-cli-$version.tgz" "$local"/*.tgz
  launched=$work/npm/node_modules/.bin/dibber
  ends "the npm package's program runs" 0 "$launched" --version
  equal "the npm package's version" "$output" "dibber $version"
  ends "the launcher passes the exit code on" 2 "$launched" lint "$work/missing"
  node=$(node -p '`${process.platform}-${process.arch}`')
  rm -r "$work/npm/node_modules/dibber-cli-$node"
  ends "the launcher without a program" 2 "$launched" --version
  has "the launcher says what is missing" "$output" "dibber-cli-$node is not installed"
else
  skip "no npm"
fi

# -- install.sh ----------------------------------------------------------------------------------

python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$dist" >"$work/server" 2>/dev/null &
server=$!
port=
while [ -z "$port" ]; do
  kill -0 "$server" || { echo "the file server does not start" >&2 && exit 1; }
  port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$work/server")
done
export DIBBER_DOWNLOAD_URL=http://127.0.0.1:$port

ends "install.sh installs" 0 env HOME="$home" sh "$dist/install.sh"
has "it says what it installed" "$output" "Installed dibber $version in $home/.local/bin"
has "it says how to extend PATH" "$output" "export PATH=\"$home/.local/bin:\$PATH\""
equal "it leaves nothing else" "$(cd "$home" && find . -type f)" "./.local/bin/dibber"
ends "install.sh replaces a version" 0 env DIBBER_INSTALL_DIR="$work/with space" PATH="$work/with space:$PATH" sh "$dist/install.sh"
equal "it is quiet about PATH" "$output" "Installed dibber $version in $work/with space"
# From the checkout, as the action does.
ends "install.sh of the sources" 0 env DIBBER_VERSION="$version" DIBBER_INSTALL_DIR="$work/own" sh packaging/install.sh
ends "install.sh of the sources alone" 1 env -u DIBBER_DOWNLOAD_URL sh packaging/install.sh
has "it says so" "$output" "not from a release"
ends "install.sh over http" 1 env DIBBER_DOWNLOAD_URL=http://192.0.2.1 sh "$dist/install.sh"
has "it refuses" "$output" "not an https address"

mkdir "$dist/broken" "$dist/unlisted"
sed "s/^[0-9a-f]\{8\}/00000000/" "$dist/SHA256SUMS" >"$dist/broken/SHA256SUMS"
: >"$dist/unlisted/SHA256SUMS"
for directory in broken unlisted; do
  cp "$dist/dibber-$released.tar.gz" "$dist/$directory/"
  ends "install.sh and a checksum that is $directory" 1 env DIBBER_DOWNLOAD_URL="$DIBBER_DOWNLOAD_URL/$directory" \
    DIBBER_INSTALL_DIR="$work/$directory" sh "$dist/install.sh"
  if [ -e "$work/$directory" ]; then not_ok "nothing is installed ($directory)"; else ok "nothing is installed ($directory)"; fi
done
ends "install.sh and a release that is not there" 1 env DIBBER_DOWNLOAD_URL="$DIBBER_DOWNLOAD_URL/none" sh "$dist/install.sh"
has "it names the address" "$output" "cannot download $DIBBER_DOWNLOAD_URL/none/dibber-$released.tar.gz"

# -- the hook and the action, in a repository ----------------------------------------------------

repository_with_skills=$work/repository
mkdir -p "$repository_with_skills/skills/garden"
cd "$repository_with_skills"
printf -- '---\nname: garden\ndescription: Plans the beds of a garden. Use it in spring.\n---\n\nSee [the soil](soil.md).\n' >skills/garden/SKILL.md
echo "Clay." >skills/garden/soil.md
echo "# Notes" >README.md
mkdir "a directory" && echo "x" >"a directory/a file.txt"

export PATH="$home/.local/bin:$PATH"
read -ra hook <<<"$(sed -n 's/^  entry: //p' "$root/.pre-commit-hooks.yaml" | sort -u)"
ends "the hook on all files" 0 "${hook[@]}" README.md "a directory/a file.txt" skills/garden/SKILL.md skills/garden/soil.md
has "it checks the skill" "$output" "1 skill"
ends "the hook on files outside of skills" 0 "${hook[@]}" README.md
echo "[gone](gone.md)" >skills/garden/soil.md
ends "the hook on a file of a skill" 1 "${hook[@]}" --deny-warnings README.md skills/garden/soil.md
has "it shows the finding" "$output" "broken-link"

printf -- '---\nname: garden\n---\n\nPlan the beds.\n' >skills/garden/SKILL.md
if have pre-commit && have git; then
  export PRE_COMMIT_HOME=$work/pre-commit
  git init --quiet . && git add .
  ends "pre-commit" 1 pre-commit try-repo "$root" dibber-system --all-files
  has "pre-commit shows the finding" "$output" "missing-description"
  git rm --quiet --cached -r skills
  ends "pre-commit without a skill" 0 pre-commit try-repo "$root" dibber-system --all-files
else
  skip "no pre-commit"
fi

export GITHUB_OUTPUT=$work/outputs RUNNER_TEMP=$work/runner GITHUB_SERVER_URL=https://github.com
mkdir "$RUNNER_TEMP"
# step NAME [VARIABLE=VALUE]...: a step of the action; its outputs are in $outputs.
step() { env "${@:2}" bash "$root/packaging/action.sh" "$1"; }
ends "the action plans" 0 step plan
equal "its version is its own" "$(cat "$GITHUB_OUTPUT")" "version=$version"$'\n'"directory=$RUNNER_TEMP/dibber-$version"
ends "the action refuses what is not a version" 2 step plan 'DIBBER_VERSION=1.2.3/../x'
cache=$RUNNER_TEMP/dibber-$version
ends "the action installs" 0 step install DIBBER_VERSION="$version" DIBBER_INSTALL_DIR="$cache" DIBBER_REPOSITORY=OWNER/dibber
equal "without advice about PATH" "$output" "Installed dibber $version in $cache"
lint=(DIBBER_INSTALL_DIR="$cache" DIBBER_ARGS= DIBBER_PATHS=.)
ends "the action finds" 1 step lint "${lint[@]}" DIBBER_SARIF=false
has "it annotates" "$output" "::error file=skills/garden/SKILL.md"
ends "the action with code scanning" 1 step lint "${lint[@]}" DIBBER_SARIF=true
has "it says where the report is" "$(cat "$GITHUB_OUTPUT")" "sarif-file=$RUNNER_TEMP/dibber.sarif"
has "the report has the finding" "$(cat "$RUNNER_TEMP/dibber.sarif")" '"missing-description"'
ends "the action with arguments" 0 step lint "${lint[@]}" DIBBER_SARIF=true DIBBER_ARGS=$'--level\nall=allow\n' \
  DIBBER_PATHS=$'skills/garden\n\n  \nskills/garden/SKILL.md\n'
ends "the action on a path that is not there" 2 step lint "${lint[@]}" DIBBER_SARIF=true DIBBER_PATHS=missing

echo "$passed passed, $failed failed, $skipped skipped"
exit $((failed > 0))
