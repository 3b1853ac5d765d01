"""Code that one layer of the sandbox stops: each function returns if that layer is missing."""

import os
import socket
import time

MIB = 1024 * 1024


def large_object(args):
    return len(bytearray(300 * MIB))


def memory_of_many_processes(args):
    reader, writer = os.pipe()
    for _ in range(6):
        if os.fork() == 0:
            held = bytearray(b"x" * 1024) * (100 * 1024)
            os.write(writer, b".")
            time.sleep(600)
    for _ in range(6):
        os.read(reader, 1)
    time.sleep(0.7)


def disk_space(args):
    for name in "abcd":
        with open(name, "wb") as file:
            file.write(bytes(30_000_000))


def size_of_a_file(args):
    with open("x", "wb") as file:
        file.truncate(100 * MIB)


def open_files(args):
    held = [open("/dev/null") for _ in range(600)]
    return len(held)


def processes(args):
    for _ in range(60):
        if os.fork() == 0:
            time.sleep(600)


def sleeps(args):
    time.sleep(1.3)


def spins(args):
    while time.process_time() < 3:
        pass


def opens_a_socket(args):
    socket.socket()


def leaves_a_process(args):
    if os.fork() == 0:
        os.setsid()
        time.sleep(6)
        os._exit(0)
    time.sleep(0.3)
