"""Measures what `dibber acp proxy` adds to each message, and how much it takes to follow many folders.

python3 benches/acp_proxy.py target/release/dibber
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MESSAGES = 100_000
ROUND_TRIPS = 5_000
FOLDERS = 10_000
IDLE_SECONDS = 10


def message(number):
    content = {"type": "text", "text": f"word {number} " + "x" * 100}
    update = {"sessionUpdate": "agent_message_chunk", "content": content}
    params = {"sessionId": "s", "update": update}
    return json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}).encode() + b"\n"


def round_trip(command):
    """Returns the microseconds of a message that is sent to `cat` and comes back."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    line = message(0)
    reader = os.fdopen(os.dup(process.stdout.fileno()), "rb")
    times = []
    for _ in range(ROUND_TRIPS):
        start = time.perf_counter()
        process.stdin.write(line)
        assert reader.readline() == line
        times.append(time.perf_counter() - start)
    process.stdin.close()
    process.wait()
    return sorted(times)[len(times) // 2] * 1e6


def throughput(command, messages):
    """Returns the seconds in which all messages pass, which are compared."""
    with tempfile.TemporaryDirectory() as directory:
        source, copy = Path(directory, "in"), Path(directory, "out")
        source.write_bytes(messages)
        start = time.perf_counter()
        with source.open("rb") as stdin, copy.open("wb") as stdout:
            subprocess.run(command, stdin=stdin, stdout=stdout, check=True)
        seconds = time.perf_counter() - start
        assert copy.read_bytes() == messages
        return seconds


def main():
    dibber = sys.argv[1]
    with tempfile.TemporaryDirectory() as directory:
        proxy = [dibber, "acp", "proxy", "--skills", directory, "--"]
        Path(directory, "one").mkdir()
        Path(directory, "one/SKILL.md").write_text("---\nname: one\ndescription: One.\n---\n")
        bare, proxied = round_trip(["cat"]), round_trip([*proxy, "cat"])
        print(f"round trip: {bare:.0f} µs without the proxy, {proxied:.0f} µs with it (two passes)")
        messages = b"".join(message(number) for number in range(MESSAGES))
        bare, proxied = throughput(["cat"], messages), throughput([*proxy, "cat"], messages)
        each = (proxied - bare) / MESSAGES * 1e6
        print(f"{MESSAGES} messages: {bare:.2f} s and {proxied:.2f} s, {each:.1f} µs more for each")
        for number in range(FOLDERS):
            skill = Path(directory, f"group-{number % 100}", f"skill-{number}")
            skill.mkdir(parents=True)
            text = f"---\nname: skill-{number}\ndescription: Is number {number}.\n---\n"
            Path(skill, "SKILL.md").write_text(text)
        process = subprocess.Popen([*proxy, "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        time.sleep(3)
        stat = Path(f"/proc/{process.pid}/stat")
        ticks = lambda: sum(int(field) for field in stat.read_text().rsplit(")")[-1].split()[11:13])
        before = ticks()
        time.sleep(IDLE_SECONDS)
        share = (ticks() - before) / os.sysconf("SC_CLK_TCK") / IDLE_SECONDS
        print(f"{FOLDERS} folders: {share:.1%} of a processor while nothing changes")
        process.stdin.close()
        process.wait()


main()
