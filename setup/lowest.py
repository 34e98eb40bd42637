"""Tests the lower bounds of pyproject.toml: `lowest.py [FOLDER]` installs the lowest releases they allow, and tests.

What is not named there, but needed by what is, comes as its newest release. The environment lies in FOLDER, which must
not exist, or in a folder that is removed at the end. No Blender takes part. Ends with the status of what failed first.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from environment import ROOT, find_uv, say, sources

PACKAGES = ("app", "clients", "codebase", "harness", "ingest", "python", "search")
INSIDE_BLENDER = ("clients.blender", "harness.inside", "harness.sandbox.forked")
TESTS = ("api", "artifacts", "checks", "cli", "clients", "codebase", "drafting", "ingest", "llm", "retrieval", "search")
"""The tests whose subjects use other packages most; no Blender, and nothing slow."""
IMPORT_ALL = f"""
import importlib, pkgutil
for package in {PACKAGES}:
    for module in pkgutil.walk_packages([package], package + "."):
        if not module.name.startswith({INSIDE_BLENDER}) and not module.name.endswith(("__main__", "migrations.env")):
            importlib.import_module(module.name)
"""


def main(folder: Path) -> int:
    """Install and test; return the exit status."""
    python = str(folder / "bin" / "python")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    options = sources([python, "-m", "pip"])
    # pip leaves a folder as it is that is there already, such as `bin` of the environment.
    uv = find_uv([python, "-m", "pip"], folder / "uv")
    if uv is None or options is None:
        say("the lowest releases are found by uv, which cannot be fetched or cannot be told where pip looks")
        return 1
    install = [uv, "pip", "install", "--quiet", "--python", python, "--index-strategy", "unsafe-best-match", *options]
    steps = {
        "installing the lowest releases": [*install, "--resolution", "lowest-direct", "--editable", f"{ROOT}[test]"],
        "importing every module": [python, "-c", IMPORT_ALL],
        "testing": [
            *(python, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-m", "not blender and not slow"),
            *(f"tests/{name}" for name in TESTS),
        ],
    }
    for step, command in steps.items():
        say(step)
        done = subprocess.run(command, cwd=ROOT, check=False)
        if done.returncode:
            say(f"{step} failed")
            return done.returncode
    say("the lower bounds hold")
    return 0


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(main(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(main(Path(scratch, "lowest")))
