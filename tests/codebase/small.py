"""Small repositories."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

IDENTITY = {
    **{f"GIT_{who}_{what}": "someone@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def run_git(root: Path, *arguments: str, **environment: str) -> str:
    """What git says."""
    given = {**os.environ, **IDENTITY, **environment}
    done = subprocess.run(["git", *arguments], cwd=root, env=given, check=True, capture_output=True, text=True)
    return done.stdout


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder."""
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def repository(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """A Git working tree with one commit."""
    root.mkdir(parents=True, exist_ok=True)
    run_git(root, "init", "-q")
    return commit(root, files)


def commit(root: Path, files: Mapping[str, str | bytes], day: int = 1) -> Path:
    """Write files and commit them."""
    write(root, files)
    run_git(root, "add", "-A")
    when = f"2026-01-{day:02} 12:00:00 +0000"
    run_git(root, "commit", "-q", "-m", "change", GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when)
    return root
