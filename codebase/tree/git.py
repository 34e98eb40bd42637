"""Runs git in a working tree, without letting the repository's own configuration run anything.

A repository may name programs in its configuration: hooks, a file system monitor, filters, a pager, a signature
checker, a transport. None of these is started, nothing is written, and nothing is fetched.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from codebase.errors import GitFailed, GitTooSlow

TIMEOUT_S: Final = 60.0
SAFE: Final = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "log.showSignature=false"),
    *("-c", "submodule.recurse=false"),
    # Names that another file system takes for .git are refused here too.
    *("-c", "core.protectHFS=true"),
    *("-c", "core.protectNTFS=true"),
    # The operator named the folder; another owner is no danger, because nothing in it is run.
    *("-c", "safe.directory=*"),
    "--no-pager",
    "--literal-pathspecs",
)


def environment() -> dict[str, str]:
    """The environment of git: no settings of the user or the machine, no prompts, no transports."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {
        **kept,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
    }


def git(
    folder: Path,
    *arguments: str,
    timeout_s: float = TIMEOUT_S,
    given: bytes = b"",
    more: Mapping[str, str] | None = None,
) -> bytes:
    """The output of a git command in this folder. `given` is its standard input, `more` are variables of its
    environment. Raises GitFailed."""
    command = ["git", *SAFE, "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            env={**environment(), **(more or {})},
            input=given,
            timeout=timeout_s,
            check=False,
        )
    except FileNotFoundError as error:
        raise GitFailed("git is not installed: install it, or add the folder without its .git.") from error
    except subprocess.TimeoutExpired as error:
        raise GitTooSlow(f"git {arguments[0]} in {folder} took longer than {timeout_s:.0f} s.") from error
    if done.returncode:
        said = " ".join(done.stderr.decode(errors="replace").split())[:300]
        raise GitFailed(f"git {arguments[0]} failed in {folder}: {said}")
    return done.stdout


def head(folder: Path) -> str | None:
    """The commit of the working tree; None before the first commit."""
    try:
        return git(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").decode().strip()
    except GitFailed:
        return None


def is_work_tree(folder: Path) -> bool:
    """True if git keeps the files of this folder: its own tree, or tracked files of a tree around it."""
    if not any((place / ".git").exists() for place in (folder, *folder.parents)):
        return False
    if git(folder, "rev-parse", "--is-inside-work-tree").strip() != b"true":
        return False
    return (folder / ".git").exists() or bool(git(folder, "ls-files", "-c", "-z"))
