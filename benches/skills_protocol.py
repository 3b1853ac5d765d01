"""Measures runs, blobs and lists of the Skills Protocol beside other ways to start Python.

    skills_protocol.py DIBBER [--quick]

Needs only the standard library. What is not installed is left out, and named. Rounds of the first part
are interleaved, so that a busy machine slows all of them; medians are shown.
"""

import base64
import http.client
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

QUICK = "--quick" in sys.argv
ROUNDS = 3 if QUICK else 40
SECONDS = 1 if QUICK else 20
CALLERS = 2
BLOB_BYTES = (2 if QUICK else 100) * 1_000_000
SKILLS = 100 if QUICK else 10_000
PAGES = 5 if QUICK else 50
IMAGE = os.environ.get("DIBBER_BENCH_IMAGE", "python:3.13-slim")
# As root, the code runs as another user, who cannot read an interpreter in the home of root.
PYTHON = next((path for path in ["/usr/bin/python3"] if os.path.exists(path)), sys.executable)
EMPTY = "def main(args):\n    return None\n"


def milliseconds(seconds):
    return f"{seconds * 1000:.1f} ms"


def run(command, environment, text=None):
    """Runs a command, and returns how long it took; none if it fails."""
    start = time.monotonic()
    ended = subprocess.run(
        command, env=environment, input=text, capture_output=True, text=True, timeout=120
    )
    return time.monotonic() - start if ended.returncode == 0 else None


def starts(dibber, environment):
    """Times from start to exit, side by side."""
    rows = {
        "python3 -c pass": ([PYTHON, "-c", "pass"], None),
        "dibber run --code -": ([dibber, "run", "--code", "-"], EMPTY),
        "bwrap --ro-bind / / python3 -c pass": (
            ["bwrap", "--ro-bind", "/", "/", PYTHON, "-c", "pass"],
            None,
        ),
        f"docker run {IMAGE} python3 -c pass": (
            ["docker", "run", "--rm", "--network", "none", "--pull", "never", IMAGE]
            + ["python3", "-c", "pass"],
            None,
        ),
    }
    times = {}
    for name, (command, text) in rows.items():
        if shutil.which(command[0]) is None:
            print(f"left out: {name}: {command[0]} is not installed")
        elif run(command, environment, text) is None:
            print(f"left out: {name}: it fails here")
        else:
            times[name] = []
    for _ in range(ROUNDS):
        for name in times:
            command, text = rows[name]
            times[name].append(run(command, environment, text) or float("nan"))
    for name, found in times.items():
        print(f"{name}: {milliseconds(statistics.median(found))}, of {ROUNDS}")


def write_skills(root, count):
    for number in range(count):
        name = f"group{number % 20}.tasks.number{number}"
        directory = root / f"group{number % 20}" / name
        (directory / "code").mkdir(parents=True)
        (directory / "SKILL.md").write_text("---\nname: Task\n---\n\n# Task\n")
        (directory / "code/main.py").write_text(EMPTY)
        (directory / "skill.toml").write_text(
            f'name = "{name}"\nversion = "1.0.0"\ndescription = "Does what task {number} needs."\n'
            'kind = "action"\n\n[runtime]\nlanguage = "python"\nentrypoint = "code/main.py"\n'
        )


class Refused(Exception):
    """A call that the server has refused."""


