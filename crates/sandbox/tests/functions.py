"""Functions that do what skills do."""

import asyncio
import concurrent.futures
import ctypes
import decimal
import hashlib
import os
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import zoneinfo


def returns_arguments(args):
    return {"got": args, "é": [1, 2.5, None, True]}


def helper():
    raise KeyError("lead")


def raises(args):
    helper()


def prints(args):
    """Prints to both streams, and then more than is kept."""
    print("out")
    print("err", file=sys.stderr)
    os.system("exit 0")
    for _ in range(20):
        os.write(1, b"x" * 1_000_000)


def uses_runtime(args):
    import runtime
    import runtime.blobs
    from runtime import blobs

    return [
        blobs.list(),
        blobs.read_text("blob:a1"),
        len(blobs.read_bytes("a1")),
        runtime.secrets["KEY"],
        sorted(runtime.secrets),
    ]


def uses_paths(args):
    """Finds its files by names that are the same in every mode."""
    import runtime

    with open("here", "w") as file:
        file.write("written")
    with open(os.path.join(runtime.workspace, "here")) as file:
        written = file.read()
    with open(os.path.join(runtime.skill_directory("crm.sync-all"), "data.txt")) as file:
        data = file.read()
    missing = []
    for name in ("crm.other", "..", "", "crm.sync-all/code"):
        try:
            runtime.skill_directory(name)
        except FileNotFoundError as error:
            missing.append(str(error))
    return [written, data, missing]


def uses_modules(args):
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x")
    database = sqlite3.connect("data.db")
    database.execute("create table t (x)")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        total = sum(pool.map(int, range(10)))
    command = [sys.executable, "-I", "-c", "print(6 * 7)"]
    child = subprocess.run(command, capture_output=True, text=True)

    async def later():
        await asyncio.sleep(0.01)
        return "done"

    is_at_home = os.getcwd() == os.path.realpath(os.environ["HOME"])
    return [total, child.stdout, asyncio.run(later()), is_at_home]
