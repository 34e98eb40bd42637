"""Runs a script of a test in the interpreter of a Blender that is a wheel."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from harness.blenders import Blender

ROOT = Path(__file__).parents[2]


def run_in_wheel(blender: Blender, source: str, folder: Path) -> None:
    """Run the source, whose first argument is the project's folder; fail if it fails, skip without a wheel."""
    if blender.kind != "module":
        pytest.skip("needs the interpreter of a wheel")
    script = folder / "in_wheel.py"
    script.write_text(source)
    done = subprocess.run([blender.path, script, str(ROOT)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