class Server:
    """A server with skills, and calls of it."""

    def __init__(self, dibber, skills, data, environment):
        command = [dibber, "serve", "--listen", "127.0.0.1:0", "--skills", str(skills)]
        environment = dict(environment, DIBBER_LOG="warn")
        start = time.monotonic()
        self.process = subprocess.Popen(
            command + ["--data", str(data)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.address = None
        for line in self.process.stdout:
            if found := re.search(r"http://(127\.0\.0\.1:\d+)/rpc", line):
                self.address = found[1]
                break
        if self.address is None:
            raise SystemExit("the server does not start")
        self.started = time.monotonic() - start
        # The log must not fill its pipe.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.token = (data / "token").read_text().strip()

    def connect(self):
        return http.client.HTTPConnection(self.address, timeout=600)

    def call(self, connection, method, params):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        connection.request("POST", "/rpc", body, headers)
        answer = json.loads(connection.getresponse().read())
        if "error" in answer:
            raise Refused(f"{method}: {answer['error']}")
        return answer["result"]

    def peak_memory(self):
        """The most memory that the process has had, in MiB; none where it is not known."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return None
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def runs(server):
    """Runs of an empty function over `/rpc`, by several callers for some seconds."""
    task = {"name": "group0.tasks.number0", "args": {}}
    try:
        server.call(server.connect(), "execute_skill", task)
    except Refused as error:
        print(f"left out: runs: {error}")
        return
    counts = [0] * CALLERS
    end = time.monotonic() + SECONDS

    def caller(index):
        connection = server.connect()
        while time.monotonic() < end:
            result = server.call(connection, "execute_skill", task)
            assert result["status"] == "completed", result
            counts[index] += 1

    threads = [threading.Thread(target=caller, args=(index,)) for index in range(CALLERS)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    minutes = (time.monotonic() - start) / 60
    print(f"execute_skill over /rpc, {CALLERS} callers: {sum(counts) / minutes:.0f} a minute")


def blob(server):
    """A blob of random bytes in, and out in parts."""
    content = os.urandom(BLOB_BYTES)
    connection = server.connect()
    params = {"content": base64.b64encode(content).decode(), "encoding": "base64"}
    params["kind"] = "application/octet-stream"
    before = server.peak_memory()
    start = time.monotonic()
    created = server.call(connection, "create_blob", params)
    stored = time.monotonic() - start
    peak_in = server.peak_memory()
    parts, at = [], 0
    start = time.monotonic()
    while at < len(content):
        params = {"blob_id": created["blob_id"], "mode": "full", "offset": at}
        part = base64.b64decode(server.call(connection, "read_blob", params)["content"])
        assert part, f"nothing at {at}"
        parts.append(part)
        at += len(part)
    read = time.monotonic() - start
    assert b"".join(parts) == content
    print(f"blob of {BLOB_BYTES // 1_000_000} MB: in {stored:.2f} s, out {read:.2f} s")
    if before is not None:
        peaks = [f"{peak:.0f} MiB" for peak in (before, peak_in, server.peak_memory())]
        print(f"peak memory of the server: {peaks[0]} before, {peaks[1]} after, {peaks[2]} at the end")


def pages(server):
    """The first call, which reads all skills, and the first page."""
    connection = server.connect()
    start = time.monotonic()
    server.call(connection, "list_skills", {"limit": 1})
    print(f"{SKILLS} skills: {server.started:.2f} s until it listens, first call "
          f"{milliseconds(time.monotonic() - start)}")
    times = []
    for _ in range(PAGES):
        start = time.monotonic()
        server.call(connection, "list_skills", {"limit": 200, "detail": "summary"})
        times.append(time.monotonic() - start)
    print(f"list_skills, first page of 200: {milliseconds(statistics.median(times))}, of {PAGES}")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    dibber = os.path.abspath(arguments[0])
    with tempfile.TemporaryDirectory() as directory:
        directory = Path(directory)
        config = directory / "config/dibber"
        config.mkdir(parents=True)
        (config / "dibber.toml").write_text(f'[sandbox]\npython = "{PYTHON}"\n')
        environment = dict(os.environ, XDG_CONFIG_HOME=str(directory / "config"))
        environment.update(XDG_STATE_HOME=str(directory / "state"), HOME=str(directory))
        starts(dibber, environment)
        write_skills(directory / "skills", SKILLS)
        server = Server(dibber, directory / "skills", directory / "data", environment)
        try:
            pages(server)
            runs(server)
            blob(server)
        finally:
            server.stop()


main()
