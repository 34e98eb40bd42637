"""Attacks the sandbox before it is trusted: a real child tries to escape, observed from inside and from outside.

`examine` tries to break the claims of a rung. An escape counts if the child reports it, or if a change shows out here:
in a file, in a process, or at one of the listeners.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import json
import secrets
import socket
import subprocess
import tempfile
from collections.abc import Callable, Generator, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from harness.sandbox import groups, libc, syscalls
from harness.sandbox.keeper import KeeperEnd
from harness.sandbox.ladder import Rung, Sandbox, run_forked, run_jailed, run_reader, run_worker

ESCAPES: Final = Path(__file__).with_name("escapes.py")
Run = Callable[[Sandbox, list[str], str], tuple[KeeperEnd | None, str]]
HOMELY: Final = [Path.home() / name for name in (".bashrc", ".profile", ".ssh", ".config")]
"""Common folders in the home of a user who runs a service."""
NUMBERED: Final = (
    "ptrace",
    "process_vm_readv",
    "fsopen",
    "pivot_root",
    "chroot",
    "unshare",
    "clone",
    "io_uring_setup",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "open_by_handle_at",
    "add_key",
    "keyctl",
    "memfd_create",
    "shmget",
    "fallocate",
)


def examine(sandbox: Sandbox, guarded: Iterable[Path]) -> Sandbox:
    """The same sandbox, with the escapes that worked.

    `guarded` are folders of the service that a job must not reach, such as those of its data. The rung that claims
    nothing is not tested.
    """
    if sandbox.rung is Rung.PROCESS:
        return sandbox
    with tempfile.TemporaryDirectory(prefix="blendproof-") as folder:
        places = {door: Path(folder, door) for door in doors(sandbox)}
        guarded = [*guarded, *(part for place in places.values() for part in parts_of(place))]
        with bait(Path(folder), guarded) as canary:
            return with_escapes(sandbox, places, canary)


def prove(sandbox: Sandbox, guarded: Iterable[Path], unsafe: bool) -> Sandbox:
    """The sandbox that snippets may run in: with the escapes that worked, its control groups, and the permission."""
    examined = examine(sandbox, guarded)
    below = groups.prepare(groups.look()).folder
    return dataclasses.replace(examined, unsafe=unsafe, groups=str(below or ""))


def parts_of(place: Path) -> list[Path]:
    """The parts of the place of a job that the job must not reach, created: other processes work there later."""
    parts = [place, place / "kept", place / "examine"]
    for part in parts:
        part.mkdir()
    return parts


def with_escapes(sandbox: Sandbox, places: Mapping[str, Path], canary: Canary) -> Sandbox:
    """The sandbox with the escapes that worked out of these places."""
    attempts, escapes = 0, list[str]()
    for door, run in doors(sandbox).items():
        place = places[door]
        targets = canary.targets() | {"secrets": [shown_in(place, sandbox, path) for path in canary.files]}
        end, said = run(sandbox, [str(ESCAPES), json.dumps(targets)], str(place))
        told = last_object(said)
        if end is None or end.exit_code != 0 or told is None:
            escapes.append(f"the self-test did not end, {door}: {said.strip()[-200:]}")
            continue
        attempts += int(told["tried"])
        escapes += cast("list[str]", told["worked"])
    escapes += canary.changes()
    return dataclasses.replace(sandbox, escapes=tuple(dict.fromkeys(escapes)), attempts=attempts)


def doors(sandbox: Sandbox) -> dict[str, Run]:
    """The ways to begin: a new Blender, a fork of a warm one, and processes of ours that read the texts of others."""
    forked: dict[str, Run] = {"forked": run_forked} if sandbox.keeps_forks_apart else {}
    return {"started": run_jailed, **forked, "reader": run_reader, "worker": run_worker}


def last_object(said: str) -> dict[str, Any] | None:
    """The JSON object in the last line, or None."""
    with contextlib.suppress(ValueError, IndexError):
        value = json.loads(said.strip().splitlines()[-1])
        return cast("dict[str, Any]", value) if isinstance(value, dict) else None
    return None


@dataclasses.dataclass(frozen=True)
class Canary:
    """The targets to protect: files with a token, listeners, and a process with the token in its environment."""

    token: str
    files: list[Path]
    listeners: dict[str, socket.socket]
    victim: subprocess.Popen[bytes]

    def targets(self) -> dict[str, Any]:
        """The targets that the escapes get."""
        known = syscalls.numbers(libc.MACHINE)
        return {
            "token": self.token,
            "secrets": [str(path) for path in self.files],
            "homely": [str(path) for path in HOMELY],
            "victim": self.victim.pid,
            "tcp": self.listeners["tcp"].getsockname()[1],
            "udp": self.listeners["udp"].getsockname()[1],
            "unix": self.listeners["unix"].getsockname(),
            "datagram": self.listeners["datagram"].getsockname(),
            "abstract": f"blendproof-{self.token}",
            "numbers": {name: known[name] for name in NUMBERED if name in known},
        }

    def changes(self) -> list[str]:
        """The changes found on them."""
        found = [f"{path.name} was changed" for path in self.files if not self.is_whole(path)]
        found += [f"{path.parent.name} was written" for path in self.files if path.with_name("planted").exists()]
        found += [f"the {name} listener was reached" for name, ours in self.listeners.items() if heard(ours)]
        if self.victim.poll() is not None:
            found.append("a process outside was ended")
        return found

    def is_whole(self, path: Path) -> bool:
        try:
            status = path.stat()
            return (path.read_text(), status.st_mode & 0o777, status.st_nlink) == (self.token, 0o600, 1)
        except OSError:
            return False


def shown_in(place: Path, sandbox: Sandbox, path: Path) -> str:
    """The path at which a job in this place would find a file, if it could."""
    return str(sandbox.place_of(place) / path.relative_to(place) if path.is_relative_to(place) else path)


@contextlib.contextmanager
def bait(folder: Path, guarded: Iterable[Path]) -> Generator[Canary, None, None]:
    """Lay out canaries in a folder next to the job's and in each of the guarded folders; remove them afterwards."""
    token = secrets.token_hex(16)
    folders = [folder / "outside", *(place for place in guarded if place.is_dir() and can_be_written(place))]
    folders[0].mkdir()
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(secret_file(place, token)) for place in folders]
        listeners = {
            "tcp": stack.enter_context(listener(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))),
            "udp": stack.enter_context(listener(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))),
            "unix": stack.enter_context(listener(socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "s"))),
            "datagram": stack.enter_context(listener(socket.AF_UNIX, socket.SOCK_DGRAM, str(folder / "d"))),
            "abstract": stack.enter_context(listener(socket.AF_UNIX, socket.SOCK_STREAM, f"\0blendproof-{token}")),
        }
        # It ends when its standard input closes, even if this process is killed.
        victim = stack.enter_context(
            subprocess.Popen(["cat"], env={"PATH": "/usr/bin:/bin", "SECRET": token}, stdin=subprocess.PIPE)
        )
        stack.callback(victim.kill)
        yield Canary(token, files, listeners, victim)


def can_be_written(folder: Path) -> bool:
    """True if the service may write there. If not, as in a read-only image, it keeps no secret there either."""
    try:
        with tempfile.TemporaryDirectory(prefix="canary-", dir=folder):
            return True
    except OSError as error:
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            return False
        raise


@contextlib.contextmanager
def secret_file(folder: Path, token: str) -> Generator[Path, None, None]:
    """A file in a folder of its own, which only the service may read."""
    with tempfile.TemporaryDirectory(prefix="canary-", dir=folder) as name:
        path = Path(name, "secret")
        path.touch(0o600)
        path.write_text(token)
        yield path


@contextlib.contextmanager
def listener(family: int, kind: int, address: Any) -> Generator[socket.socket, None, None]:
    """A socket that waits for a connection or data from inside."""
    with socket.socket(family, kind) as ours:
        ours.bind(address)
        if kind == socket.SOCK_STREAM:
            ours.listen()
        ours.setblocking(False)
        yield ours


def heard(ours: socket.socket) -> bool:
    """True if a connection or data arrived."""
    try:
        if ours.type == socket.SOCK_STREAM:
            ours.accept()[0].close()
        else:
            ours.recv(1)
    except BlockingIOError:
        return False
    return True
