"""Runs dibber on inputs of n, 2n, 4n and 8n, and fails when the work grows faster than it may.

Instructions are counted, not time, so that the result is the same on every machine. What a run
costs without any input is in every count; the differences between counts are free of it, and of
twice the input comes twice the difference when the work is linear.

    growth.py DIBBER [CASE...]
"""

import math
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# The greatest exponent of the size that the work may have. Linear work with a logarithm in it
# stays below 1.1.
EXPONENT_MAX = 1.2
# A difference of fewer instructions (2 million) is noise: hash tables have random seeds.
NOISE = 2_000_000
DOUBLINGS = 3

SKILL = "---\nname: {name}\ndescription: Waters the plants. Use when somebody asks.\n{fields}---\n{body}"


def skill(directory, name="s", fields="", body="# Plants\n"):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "SKILL.md").write_text(SKILL.format(name=name, fields=fields, body=body))


def with_body(unit):
    return lambda root, n: skill(root / "s", body=unit * n)


def with_fields(unit):
    return lambda root, n: skill(root / "s", fields=unit * n)


def numbered_fields(unit):
    return lambda root, n: skill(root / "s", fields="".join(unit.format(i) for i in range(n)))


def with_configuration(write):
    def make(root, n):
        skill(root / "s")
        (root / "dibber.toml").write_text(write(n))

    return make


def with_name(body):
    def make(root, n):
        skill(root / "s", body=body * n)
        names = root.parent / "names"
        names.write_text("Ana\n")
        names.chmod(0o600)

    return make


def nested(root, n):
    directory = root
    for _ in range(n):
        directory = directory / "s"
        skill(directory)


def nested_tree(root, n):
    """Each skill has two in it, so that paths stay short."""
    for i in range(1, n + 1):
        skill(root.joinpath("s", *(f"s{bit}" for bit in f"{i:b}"[1:])))


def with_code(head, unit):
    """A skill of the Skills Protocol whose file repeats a unit."""

    def make(root, n):
        directory = root / "family.dates.days"
        skill(directory, name="Days")
        (directory / "code").mkdir()
        (directory / "code/main.py").write_text(head + unit * n)
        (directory / "skill.toml").write_text(
            'name = "family.dates.days"\nversion = "0.1.0"\ndescription = "Counts."\nkind = "action"\n'
            '[runtime]\nlanguage = "python"\nentrypoint = "code/main.py"\n'
        )

    return make


def side_by_side(root, n):
    for i in range(n):
        skill(root / f"s{i}", name=f"s{i}", body="# Plants\n\nSee [soil](references/soil.md).\n")
        (root / f"s{i}/references").mkdir()
        (root / f"s{i}/references/soil.md").write_text("Soil.\n")


def deep_directories(root, n):
    skill(root / "s")
    directory = str(root)
    for _ in range(n):
        directory += "/d"
        os.mkdir(directory)


def ignore_rules(root, n):
    skill(root / "s")
    (root / ".gitignore").write_text("".join(f"/a{i}/*.x\n" for i in range(n)))


def heartbeats(root, n):
    skill(root / "s")
    beats = "".join(f"  - name: h{i}\n    cron: {i % 60} 7 * * 1\n" for i in range(n))
    (root / "s/sprout.yaml").write_text("heartbeats:\n" + beats)


def schedules(root, n):
    (root / "schedules").write_text("* * * * *\n" * n)


def random_pattern(n):
    return "".join(random.Random(n).choices("abcdefghijklmnopqrstuvwxyz", k=n))


def waived_findings(root, n):
    waivers = "".join(
        f'[[lint.waivers]]\nrule = "placeholder-text"\npath = "s{i}"\nreason = "r"\n' for i in range(n)
    )
    (root / "dibber.toml").write_text(waivers)
    for i in range(n):
        skill(root / f"s{i}", name=f"s{i}", body="# X\n\nTODO: write\n")


def lock(root, n):
    skill(root / "s")
    data = root.parent / "data"
    data.mkdir(mode=0o700)
    entry = '[[skill]]\npath = "/s{0}"\nserver = "local"\nskillId = "sk_{0}"\nspecHash = "h_{1}"\ntime = "2026-01-01T00:00:00Z"\n'
    (data / "dibber.lock").write_text("version = 1\n" + "".join(entry.format(i, "0" * 64) for i in range(n)))


LINT = ["lint", "--quiet"]
FIX = ["lint", "--quiet", "--fix", "--unsafe-fixes"]

