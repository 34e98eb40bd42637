"""The process around one warm Blender: it starts it, hands jobs in one at a time, and watches each from outside.

    pool ── WarmSpec, then WarmJobs ──> warm keeper ──> waiting Blender ──> the job, forked or the waiting one itself
         <── ready, KeeperEnds ───────              <──

Run as `python -I -S -B warm_keeper.py`. Standard input is a socket to the pool that keeps messages apart; each is a
JSON object, and a WarmJob brings four descriptors: channel, output, errors, log. While a job runs, any message, or the
end of the socket, is the order to kill it. When the socket ends, nothing is left: neither Blender nor this process.

The remarks in `keeper.py` on its own place hold here too.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import select
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # Started as a program, it finds its neighbours by its own place.
    sys.path.insert(0, str(Path(__file__).parents[2]))

from harness.protocol import CONTROL_FD, JOB_FDS
from harness.sandbox import rlimits
from harness.sandbox.groups import ControlGroup, group_below
from harness.sandbox.jail import JailFailed, JailSpec, JobEnd, SandboxedJob, start
from harness.sandbox.keeper import (
    ORDERS,
    POLL_S,
    Bounds,
    KeeperEnd,
    WarmJob,
    WarmSpec,
    WholeJob,
    adopt_orphans,
    attend_in,
    kill_all,
    kill_each,
    proportional,
)

MESSAGE_LIMIT_BYTES = 1 << 17
ANSWER_S = 5.0
"""Seconds that a Blender whose job is dead may take to report that."""


class BlenderLost(Exception):
    """The warm Blender ended, or does not answer."""


def main() -> None:
    """Keep one warm Blender; see the module."""
    pool = socket.socket(fileno=ORDERS)
    spec = read_warm_spec(json.loads(pool.recv(MESSAGE_LIMIT_BYTES)))
    adopt_orphans()
    with group_below(spec.jail.groups if spec.jail else "") as group:
        keep(pool, spec, group)


def keep(pool: socket.socket, spec: WarmSpec, group: ControlGroup | None) -> None:
    """Start the warm Blender, in a control group if there is one, and leave no process of it."""
    try:
        warm = WarmBlender(spec, group)
    except JailFailed as failed:
        raise SystemExit(f"the sandbox could not be set up: {failed}") from failed
    try:
        warm.await_ready()
        pool.send(json.dumps({"ready": warm.facts()}).encode())
        serve(pool, warm)
    except BlenderLost as lost:
        sys.stderr.write(f"{lost}\n")
    finally:
        warm.end()


def serve(pool: socket.socket, warm: WarmBlender) -> None:
    """Do the orders of the pool until it sends no more."""
    while True:
        readable, _, _ = select.select([ORDERS, *warm.sources()], [], [])
        if ORDERS not in readable:
            raise BlenderLost("the warm Blender ended while it waited")
        message, descriptors, _, _ = socket.recv_fds(pool, MESSAGE_LIMIT_BYTES, len(JOB_FDS) + 1)
        if not message:
            return
        if not descriptors:
            # An order to stop a job that had ended when it came.
            continue
        job = read_warm_job(json.loads(message))
        end = warm.do(job, descriptors)
        pool.send(json.dumps({"end": dataclasses.asdict(end), "clean": warm.clean}).encode())
        if not warm.forks:
            return


def read_warm_spec(fields: dict[str, Any]) -> WarmSpec:
    """The spec, from its JSON object."""
    jail = fields.pop("jail")
    return WarmSpec(**fields, jail=JailSpec(**jail) if jail else None)


def read_warm_job(fields: dict[str, Any]) -> WarmJob:
    """The job, from its JSON object."""
    bounds, jail = Bounds(**fields.pop("bounds")), fields.pop("jail")
    return WarmJob(**fields, bounds=bounds, jail=JailSpec(**jail) if jail else None)


class WarmBlender:
    """A warm Blender. `clean` is true if all files of its last job in shared folders could be removed."""

    def __init__(self, spec: WarmSpec, group: ControlGroup | None) -> None:
        self.group = group
        self.forks = spec.forks
        self.clean = True
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            os.dup2(theirs.fileno(), CONTROL_FD)
            job = SandboxedJob(spec.command, spec.environment, spec.folder, [CONTROL_FD], rlimits.warm_limits())
            self._whole = WholeJob(start(job, spec.jail, group))
            os.close(CONTROL_FD)
        self._residents: set[int] = set()
        self._programs: set[str | None] = set()

    def await_ready(self) -> None:
        """Wait until it is warm; the pool has the clock."""
        readable, _, _ = select.select([ORDERS, *self.sources()], [], [])
        if self._line.fileno() not in readable or not self._line.recv(MESSAGE_LIMIT_BYTES):
            raise BlenderLost("Blender did not get warm")
        self._residents = self._whole.processes()
        self._programs = {program_of(pid) for pid in self._residents}

    def facts(self) -> dict[str, int]:
        """Its threads, and its memory, with shared pages counted in part."""
        threads = [len(os.listdir(f"/proc/{pid}/task")) for pid in self._residents]  # noqa: PTH208
        return {"threads": max(threads, default=0), "memory_bytes": proportional(list(self._residents))}

    def sources(self) -> list[int]:
        """Descriptors that can be read when it has something to say or has ended."""
        return [self._line.fileno(), *self._whole.sources()]

    def do(self, job: WarmJob, descriptors: list[int]) -> KeeperEnd:
        """Have one job done, and watch it."""
        bounds = job.bounds
        limits = rlimits.job_limits(bounds.memory_bytes, bounds.disk_bytes)
        order = {
            "job": job.job,
            "folder": job.folder,
            "limits": limits,
            "jail": dataclasses.asdict(job.jail) if job.jail else None,
        }
        try:
            socket.send_fds(self._line, [json.dumps(order).encode()], descriptors)
        except OSError as error:
            raise BlenderLost(f"the warm Blender takes no job: {error}") from error
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        return attend_in(self.group, lambda: ForkedJob(self) if self.forks else self._whole, bounds)

    def processes_of_job(self) -> set[int]:
        """Ids of the processes that did not exist before the job."""
        return self._whole.processes() - self._residents

    def forked(self) -> set[int]:
        """The same, without the warm Blender's own programs for cleaning up: a job cannot become another program."""
        return {pid for pid in self.processes_of_job() if program_of(pid) in self._programs}

    def reported_end(self) -> JobEnd:
        """The end of the job, which the warm Blender reports once the job is dead."""
        if not select.select([self._line], [], [], ANSWER_S)[0]:
            raise BlenderLost("the warm Blender does not answer")
        message = self._line.recv(MESSAGE_LIMIT_BYTES)
        if not message:
            raise BlenderLost("the warm Blender ended during a job")
        fields: dict[str, Any] = json.loads(message)
        self.clean = fields.pop("clean")
        return JobEnd(**fields)

    def end(self) -> None:
        """Leave no process of it."""
        self._whole.kill()
        # One that did its job itself was waited for then.
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, self._whole.child.pid, os.WEXITED | os.WNOHANG)


class ForkedJob:
    """A job that the warm Blender forked a process for."""

    def __init__(self, warm: WarmBlender) -> None:
        self.warm = warm

    def sources(self) -> list[int]:
        return self.warm.sources()

    def has_ended(self) -> bool:
        return bool(select.select(self.warm.sources(), [], [], 0)[0])

    def processes(self) -> set[int]:
        return self.warm.processes_of_job()

    def kill(self) -> int:
        """Kill it until the warm Blender reports its end: when the order comes it may not be there yet."""
        killed: set[int] = set()
        deadline = time.monotonic() + ANSWER_S
        while not self.has_ended() and time.monotonic() < deadline:
            alive = self.warm.forked()
            kill_each(alive)
            killed |= alive
            select.select(self.sources(), [], [], POLL_S / 4)
        return len(killed | kill_all(self.warm.forked))

    def end(self) -> JobEnd:
        return self.warm.reported_end()


def program_of(pid: int) -> str | None:
    """The file that a process is an instance of; None when it is gone."""
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{pid}/exe")  # noqa: PTH115
    return None


if __name__ == "__main__":
    # The pool may be gone when it is to get a message.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    main()
