"""Ways around a single check. Each function returns what it achieved, which has to be nothing."""

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
