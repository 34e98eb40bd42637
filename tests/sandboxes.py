"""Sandboxes of each rung for tests, and the limits that tests run within."""

from __future__ import annotations

import sys

import pytest

from harness.launcher import ProcessLimits
from harness.sandbox.ladder import Rung, Sandbox, climb

LIMITS = ProcessLimits(
    wall_s=10, memory_bytes=256 << 20, disk_bytes=4 << 20, files=20, processes=8, output_bytes=1 << 20
)
ISOLATING = (Rung.NAMESPACES, Rung.LANDLOCK)

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these mechanisms")


def on(rung: Rung) -> Sandbox:
    """A sandbox on this rung; skips if the machine does not allow it."""
    found = climb((rung,))
    if found.rung is not rung:
        pytest.skip(f"this machine does not allow it: {found.why_not}")
    return found