# A name, the least size, how to make an input of a size, and the command.
CASES = [
    ("pattern-in-exclude", 500, with_configuration(lambda n: f'[lint]\nexclude = ["{"a" * n}/*"]\n'), LINT),
    ("random-pattern-in-exclude", 500, with_configuration(
        lambda n: f'[lint]\nexclude = ["{random_pattern(n)}/*"]\n'), LINT),
    ("path-in-exclude", 500, with_configuration(lambda n: f'[lint]\nexclude = ["{"a" * n}"]\n'), LINT),
    ("pattern-in-overrides", 500, with_configuration(
        lambda n: f'[[lint.overrides]]\npaths = ["{"ab" * (n // 2)}"]\nlevels = {{ secret = "warn" }}\n'), LINT),
    ("pattern-in-waivers", 500, with_configuration(
        lambda n: f'[[lint.waivers]]\nrule = "secret"\nreason = "r"\npath = "{"a" * n}"\n'), LINT),
    ("many-patterns", 40, with_configuration(
        lambda n: f'[lint]\nexclude = [{", ".join(f"{chr(34)}a{i}*{chr(34)}" for i in range(n))}]\n'), LINT),
    ("name-joined", 500, with_name("Ana"), ["dry-run"]),
    ("name-joined-not-ascii", 400, with_name("Anaé"), ["dry-run"]),
    ("escapes", 500, with_name("\\n%41\\x41&#65;"), LINT),
    ("escapes-between-signs", 500, with_name('"\\n", "%41": '), LINT),
    ("escapes-and-anchors", 500, with_name("eyJ\\n AKIA%41\n"), LINT),
    # The bytes of the paths grow with the square of the depth, so that many more skills are a tree.
    ("nested-lint", 12, nested, LINT),
    ("nested-tree-lint", 100, nested_tree, LINT),
    ("nested-dry-run", 12, nested, ["dry-run", "--json"]),
    ("nested-fix", 12, nested, ["lint", "--quiet", "--fix", "--diff"]),
    ("side-by-side", 20, side_by_side, LINT),
    # Each directory is opened by its path, so that much deeper the bytes of the paths count, which grow
    # with the square; no path has more than 4,096.
    ("deep-directories", 50, deep_directories, LINT),
    ("ignore-rules", 250, ignore_rules, LINT),
    ("frontmatter-list-items", 100, numbered_fields("k{}: - a\n"), FIX),
    ("frontmatter-directives", 100, numbered_fields("k{}: %YAML\n"), FIX),
    ("frontmatter-no-break-spaces", 100, numbered_fields("k{}:\u00a0v\n"), FIX),
    ("frontmatter-at-signs", 100, numbered_fields("k{}: @v\n"), FIX),
    ("frontmatter-asterisks", 100, numbered_fields("k{}: *v\n"), FIX),
    ("frontmatter-colons", 100, numbered_fields("k{}: a: b\n"), FIX),
    ("flow-nesting", 500, with_fields("["), LINT),
    ("flow-nesting-closed", 500, lambda root, n: skill(root / "s", fields="k: " + "[" * n + "]" * n + "\n"), LINT),
    ("block-nesting", 10, numbered_fields("k{}:\n" + "".join(" " * i + "k:\n" for i in range(1, 12))), LINT),
    ("long-body", 1_000, with_body("Look at the soil first.\n"), LINT),
    ("links", 500, with_body("[r](references/r.md)\n"), LINT),
    ("reference-definitions", 1_000, with_body("[r]: x\n"), FIX),
    ("python-methods", 200, with_code("class A:\n", "    def main(self): pass\n"), LINT),
    ("python-secrets", 200, with_code("import runtime\n", "x = f'{runtime.secrets[\"A\"]}'\n"), LINT),
    ("waiver-comments", 100, with_body("<!-- dibber: allow secret — r -->\n\n"), LINT),
    ("waived-findings", 20, waived_findings, LINT),
    ("heartbeats", 20, heartbeats, LINT),
    ("schedules-together", 1, schedules,
        ["heartbeat", "preview", "--together", "--from", "2026-01-01", "--cron-file", "schedules"]),
    ("lock-entries", 100, lock, ["diff", "s"]),
]


def count(dibber, case, n):
    """The instructions of one run."""
    _, _, make, arguments = case
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve() / "root"
        root.mkdir()
        make(root, n)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(root.parent),
            "DIBBER_DATA": str(root.parent / "data"),
            "DIBBER_NAMES": str(root.parent / "names"),
        }
        counted = root.parent / "counted"
        ended = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
             f"--log-file={counted}", dibber, *arguments],
            cwd=root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        found = re.search(r"I\s+refs:\s+([\d,]+)", counted.read_text())
        # A panic ends with 101 or a signal, a command line that is wrong with 2. A schedule that a
        # server would refuse ends with 3.
        if not found or ended.returncode not in (0, 1, 3):
            raise SystemExit(f"{case[0]}: exit code {ended.returncode}\n{ended.stderr}")
        return int(found[1].replace(",", ""))


def exponent(counts):
    """The exponent between the last two doublings."""
    before, last = counts[2] - counts[1], counts[3] - counts[2]
    if last < NOISE:
        return 0.0
    return math.log2(last / max(before, 1))


def main():
    # Removing a deep tree of directories takes a call for each level.
    sys.setrecursionlimit(10_000)
    dibber, *names = sys.argv[1:]
    dibber = str(Path(dibber).resolve())
    cases = [case for case in CASES if not names or case[0] in names]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = [
            [pool.submit(count, dibber, case, case[1] << doubling) for doubling in range(DOUBLINGS + 1)]
            for case in cases
        ]
        failed = []
        print(f"{'case':30}{'n':>8}  {'million instructions of n, 2n, 4n, 8n':40}exponent")
        for case, futures in zip(cases, counts):
            counted = [future.result() for future in futures]
            grown = exponent(counted)
            shown = " ".join(f"{number / 1e6:9.1f}" for number in counted)
            print(f"{case[0]:30}{case[1]:8}  {shown:40}{grown:8.2f}", flush=True)
            if grown > EXPONENT_MAX:
                failed.append(case[0])
    if failed:
        raise SystemExit(f"grows faster than n^{EXPONENT_MAX}: {', '.join(failed)}")


main()
