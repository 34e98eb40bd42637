"""Runs code of the harness as a user that is not root, as which a service should run."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pydantic
import pytest

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = Path(pydantic.__file__).parents[1]
"""The folder of the packages that the harness imports in addition to the standard library."""
NOBODY = 65534
CAP_CHOWN, CAP_SETGID, CAP_SETUID = 0, 6, 7


def may_become_another() -> bool:
    """Whether this process may change owners and its user; root without capabilities may not."""
    status = Path("/proc/self/status").read_text()
    effective = int(status.partition("CapEff:")[2].split()[0], 16)
    return all(effective >> capability & 1 for capability in (CAP_CHOWN, CAP_SETGID, CAP_SETUID))


def said_by_an_ordinary_user(source: str) -> str:
    """The output of a Python program run by another user; `folder` is one of its own. Skips if that is impossible."""
    python, setpriv = Path("/usr/bin/python3"), shutil.which("setpriv")
    if not python.exists() or not setpriv or not may_become_another():
        pytest.skip("only root can become another user, who needs an interpreter that anyone may start")
    # Another user cannot read the checkout everywhere, so the harness is copied for it.
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="blendproof-") as name:
        shutil.copytree(ROOT / "harness", Path(name, "harness"), ignore=shutil.ignore_patterns("__pycache__"))
        for package in ("pydantic", "pydantic_core", "annotated_types", "typing_inspection"):
            shutil.copytree(LIBRARIES / package, Path(name, package), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(LIBRARIES / "typing_extensions.py", name)
        folder = Path(name, "own")
        folder.mkdir()
        os.chown(folder, NOBODY, NOBODY)
        Path(name).chmod(0o755)
        user = [setpriv, "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
        lines = f"import sys\nsys.path.insert(0, {name!r})\nfolder = {str(folder)!r}\n{source}"
        done = subprocess.run(
            [*user, str(python), "-I", "-B", "-c", lines], capture_output=True, text=True, check=False, timeout=60
        )
    assert done.returncode == 0, done.stderr
    return done.stdout
