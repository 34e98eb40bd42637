"""Tries to escape from a confined process: `python escapes.py TARGETS`, TARGETS being JSON.

Prints the names of the escapes that worked, as JSON. The targets belong to the self-test that started it: canary files,
listeners and a process. `numbers` maps system calls to numbers, because the harness cannot be imported in here.

Even without any sandbox an attempt must do no harm. Other things than those of the self-test are only probed: with
signal 0, with an invalid flag, with a file that is removed again.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

TIMEOUT_S: Final = 0.5
SYSTEM_FILES: Final = ("/etc/shadow", "/etc/passwd", "/etc/hosts", "/proc/1/environ")
DEVICES: Final = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
OTHER_USER: Final = 12345
SET_SIGNAL: Final = 10
"""F_SETSIG, which Python does not name on every system."""
PTRACE_ATTACH: Final = 16
NEW_USER: Final = 0x10000000
NEW_MOUNTS: Final = 0x00020000
SHARE_FOLDER: Final = 0x00000200
"""CLONE_FS, which the kernel refuses with a new user namespace: a `clone` that gets this far does nothing."""

Targets = dict[str, Any]
Attempt = Callable[[Targets], Any]

_libc = ctypes.CDLL(None, use_errno=True)


def call(targets: Targets, name: str, *arguments: Any) -> bool:
    """True if a system call works. One that this machine lacks does not."""
    number = targets["numbers"].get(name, -1)
    longs = [ctypes.c_long(part) if isinstance(part, int) else part for part in arguments]
    return number >= 0 and bool(_libc.syscall(ctypes.c_long(number), *longs) >= 0)


def is_reached(target: Targets, name: str, *arguments: Any) -> bool:
    """True if a system call gets as far as reading its arguments, even if it then refuses them."""
    return call(target, name, *arguments) or ctypes.get_errno() in (errno.EFAULT, errno.EINVAL, errno.EBADF)


def read_secret(targets: Targets) -> bool:
    return any(targets["token"] in Path(path).read_text() for path in targets["secrets"])


def list_secrets(targets: Targets) -> bool:
    return any(os.listdir(Path(path).parent) for path in targets["secrets"])  # noqa: PTH208


def read_system_files(targets: Targets) -> bool:
    return any(readable(path) for path in (*SYSTEM_FILES, *targets["homely"]))


def readable(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return bool(file.read(1))
    except OSError:
        return False


def read_environment_of_others(targets: Targets) -> bool:
    places = [f"/proc/{pid}/{name}" for pid in (targets["victim"], os.getppid()) for name in ("environ", "mem", "maps")]
    return any(readable(place) for place in places)


def see_other_processes(targets: Targets) -> bool:
    return str(targets["victim"]) in os.listdir("/proc") and readable(f"/proc/{targets['victim']}/cmdline")  # noqa: PTH208


def works(step: Callable[..., Any], *arguments: Any) -> bool:
    """True if a step succeeds."""
    try:
        step(*arguments)
    except Exception:
        return False
    return True


def write_secret(targets: Targets) -> bool:
    return any(works(Path(path).write_text, "changed") for path in targets["secrets"])


def create_outside(targets: Targets) -> bool:
    places = [folder / "planted" for path in targets["secrets"] for folder in Path(path).parents[:2]]
    places += [Path("/usr/lib/planted"), Path("/etc/planted"), Path("/dev/planted"), Path(sys.executable + ".planted")]
    return any(works(plant, place) for place in places)


def plant(place: Path) -> None:
    place.touch()
    place.unlink()


def change_outside(targets: Targets) -> bool:
    """Only seen from outside, because these calls may return success without an effect."""
    for path in map(Path, targets["secrets"]):
        works(os.truncate, path, 0)
        works(path.chmod, 0o777)
        works(os.utime, path, (1, 1))
        works(path.rename, path.with_name("moved"))
        works(path.unlink)
    return False


def link_outside(targets: Targets) -> bool:
    path = targets["secrets"][0]
    return works(Path("hard").hardlink_to, path) or works(Path("soft").symlink_to, path)


def connect_tcp(targets: Targets) -> bool:
    return connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", targets["tcp"]))


def listen_tcp(_: Targets) -> bool:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
    return True


def send_udp(targets: Targets) -> bool:
    return connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", targets["udp"]))


def resolve_name(_: Targets) -> bool:
    return bool(socket.getaddrinfo("localhost.example.invalid", 80) or True)


def make_any_socket(_: Targets) -> bool:
    families = [socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, socket.AF_PACKET, socket.AF_VSOCK]
    kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW)
    return any(works(socket.socket, family, kind) for family in families for kind in kinds)


def connect_unix(targets: Targets) -> bool:
    return connect(socket.AF_UNIX, socket.SOCK_STREAM, targets["unix"])


def connect_abstract(targets: Targets) -> bool:
    return connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + targets["abstract"])


def turn_a_pair_outside(targets: Targets) -> bool:
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return ours.sendto(b"out", targets["datagram"]) > 0


def connect(family: int, kind: int, address: Any) -> bool:
    with socket.socket(family, kind) as ours:
        ours.settimeout(TIMEOUT_S)
        ours.connect(address)
        return ours.send(b"out") > 0


def trace_others(targets: Targets) -> bool:
    own = ctypes.create_string_buffer(8)
    places = (ctypes.c_size_t * 2)(ctypes.addressof(own), 8)
    return call(targets, "ptrace", PTRACE_ATTACH, targets["victim"], 0, 0) or any(
        is_reached(targets, "process_vm_readv", pid, ctypes.byref(places), 1, ctypes.byref(places), 1, 0)
        for pid in (targets["victim"], os.getppid())
    )


def signal_others(targets: Targets) -> bool:
    asked = [works(os.kill, pid, 0) for pid in (os.getppid(), 1)]
    return any([*asked, works(os.kill, targets["victim"], signal.SIGTERM)])


def signal_by_owner(targets: Targets) -> bool:
    """A readable descriptor signals its owner, without a check whether it may. Only seen from outside."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for command, value in ((fcntl.F_SETOWN, targets["victim"]), (SET_SIGNAL, signal.SIGTERM)):
            with contextlib.suppress(OSError):
                fcntl.fcntl(ours, command, value)
        fcntl.fcntl(ours, fcntl.F_SETFL, fcntl.fcntl(ours, fcntl.F_GETFL) | os.O_ASYNC)
        theirs.send(b"x")
        return bool(fcntl.fcntl(ours, fcntl.F_GETOWN) == targets["victim"])


