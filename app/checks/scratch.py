"""Folders of checkers in the system's temporary folder; those of a killed service are removed by the next one."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Final, Literal

OURS: Final = re.compile(r"blendproof-(?:check|warm)-(\d+)-\w+")
"""Names of these folders; the number is the process that made it."""


def scratch_folder(kind: Literal["check", "warm"]) -> tempfile.TemporaryDirectory[str]:
    """An empty folder, removed when it is left or collected."""
    return tempfile.TemporaryDirectory(prefix=f"blendproof-{kind}-{os.getpid()}-", ignore_cleanup_errors=True)


def remove_abandoned() -> None:
    """Remove the folders of this user whose process is gone."""
    for folder in Path(tempfile.gettempdir()).glob("blendproof-*"):
        named = OURS.fullmatch(folder.name)
        if named and not is_alive(int(named[1])) and folder.lstat().st_uid == os.geteuid():
            shutil.rmtree(folder, ignore_errors=True)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
