"""Ways around a single check. Each function returns what it achieved, which has to be nothing."""

import ctypes
import errno
import fcntl
import mmap
import os
import resource
import signal
import socket
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]


def datagrams_to_the_host(args):
    """A pair of sockets can send to others if its messages may have addresses."""
    sent = []
    for kind in ("SOCK_DGRAM", "SOCK_RAW", "SOCK_SEQPACKET", "SOCK_STREAM"):
        try:
            own, _ = socket.socketpair(socket.AF_UNIX, getattr(socket, kind))
        except OSError:
            continue
        for send in (lambda: own.sendto(b"x", args["socket"]), lambda: own.sendmsg([b"x"], [], 0, args["socket"])):
            try:
                send()
                sent.append(kind)
            except OSError:
                pass
    return sent


def memory_without_an_owner(args):
    """Shared memory stays allocated while a part of it is mapped, and is counted only where it is mapped."""
    calls = {"anonymous": [-1, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS], "huge pages": [-1, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000]}
    found = []
    if os.path.exists("/dev/zero"):
        try:
            calls["device"] = [os.open("/dev/zero", os.O_RDONLY), mmap.MAP_SHARED]
        except OSError:
            pass
    for name, (descriptor, flags) in calls.items():
        try:
            mmap.mmap(descriptor, 2 << 20, flags, mmap.PROT_READ)
            found.append(name)
        except PermissionError:
            pass
        except OSError as error:
            found.append(name + ": " + str(error))
    return found


def memory_of_processes_without_a_leader(args):
    """The status of a process whose first thread has ended says nothing about its memory."""

    def hold():
        time.sleep(0.2)
        held = bytearray(b"x") * (100 << 20)
        time.sleep(3)
        os._exit(len(held) & 1)

    for _ in range(5):
        if os.fork() == 0:
            threading.Thread(target=hold).start()
            LIBC.syscall(args["exit"], 0)
    time.sleep(3)
    return ["5 times 100 MiB"]


def memory_of_page_tables(args):
    """A page in each GiB needs two page tables, and none of its own if it is only read."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100000
    for _ in range(4):
        if os.fork() == 0:
            for number in range(16000):
                address = LIBC.mmap((1 << 44) + (number << 30), 4096, mmap.PROT_READ, flags, -1, 0)
                ctypes.string_at(address, 1)
            time.sleep(60)
    time.sleep(4)
    return ["4 times 125 MiB"]


def memory_of_messages(args):
    """What was sent and not received is memory of the kernel."""

    def send():
        held = []
        try:
            while True:
                held += socket.socketpair()
        except OSError:
            pass
        for end in held:
            end.setblocking(False)
            try:
                while True:
                    end.send(b"x" * 65536)
            except OSError:
                pass
        time.sleep(60)

    for _ in range(6):
        if os.fork() == 0:
            send()
    time.sleep(4)
    return ["6 times 50 MiB"]


def descriptors_out_of_sight(args):
    """Descriptors that no table shows which is looked at: of a single thread, or on their way in a message."""
    own, other = socket.socketpair()
    found = []
    for name, action in {
        "larger buffers": lambda: own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22),
        "sent": lambda: socket.send_fds(own, [b"x"], [0]),
    }.items():
        try:
            action()
            found.append(name)
        except PermissionError:
            pass
    ctypes.set_errno(0)
    # A stack of its own is not needed, because the flags are refused; otherwise, they are invalid without it.
    flags = 0x10000 | 0x800 | 0x200  # CLONE_THREAD, CLONE_SIGHAND, CLONE_FS; not CLONE_VM, not CLONE_FILES
    LIBC.syscall(*[ctypes.c_long(value) for value in (args["clone"], flags, 0, 0, 0, 0)])
    if ctypes.get_errno() != errno.EPERM:
        found.append("a thread with its own descriptors")
    return found


def disk_by_allocation(args):
    """Space can be taken without writing, faster than anyone looks at it."""
    sizes = []
    for number in range(4):
        descriptor = os.open(str(number), os.O_RDWR | os.O_CREAT)
        LIBC.syscall(*[ctypes.c_long(value) for value in (args["fallocate"], descriptor, 0, 0, 60 << 20)])
        sizes.append(os.fstat(descriptor).st_blocks * 512)
    return ["more than the limit"] if sum(sizes) > 64 << 20 else []


def disk_of_mapped_files(args):
    """A mapping keeps a file that has neither a name nor a descriptor."""
    held = []
    for number in range(3):
        descriptor = os.open(str(number), os.O_RDWR | os.O_CREAT)
        os.remove(str(number))
        for _ in range(30):
            os.write(descriptor, b"x" * (1 << 20))
        address = LIBC.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_PRIVATE, descriptor, 0)
        held.append(address)
        os.close(descriptor)
    time.sleep(2)
    return held


def disk_of_a_moving_directory(args):
    """A directory that always has another name cannot be opened by it."""
    for number in range(200):
        os.mkdir("other%d" % number)
    os.mkdir("moving")
    directory = os.open("moving", os.O_RDONLY)
    if os.fork() == 0:
        old = "moving"
        for number in range(1 << 62):
            new = "moving%d" % number
            os.rename(old, new)
            old = new
    for number in range(4):
        descriptor = os.open(str(number), os.O_RDWR | os.O_CREAT, dir_fd=directory)
        for _ in range(30):
            os.write(descriptor, b"x" * (1 << 20))
    time.sleep(0.5)
    return ["120 MiB"]


def descriptor_commands(args):
    """Commands that send signals, watch or block others, or take memory of the kernel."""
    reader, _ = os.pipe()
    directory = os.open(os.path.dirname(os.__file__), os.O_RDONLY)
    file = os.open("file", os.O_RDONLY | os.O_CREAT)
    commands = {
        "owner": (reader, fcntl.F_SETOWN, os.getpid()), "signal": (reader, 10, 9), "lease": (file, fcntl.F_SETLEASE, 0),
        "notification": (directory, fcntl.F_NOTIFY, 2), "size of a pipe": (reader, 1031, 1 << 20),
    }
    found = []
    for name, command in commands.items():
        try:
            fcntl.fcntl(*command)
            found.append(name)
        except PermissionError:
            pass
    return found


def core_dumps(args):
    """A limit of 0 does not hold for a program of the host that gets them; a limit of 1 does."""
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    except ValueError:
        pass
    return [limit for limit in resource.getrlimit(resource.RLIMIT_CORE) if limit != 1]


def precedence(args):
    """If the host has no memory left, it ends the run instead of the server."""
    try:
        with open("/proc/self/oom_score_adj") as file:
            return [] if file.read().strip() == "1000" else ["memory"]
    except PermissionError:
        return []


def memory_of_a_child_that_is_being_started(args):
    """A child has the memory of its parent until it executes a program; here, it takes its time."""
    held = bytearray(b"x") * (300 << 20)
    stack = ctypes.create_string_buffer(1 << 16)
    flags = 0x4000 | 0x100 | signal.SIGCHLD  # CLONE_VFORK, CLONE_VM
    top = ctypes.addressof(stack) + (1 << 16) - 64
    sleep = ctypes.cast(LIBC.usleep, ctypes.c_void_p)
    child = LIBC.clone(sleep, ctypes.c_void_p(top & ~15), flags, ctypes.c_void_p(300_000))
    return [] if os.waitpid(child, 0) and held else ["no memory"]
