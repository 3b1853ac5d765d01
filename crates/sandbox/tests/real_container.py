"""Functions that run in a container: what works in it, and what must not."""

import os
import socket
import time

MIB = 1024 * 1024


def uses_inputs(args):
    import runtime
    from skills.test import twice

    with open("written", "w") as file:
        file.write("here")
    return {
        "double": twice.double(21),
        "blobs": runtime.blobs.list(),
        "blob": runtime.blobs.read_text("b1"),
        "secret": runtime.secrets["KEY"],
        "directory": os.getcwd(),
    }


def attempts(named):
    """Returns the names of the functions that did not fail."""
    achieved = []
    for name, function in named.items():
        try:
            function()
            achieved.append(name)
        except (OSError, ValueError):
            pass
    return achieved


def host(args):
    return attempts({"secret": lambda: open(args["secret"]).close()}) + [
        name for name in os.listdir("/") if name in ("work", "home") and os.listdir("/" + name)
    ]


def privileges(args):
    found = [name for name in ("uid", "gid") if getattr(os, "get" + name)() == 0]
    with open("/proc/self/status") as status:
        for line in status:
            name, value = line.split(":")
            if name == "CapEff" and int(value, 16) != 0:
                found.append("capabilities")
            if name == "NoNewPrivs" and value.strip() != "1":
                found.append("privileges")
    return found + attempts({
        "setuid": lambda: os.setuid(0),
        "chroot": lambda: os.chroot("/"),
        "mknod": lambda: os.mknod("device", 0o20666, os.makedev(1, 1)),
        "kill": lambda: os.kill(1, 9) if os.getpid() != 1 else os.kill(2, 9),
    })


def network(args):
    def connect(address):
        socket.create_connection(address, timeout=2).close()

    interfaces = [name for _, name in socket.if_nameindex() if name not in ("lo", "sit0", "tunl0")]
    return interfaces + attempts({"connect": lambda: connect(("192.0.2.1", 80))})


def changes(args):
    def write(path):
        with open(path, "w") as file:
            file.write("x")

    paths = ["/skills/x", "/blobs/x", "/usr/x", "/etc/passwd", "/x", "/proc/sys/kernel/hostname"]
    return attempts({path: lambda path=path: write(path) for path in paths})


def disk(args):
    try:
        with open("file", "wb") as file:
            for _ in range(200):
                file.write(bytes(MIB))
    except OSError:
        return "OSError"
    return None


def processes(args):
    started = 0
    try:
        while started < 100:
            if os.fork() == 0:
                time.sleep(30)
                os._exit(0)
            started += 1
    except OSError:
        pass
    return started


def memory(args):
    held = [os.urandom(MIB) for _ in range(400)]
    return len(held)


def sleeps(args):
    time.sleep(600)
