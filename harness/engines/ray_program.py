"""`ray` as a program of ours, and the setting of Ray in every process: with the token, on loopback if that is given."""

from __future__ import annotations

import importlib
import signal
import sys
from pathlib import Path
from typing import Any

from harness.sandbox import libc


def environment(token: Path) -> dict[str, str]:
    """The environment that Ray reads when it is imported: every part shows the token, and none reports its use.

    Ray would kill its largest process when memory is short, which is the actor. The limits of the jobs bound
    the memory.
    """
    return {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(token),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_memory_monitor_refresh_ms": "0",
    }


def stay_on_loopback() -> None:
    """Have Ray in this process use a loopback address as it is given.

    Ray replaces it by an address that other machines reach, and then listens on every interface, which on one machine
    nothing needs. With another address it listens on every interface in any case; see docs/cluster.md.
    """
    services: Any = importlib.import_module("ray._private.services")
    services.resolve_ip_for_localhost = str


def main() -> None:
    """Be `ray`, and end with the process that started it."""
    # Not SIGTERM, at which Ray waits half a minute for its actors; its own processes end with this one.
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    stay_on_loopback()
    scripts: Any = importlib.import_module("ray.scripts.scripts")
    sys.argv[0] = "ray"
    scripts.main()


if __name__ == "__main__":
    main()
