"""What code in a sandbox tries. Each function returns what it achieved, which has to be nothing."""

import ctypes
import errno
import os
import signal
import socket
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)


def achieved(actions):
    """Returns the names of the actions that do not fail."""
    names = []
    for name, action in actions.items():
        try:
            action()
        except (OSError, ValueError):
            continue
        names.append(name)
    return names


def allowed(args, calls):
    """Returns the names of the system calls that the kernel looked at."""
    names = []
    for name, arguments in calls.items():
        ctypes.set_errno(0)
        # Arguments are such that a call that is not refused does no harm.
        result = LIBC.syscall(ctypes.c_long(args["calls"][name]), *map(ctypes.c_long, arguments))
        if result != -1 or ctypes.get_errno() not in REFUSED:
            names.append("%s (%s)" % (name, errno.errorcode.get(ctypes.get_errno(), result)))
    return names


def change_mode(path):
    """Fails if the mode of a file stays as it is, as it does where calls are ignored."""
    before = os.stat(path)
    os.chmod(path, 0o640 if before.st_mode & 0o777 != 0o640 else 0o600)
    if os.stat(path).st_mode == before.st_mode:
        raise OSError("ignored")


def change_times(path):
    before = os.stat(path).st_mtime
    os.utime(path, (before + 1, before + 1))
    if os.stat(path).st_mtime == before:
        raise OSError("ignored")


def host_metadata(args):
    secret = args["secret"]
    return achieved({"mode": lambda: change_mode(secret), "times": lambda: change_times(secret),
                     "attributes": lambda: os.listxattr(secret), "remove": lambda: os.remove(secret),
                     "truncate": lambda: os.truncate(secret, 0), "owner": lambda: os.chown(secret, -1, -1)})


def host_files(args):
    paths = ["/etc/passwd", "/etc/hostname", "/root", "/home", "/sys", "/var", args["secret"]]
    reads = {path: lambda path=path: open(path).close() for path in paths}
    lists = {path + "/": lambda path=path: os.listdir(path) for path in ["/root", "/home", "/sys", "/var", "/boot"]}
    up = {"..": lambda: open("../../../../../.." + args["secret"])}
    return achieved({**reads, **lists, **up})


def root_listing(args):
    return achieved({"/": lambda: os.listdir("/"), "/dev": lambda: os.listdir("/dev")})


def other_processes(args):
    pid = str(args["pid"])
    files = ["environ", "maps", "mem", "cmdline", "root", "cwd", "fd", "status"]
    actions = {name: lambda name=name: os.open("/proc/%s/%s" % (pid, name), os.O_RDONLY) for name in files}
    actions["kill"] = lambda: os.kill(args["pid"], 0)
    actions["init memory"] = lambda: os.open("/proc/1/mem", os.O_RDWR)
    actions["init environment"] = lambda: open("/proc/1/environ").read()
    return achieved(actions)


def host_process_files(args):
    files = ["/proc/meminfo", "/proc/cmdline", "/proc/kallsyms", "/proc/sys/kernel/hostname", "/proc/net/tcp"]
    return achieved({file: lambda file=file: open(file).read(1) for file in files})


def signals_to_parents(args):
    achieved({"parent": lambda: os.kill(os.getppid(), signal.SIGKILL)})
    achieved({"group": lambda: os.kill(0, signal.SIGCONT)})
    return achieved({"tests": lambda: os.kill(args["pid"], signal.SIGCONT)})


def environment(args):
    known = {"HOME", "TMPDIR", "LANG", "LC_CTYPE", "TZ", "USER", "PATH"}
    return sorted(set(os.environ) - known)


def descriptors(args):
    return achieved({str(number): lambda number=number: os.fstat(number) for number in range(50, 70)})


def sockets(args):
    families = {"inet": (socket.AF_INET, socket.SOCK_STREAM), "inet6": (socket.AF_INET6, socket.SOCK_DGRAM),
                "unix": (socket.AF_UNIX, socket.SOCK_STREAM), "netlink": (socket.AF_NETLINK, socket.SOCK_RAW),
                "packet": (socket.AF_PACKET, socket.SOCK_RAW), "raw": (socket.AF_INET, socket.SOCK_RAW),
                "vsock": (socket.AF_VSOCK, socket.SOCK_STREAM)}
    actions = {name: lambda pair=pair: socket.socket(*pair).close() for name, pair in families.items()}
    actions["pair"] = lambda: socket.socketpair(socket.AF_INET)
    return achieved(actions)


def connections(args):
    def connect(family, address):
        client = socket.socket(family)
        client.settimeout(2)
        client.connect(address)

    return achieved({"tcp": lambda: connect(socket.AF_INET, ("127.0.0.1", args["port"])),
                     "abstract": lambda: connect(socket.AF_UNIX, "\0" + args["abstract"])})


