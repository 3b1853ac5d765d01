"""Code that uses what only a control group counts, or looks for its own."""

import os
import threading
import time

MIB = 1024 * 1024


def memory_of_the_kernel(args):
    """Fills pipes, whose memory belongs to no process."""
    for _ in range(12):
        if os.fork() == 0:
            kept = []
            for _ in range(110):
                reader, writer = os.pipe()
                os.set_blocking(writer, False)
                kept.append((reader, writer))
                try:
                    os.write(writer, bytes(65536))
                except BlockingIOError:
                    pass
            time.sleep(60)
    time.sleep(20)
    return "not ended"


def memory_of_many_processes(args):
    for _ in range(8):
        if os.fork() == 0:
            held = bytearray(os.urandom(1024)) * (40 * 1024)
            time.sleep(60)
    time.sleep(60)


def processes(args):
    """Returns how many processes could be started."""
    started = 0
    try:
        while started < 400:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            started += 1
    except BlockingIOError:
        pass
    return started


def threads(args):
    """Returns how many threads could be started."""
    threading.stack_size(64 * 1024)
    started = 0
    try:
        while started < 400:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            started += 1
    except RuntimeError:
        pass
    return started


def files(args):
    """Writes 60 MiB and uses 100 MiB of memory."""
    with open("file", "wb") as file:
        for _ in range(60):
            file.write(bytes(MIB))
    held = bytearray(os.urandom(1024)) * (70 * 1024)
    return os.path.getsize("file") // MIB if held else None


def group(args):
    """Returns the group that is shown, and what could be changed of it."""
    written = []
    try:
        with open("/proc/self/cgroup") as shown:
            lines = [line.strip() for line in shown if line.startswith("0::")]
    except OSError:
        lines = [""]
    for root in ("/sys/fs/cgroup", "/sys/fs/cgroup" + lines[0][3:]):
        for name in ("cgroup.procs", "memory.max"):
            try:
                with open(os.path.join(root, name), "w") as file:
                    file.write("0")
                written.append(name)
            except OSError:
                pass
    return {"group": lines[0], "written": written}


def leaves_processes(args):
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
    return None
