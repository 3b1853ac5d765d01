"""Ways around a single check. Each function returns what it achieved, which has to be nothing."""

import mmap
import os
import socket


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