def change_devices(_: Targets) -> bool:
    """Set the mode of a device of the machine to its present value. The time of the change shows whether it worked."""
    return any(is_changed(Path(path)) for path in DEVICES)


def is_changed(device: Path) -> bool:
    before = device.stat()
    return works(device.chmod, before.st_mode & 0o7777) and device.stat().st_ctime_ns != before.st_ctime_ns


def give_own_rights(_: Targets) -> bool:
    """A set-user-id file, which runs as the service's user while it exists."""
    made, mode = Path("rights"), 0o4755
    made.touch()
    works(made.chmod, mode)
    works(lambda: os.close(os.open("rights-made", os.O_CREAT | os.O_WRONLY, mode)))
    return any(path.exists() and path.stat().st_mode & 0o6000 for path in (made, Path("rights-made")))


def pass_descriptors(_: Targets) -> bool:
    """Descriptors in flight count per user; enough of them, and the service can pass none."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        return socket.send_fds(ours, [b"x"], [0]) > 0


def limit_others(targets: Targets) -> bool:
    resource.prlimit(targets["victim"], resource.RLIMIT_NOFILE, (3, 3))
    return True


def mount_something(targets: Targets) -> bool:
    opened = call(targets, "fsopen", b"tmpfs", 0) or is_reached(targets, "pivot_root", b".", b".")
    return opened or call(targets, "chroot", b"/")


def new_namespaces(targets: Targets) -> bool:
    made = call(targets, "unshare", NEW_USER) or call(targets, "unshare", NEW_MOUNTS)
    return made or is_reached(targets, "clone", NEW_USER | SHARE_FOLDER, 0, 0, 0, 0)


def kernel_interfaces(targets: Targets) -> bool:
    """Interfaces to large parts of the kernel that a Blender never uses."""
    return any([
        is_reached(targets, "io_uring_setup", 1, 0),
        is_reached(targets, "bpf", 0, 0, 0),
        is_reached(targets, "perf_event_open", 0, 0, -1, -1, 0),
        call(targets, "userfaultfd", 1),
        is_reached(targets, "open_by_handle_at", -1, 0, 0),
    ])  # fmt: skip


def keyring(targets: Targets) -> bool:
    return call(targets, "add_key", b"user", b"blendproof", b"x", 1, -3) or call(targets, "keyctl", 0, -3, 1)


def uncounted_memory(targets: Targets) -> bool:
    made = call(targets, "memfd_create", b"x", 0) or call(targets, "shmget", 0, 4096, 0o1600)
    return made or works(mmap.mmap, -1, 4096) or works(map_zero)


def map_zero() -> None:
    with open("/dev/zero", "r+b", buffering=0) as file, mmap.mmap(file.fileno(), 4096):  # noqa: PTH123
        pass


def take_room_unseen(targets: Targets) -> bool:
    """Use room on the disk in a file that has no name any more."""
    made = Path("unseen")
    with made.open("wb") as file:
        made.unlink()
        return call(targets, "fallocate", file.fileno(), 0, 0, 4096)


def regain_privileges(_: Targets) -> bool:
    """Become another user: root if it is not, any other user if it is. Without privileges root cannot either."""
    return works(os.setgroups, []) or works(os.setuid, 0 if os.geteuid() else OTHER_USER)


ATTEMPTS: Final[tuple[Attempt, ...]] = (
    read_secret, list_secrets, read_system_files, read_environment_of_others, see_other_processes, write_secret,
    create_outside, change_outside, link_outside, connect_tcp, listen_tcp, send_udp, resolve_name, make_any_socket,
    connect_unix, connect_abstract, turn_a_pair_outside, trace_others, signal_others, signal_by_owner, limit_others,
    change_devices, give_own_rights, pass_descriptors, mount_something, new_namespaces, kernel_interfaces, keyring,
    uncounted_memory, take_room_unseen, regain_privileges,
)  # fmt: skip


def main() -> None:
    """Try every escape; see the module."""
    targets: Targets = json.loads(sys.argv[1])
    worked: list[str] = []
    for attempt in ATTEMPTS:
        try:
            if attempt(targets):
                worked.append(attempt.__name__)
        except Exception:
            continue
    print(json.dumps({"tried": len(ATTEMPTS), "worked": worked}))


if __name__ == "__main__":
    main()
