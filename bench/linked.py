"""Makes failing programs whose fault lies behind an edge of a framework: the small programs in `bench/programs`.

Each is a folder with `run.py`, which succeeds, and `faults.toml`: what to change so that it fails, and which unit is
then at fault. The log is what the changed program printed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.failing import Item

PROGRAMS: Final = Path(__file__).with_name("programs")
TIMEOUT_S: Final = 120


def linked_items(name: str, python: str) -> Iterator[Item]:
    """The faults of one program, run by a Python that has what it imports. Raises ValueError if one shows nothing."""
    folder = PROGRAMS / name
    for fault in tomllib.loads((folder / "faults.toml").read_text())["fault"]:
        text = (folder / fault["path"]).read_text()
        if text.count(fault["old"]) != 1:
            raise ValueError(
                f"{folder / fault['path']} has {fault['old']!r} {text.count(fault['old'])} times, not once"
            )
        text = text.replace(fault["old"], fault["new"])
        log = printed(folder, fault["path"], text, python)
        if not log.strip():
            raise ValueError(f"{fault['new']!r} in {folder / fault['path']} lets the program succeed")
        function = fault["function"] or fault["path"]
        yield Item(name, "", fault["path"], function, fault["edge"], "an edge", text, log, [])


def printed(folder: Path, path: str, text: str, python: str) -> str:
    """The output of a program with the text of one file changed."""
    with tempfile.TemporaryDirectory() as work:
        tree = Path(work) / folder.name
        shutil.copytree(folder, tree, ignore=shutil.ignore_patterns("__pycache__"))
        (tree / path).write_text(text)
        environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [python, "run.py"]
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
        return (done.stdout + done.stderr).replace(f"{tree}/", f"/home/somebody/{folder.name}/")
