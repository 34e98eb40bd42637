"""Finds the rungs of isolation that this machine allows, and the one to use.

    namespaces   a root, processes and a network of the job's own; Landlock if the kernel has it; call filter
    landlock     Landlock and the call filter, in the machine's own root: in containers that forbid namespaces
    process      limits alone; files and network are not isolated, so untrusted code is refused

A rung is allowed only if a process really started on it: a kernel, a container or a security module may announce more
than it then lets a process do.
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import functools
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.sandbox import landlock, libc, runtime, seccomp
from harness.sandbox.jail import PLACE, SCRATCH, JailSpec
from harness.sandbox.keeper import KEEPER, Bounds, KeeperEnd, KeeperSpec

FORKED: Final = Path(__file__).with_name("forked.py")
READABLE: Final = [*runtime.of_this_python(), *runtime.OURS]
TRY_TIMEOUT_S: Final = 10.0
SAID_LIMIT: Final = 400


class Rung(enum.StrEnum):
    """The isolation of a job, the strongest first."""

    NAMESPACES = "namespaces"
    LANDLOCK = "landlock"
    PROCESS = "process"


LIMITS: Final = "limits on time, memory, disk, output and processes; environment and home of its own"

PROTECTS: Final = {
    Rung.NAMESPACES: "files, other processes and every network, by namespaces of its own and a system call filter; "
    + LIMITS,
    Rung.LANDLOCK: "the content of files, other processes and every network, by Landlock and a system call filter; "
    + LIMITS,
    Rung.PROCESS: LIMITS,
}
DOES_NOT_PROTECT: Final = {
    Rung.NAMESPACES: "against faults of the kernel itself",
    Rung.LANDLOCK: "whether a file or a process exists, and the size and times of a file; "
    "against faults of the kernel itself",
    Rung.PROCESS: "files and network that the service's user can reach",
}


@dataclass(frozen=True)
class Sandbox:
    """The rung in use. `why_not` has the reasons why each rung above it is not available here.

    `escapes` names the escapes that worked in the self-test, of `attempts`: with any, nothing is claimed. `unsafe` is
    the operator's permission to run untrusted code anyway. `groups` is the folder in which each worker gets a control
    group, empty for none.
    """

    rung: Rung
    landlock: int = 0
    why_not: tuple[str, ...] = ()
    escapes: tuple[str, ...] = ()
    attempts: int = 0
    unsafe: bool = False
    groups: str = ""

    @property
    def isolates(self) -> bool:
        """True if files and network are out of reach."""
        return self.rung is not Rung.PROCESS and not self.escapes

    @property
    def serves(self) -> bool:
        """True if untrusted code may be run."""
        return self.isolates or self.unsafe

    @property
    def keeps_forks_apart(self) -> bool:
        """True if the jobs of one warm Blender can be kept apart: Landlock and the filter protect what they share."""
        return self.rung is not Rung.PROCESS and self.landlock > 0

    def jail(self, readable: list[str], writable: list[str], place: str = "") -> JailSpec | None:
        """The jail of one job on this rung, with these paths in addition to the system's own.

        `place` is the folder of the job, which it sees elsewhere; see JailSpec.
        """
        if self.rung is Rung.PROCESS:
            return None
        return JailSpec(
            readable=[*runtime.system(), *readable],
            writable=writable,
            place=place,
            namespaces=self.rung is Rung.NAMESPACES,
            landlock=self.landlock,
            seccomp=call_filter(self.rung, self.landlock),
            groups=self.groups,
        )

    def place_of(self, folder: Path) -> Path:
        """The path of the folder of a place for jobs on this rung."""
        return Path(PLACE) if self.rung is Rung.NAMESPACES else folder

    def waiting_jail(self, readable: list[str], writable: list[str], place: str) -> JailSpec | None:
        """The jail of a warm Blender that forks its jobs, which restrict themselves further.

        A process under Landlock cannot give its children more access, so inside namespaces the jobs apply it.
        """
        jail = self.jail(readable, writable, place)
        return jail and dataclasses.replace(jail, landlock=0 if jail.namespaces else jail.landlock, seccomp="")

    def forked_jail(self, readable: list[str], writable: list[str], place: str) -> JailSpec | None:
        """The jail of a job that was forked from a warm Blender."""
        jail = self.jail(readable, writable, place)
        return jail and dataclasses.replace(jail, seccomp="")

    def worker_jail(self, readable: list[str], writable: list[str]) -> JailSpec | None:
        """The jail of a process of ours that reads the texts of others. It may start programs, and its locks hold.

        It stays outside namespaces, which take time to make, unless nothing else keeps it from files.
        """
        if self.rung is Rung.PROCESS:
            return None
        return JailSpec(
            readable=[*runtime.system(), *readable],
            writable=writable,
            namespaces=not self.landlock,
            landlock=self.landlock,
            seccomp=call_filter(Rung.LANDLOCK, self.landlock, locks=True),
        )

    def reader_jail(self, readable: list[str]) -> JailSpec | None:
        """The same for a process that reads one text; it loads `reader_filter` before it begins."""
        jail = self.worker_jail(readable, [])
        return jail and dataclasses.replace(jail, seccomp="")

    def reader_filter(self) -> str:
        """As `job_filter`, of a process that reads one text."""
        return "" if self.rung is Rung.PROCESS else call_filter(Rung.LANDLOCK, self.landlock, begun=True)

    def at_a_display(self, jail: JailSpec, sockets: str) -> JailSpec:
        """The same jail with the socket of a display, in namespaces: elsewhere a job could reach other displays."""
        calls = call_filter(self.rung, self.landlock, display=True)
        return dataclasses.replace(jail, sockets=sockets, readable=[*jail.readable, sockets], seccomp=calls)

    def of_a_display(self, folder: str, sockets: str) -> JailSpec:
        """The jail of a display itself. Landlock as it is used here lets nobody make a socket, so it goes without."""
        return JailSpec(
            readable=runtime.system(),
            writable=[folder, sockets],
            place=folder,
            sockets=sockets,
            namespaces=True,
            landlock=0,
            seccomp=call_filter(self.rung, self.landlock, display=True),
            groups=self.groups,
        )

    def job_filter(self) -> str:
        """The system call filter that every job loads before it begins; empty on the rung without one.

        By then Blender is loaded: a job starts no process, and signals only itself.
        """
        return "" if self.rung is Rung.PROCESS else call_filter(self.rung, self.landlock, begun=True)

    def scratch(self) -> list[str]:
        """Folders in memory that jobs in the same namespaces share."""
        return list(SCRATCH) if self.rung is Rung.NAMESPACES else []

    def facts(self) -> dict[str, Any]:
        """The rung as reports and `/health` show it."""
        lost = f"; escapes that worked in the self-test: {', '.join(self.escapes)}" if self.escapes else ""
        return {
            "rung": self.rung.value,
            "isolates_files_and_network": self.isolates,
            "mechanisms": {
                "namespaces": self.rung is Rung.NAMESPACES,
                "landlock": self.landlock or None,
                "seccomp": self.rung is not Rung.PROCESS,
                "control_groups": bool(self.groups),
            },
            "protects": PROTECTS[self.rung],
            "does_not_protect": DOES_NOT_PROTECT[self.rung] + lost,
            "escapes_tried": self.attempts,
            "why_not_higher": list(self.why_not),
            "allowed_by": "BLENDPROOF_SANDBOX=unsafe" if self.unsafe and not self.isolates else None,
        }


@functools.cache
def call_filter(rung: Rung, offered: int, begun: bool = False, locks: bool = False, display: bool = False) -> str:
    """The system call filter of a rung as base64. It refuses what Landlock before version 6 cannot see."""
    jailed = rung is Rung.NAMESPACES
    policy = seccomp.Policy(
        processes=not begun,
        metadata=jailed and not begun,
        signals=not begun and (jailed or offered >= landlock.SCOPE_VERSION),
        truncate=jailed or offered >= landlock.TRUNCATE_VERSION,
        locks=locks,
        display=display,
    )
    return base64.b64encode(seccomp.program(libc.MACHINE, policy)).decode()


@functools.cache
def strongest() -> Sandbox:
    """The strongest rung that this machine allows; found once, by trying."""
    if sys.platform != "linux":
        return Sandbox(Rung.PROCESS, why_not=(f"{sys.platform} lacks the isolation features of Linux",))
    if not call_filter(Rung.NAMESPACES, 0):
        return Sandbox(Rung.PROCESS, why_not=(f"Blendproof has no system call filter for {libc.MACHINE}",))
    return climb((Rung.NAMESPACES, Rung.LANDLOCK))


def climb(rungs: tuple[Rung, ...]) -> Sandbox:
    """The first of the rungs that a process can be started on."""
    offered = landlock.version()
    why_not: list[str] = []
    for rung in rungs:
        sandbox = Sandbox(rung, offered, tuple(why_not))
        problem = "this kernel has no Landlock" if rung is Rung.LANDLOCK and not offered else try_rung(sandbox)
        if problem is None:
            return sandbox
        why_not.append(f"{rung.value}: {problem}")
    return Sandbox(Rung.PROCESS, why_not=tuple(why_not))


def try_rung(sandbox: Sandbox) -> str | None:
    """Start a program that does nothing on this rung; return why that failed, or None."""
    with tempfile.TemporaryDirectory(prefix="blendproof-") as folder:
        end, said = run_jailed(sandbox, ["-c", "pass"], folder)
    return None if end and end.exit_code == 0 else said.strip()[-SAID_LIMIT:] or "a process did not start"


def run_jailed(sandbox: Sandbox, arguments: list[str], folder: str) -> tuple[KeeperEnd | None, str]:
    """Run this interpreter in the sandbox until it ends; return its end (None if there is none) and its output.

    `folder` is its place, of which it has only a folder `run`.
    """
    own = own_folder(folder)
    return run_in(sandbox.jail(READABLE, [own], folder), arguments, own)


def run_forked(sandbox: Sandbox, arguments: list[str], folder: str) -> tuple[KeeperEnd | None, str]:
    """The same as a forked job: a process that waits in a wider jail forks one that confines itself."""
    own = own_folder(folder)
    jail = sandbox.forked_jail(READABLE, [own], folder)
    assert jail is not None
    order = {
        "jail": dataclasses.asdict(jail),
        "filter": sandbox.job_filter(),
        "folder": jail.seen(own),
        "arguments": arguments,
        "apart": False,
    }
    return run_in(sandbox.waiting_jail(READABLE, [folder], folder), [str(FORKED), json.dumps(order)], own)


def run_reader(sandbox: Sandbox, arguments: list[str], folder: str) -> tuple[KeeperEnd | None, str]:
    """The same as a process that reads one text, and confines itself."""
    return run_apart(sandbox.reader_jail(READABLE), sandbox.reader_filter(), arguments, "/", own_folder(folder))


def run_worker(sandbox: Sandbox, arguments: list[str], folder: str) -> tuple[KeeperEnd | None, str]:
    """The same as a process that reads the texts of one place."""
    own = own_folder(folder)
    return run_apart(sandbox.worker_jail(READABLE, [own]), "", arguments, own, own)


def run_apart(
    jail: JailSpec | None, call_filter: str, arguments: list[str], inside: str, folder: str
) -> tuple[KeeperEnd | None, str]:
    assert jail is not None
    order = {"jail": dataclasses.asdict(jail), "filter": call_filter, "folder": inside, "arguments": arguments}
    return run_in(None, [str(FORKED), json.dumps(order | {"apart": True})], folder)


def own_folder(place: str) -> str:
    """The folder of a place that a job has to itself, created."""
    own = Path(place, "run")
    own.mkdir()
    return str(own)


def run_in(jail: JailSpec | None, arguments: list[str], folder: str) -> tuple[KeeperEnd | None, str]:
    spec = KeeperSpec(
        command=[sys.executable, "-I", "-S", "-B", *arguments],
        environment={"PATH": "/usr/bin:/bin", "HOME": jail.seen(folder) if jail else folder},
        folder=jail.seen(folder) if jail else folder,
        pass_fds=[],
        bounds=Bounds(TRY_TIMEOUT_S, 256 << 20, [folder], 8 << 20, files=100, processes=32),
        jail=jail,
    )
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", str(KEEPER)],
        env={"PATH": os.environ.get("PATH", os.defpath)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as keeper:
        assert keeper.stdin is not None and keeper.stdout is not None and keeper.stderr is not None
        keeper.stdin.write(json.dumps(dataclasses.asdict(spec)).encode() + b"\n")
        keeper.stdin.flush()
        # The keeper's own limit ends this. Until then its standard input stays open: closing it is an order to kill.
        line = keeper.stdout.readline()
        said = keeper.stderr.read().decode("utf-8", "replace")
    return (KeeperEnd(**json.loads(line)) if line else None), said
