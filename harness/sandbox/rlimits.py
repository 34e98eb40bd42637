"""The kernel's own limits on the resources of a process and its children, which cannot be raised again.

They are the second line. The keeper counts memory in use, files written and processes from outside, and can give a
reason; these limits hold between its checks.
"""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Mapping
from typing import Final

ADDRESS_SPACE_MARGIN: Final = 4 << 30
"""Address space that a Blender maps without using it, on top of the memory it may really use."""
OPEN_FILES: Final = 256
"""Also of pipes, pairs of sockets and epolls, whose buffers and watches are memory of the kernel."""
PENDING_SIGNALS: Final = 64
"""Queued signals and timers; they count for the user, like everything the kernel holds for one."""
TASKS: Final = 512
"""Processes and threads together; the kernel counts them only for users other than root."""


def job_limits(memory_bytes: int, file_bytes: int) -> dict[int, int]:
    """The limits of one job, by their numbers in `resource`."""
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: file_bytes,
        resource.RLIMIT_AS: memory_bytes + ADDRESS_SPACE_MARGIN,
        resource.RLIMIT_NOFILE: OPEN_FILES,
    }
    if hasattr(resource, "RLIMIT_MSGQUEUE"):
        limits[resource.RLIMIT_MSGQUEUE] = 0
        limits[resource.RLIMIT_SIGPENDING] = PENDING_SIGNALS
    return limits


def warm_limits() -> dict[int, int]:
    """The limits of a Blender that waits for jobs, which have their own."""
    limits = job_limits(0, 0)
    return {limit: limits[limit] for limit in limits if limit not in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE)}


def task_limit() -> dict[int, int]:
    """The limit on processes; only for a user namespace of the job's own, in which no process of the host counts."""
    return {resource.RLIMIT_NPROC: TASKS}


def apply(limits: Mapping[int, int]) -> None:
    """Lower the soft and hard limits of this process; a limit that is lower already stays."""
    for limit, value in limits.items():
        _, hard = resource.getrlimit(limit)
        new = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # A system may not know a limit, or may not let it be lowered; the keeper's limits still hold.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(limit, (new, new))