def system_calls(args):
    calls = {
        "ptrace": [0, 0, 0, 0], "process_vm_readv": [args["pid"], 0, 0, 0, 0, 0], "kcmp": [args["pid"], 1, 0, 0, 0],
        "pidfd_getfd": [-1, 0, 0], "keyctl": [0, -3, 0], "add_key": [0, 0, 0, 0, -3], "request_key": [0, 0, 0, 0],
        "io_uring_setup": [0, 0], "userfaultfd": [0], "bpf": [-1, 0, 0], "perf_event_open": [0, 0, -1, -1, 0],
        "memfd_create": [0, 0], "unshare": [0x10000000], "setns": [-1, 0], "mount": [0, 0, 0, 0, 0],
        "umount2": [0, 0], "pivot_root": [0, 0], "chroot": [0], "open_tree": [-1, 0, 0], "fsopen": [0, 0],
        "move_mount": [-1, 0, -1, 0, 0], "clone": [0x10000200, 0, 0, 0, 0], "clone3": [0, 0],
        "personality": [0xFFFFFFFF], "clock_settime": [0, 0], "settimeofday": [0, 0], "adjtimex": [0],
        "sethostname": [0, 0], "reboot": [0, 0, 0, 0], "swapon": [0, 0], "init_module": [0, 0, 0],
        "kexec_load": [0, 0, 0, 0], "shmget": [0, 4096, 0o1600], "msgget": [0, 0o1600], "semget": [0, 1, 0o1600],
        "mq_open": [0, 0, 0, 0], "prlimit64": [args["pid"], 7, 0, 0], "sched_setaffinity": [args["pid"], 0, 0],
        "setpriority": [0, args["pid"], 19], "open_by_handle_at": [-1, 0, 0], "name_to_handle_at": [-1, 0, 0, 0, 0],
        "fanotify_init": [0, 0], "seccomp": [99, 0, 0], "execveat": [-1, 0, 0, 0, 0], "setuid": [0], "setgid": [0],
        "setgroups": [0, 0], "capset": [0, 0], "syslog": [3, 0, 0], "acct": [0], "quotactl": [0, 0, 0, 0],
        "ioctl": [0, 0x5412, 0], "prctl": [24, 0, 0, 0, 0], "mknodat": [-1, 0, 0o20666, 0x103], "fchownat": [-1, 0, 0, 0, 0],
        "socket": [40, 1, 0], "memfd_secret": [0], "landlock_create_ruleset": [0, 0, 1], "vhangup": [],
    }
    return allowed(args, calls)


def devices(args):
    actions = {path: lambda path=path: os.open(path, os.O_RDONLY) for path in
               ["/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/tty", "/dev/ptmx", "/dev/fuse", "/dev/kvm"]}
    actions["create"] = lambda: os.mknod("device", 0o20666, os.makedev(1, 3))
    return achieved(actions)


def privileges(args):
    status = dict(line.split(":\t", 1) for line in open("/proc/self/status") if ":\t" in line)
    names = [name for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb") if int(status[name], 16)]
    names += [] if status["NoNewPrivs"].strip() == "1" else ["NoNewPrivs"]
    names += [] if status["Seccomp"].strip() == "2" else ["Seccomp"]
    return names


def superuser(args):
    return [name for name in ("getuid", "geteuid", "getgid", "getegid") if getattr(os, name)() == 0]


def system_files(args):
    places = ["/", "/etc", "/dev", "/usr", os.path.dirname(os.__file__), os.path.dirname(sys.executable), "/proc"]
    return achieved({place: lambda place=place: open(os.path.join(place, "new"), "w") for place in places})


def inputs(args):
    import runtime
    import skills.mounted

    directory, blob = os.path.dirname(skills.mounted.__file__), runtime.blobs.path("b1")
    return achieved({
        "write": lambda: open(skills.mounted.__file__, "a"), "create": lambda: open(directory + "/new", "w"),
        "remove": lambda: os.remove(skills.mounted.__file__), "rename": lambda: os.rename(directory, directory + "2"),
        "mode": lambda: change_mode(skills.mounted.__file__), "blob": lambda: open(blob, "r+"),
        "blob mode": lambda: change_mode(blob), "no blob": lambda: os.remove(blob), "link": lambda: os.link(blob, "b"),
    })


def execution(args):
    with open("program", "w") as file:
        file.write("#!/usr/bin/python3\n")
    os.chmod("program", 0o4755)
    with open(sys.executable, "rb") as source, open("copy", "wb") as target:
        target.write(source.read())
    os.chmod("copy", 0o755)
    return achieved({name: lambda name=name: os.posix_spawn(name, [name, "-V"], {}) for name in ("./program", "./copy")})


def host_name(args):
    return [] if os.uname().nodename == "sandbox" else [os.uname().nodename]


def interfaces(args):
    return [name for name in os.listdir("/proc/self/net/dev_snmp6") if name != "lo"] if os.path.exists(
        "/proc/self/net/dev_snmp6") else []


def shared_memory(args):
    result = LIBC.syscall(ctypes.c_long(args["calls"]["shmget"]), ctypes.c_long(args["key"]), ctypes.c_long(0), ctypes.c_long(0))
    return ["found"] if result != -1 else []


def links_out(args):
    os.symlink(args["secret"], "link")
    os.symlink("/proc/1/root", "process")
    return achieved({"link": lambda: open("link"), "process": lambda: os.listdir("process/root"),
                     "hard": lambda: os.link(args["secret"], "hard"), "magic": lambda: os.listdir("/proc/self/root/root")})
