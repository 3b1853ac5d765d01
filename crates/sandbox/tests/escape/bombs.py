"""Code that uses more than it may. Each function is one way to do so."""

import os
import signal
import threading
import time

MIB = 1024 * 1024


def ignores_signals(args):
    """Takes too long, ignores all signals, and leaves a process behind."""
    for number in range(1, 64):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
    time.sleep(60)


def spins(args):
    while True:
        pass


def memory_of_one_process(args):
    return len(bytearray(700 * MIB))


def memory_of_many_processes(args):
    for _ in range(6):
        if os.fork() == 0:
            held = bytearray(os.urandom(1024)) * (100 * 1024)
            time.sleep(60)
    time.sleep(args.get("sleep", 60))


def shared_memory(args):
    """Stays within the limit: the processes share what they do not write to."""
    held = bytearray(100 * MIB)
    for _ in range(5):
        if os.fork() == 0:
            time.sleep(0.3)
            os._exit(0)
    for _ in range(5):
        os.wait()
    return len(held)


def processes(args):
    """Returns how many processes could be started."""
    started = 0
    try:
        while started < 400:
            if os.fork() == 0:
                time.sleep(60)
            started += 1
    except BlockingIOError:
        pass
    time.sleep(2)
    return started


def forks(args):
    while True:
        try:
            os.fork()
        except OSError:
            pass


def threads(args):
    for _ in range(400):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    time.sleep(2)


def fill(file):
    for _ in range(20):
        file.write(b"x" * 1_000_000)


def disk_space(args):
    for number in range(10):
        with open(str(number), "wb") as file:
            fill(file)
    time.sleep(2)


def disk_space_of_deleted_files(args):
    held = []
    for _ in range(10):
        file = open("x", "wb")
        os.remove("x")
        fill(file)
        held.append(file)
    time.sleep(2)


def size_of_a_file(args):
    with open("x", "wb") as file:
        file.truncate(100 * MIB)


def number_of_files(args):
    for number in range(20_000):
        open(str(number), "w").close()
    time.sleep(2)


def depth_of_directories(args):
    for _ in range(6_000):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    time.sleep(2)


def open_files(args):
    held = [open("/dev/null") for _ in range(1000)]
    return len(held)


def prints(args):
    while True:
        print("x" * 100_000)


def nested(args):
    """Returns a list in a list, and so on."""
    value = []
    for _ in range(args["depth"]):
        value = [value]
    return value
