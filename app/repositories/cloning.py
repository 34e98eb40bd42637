"""Clones an address that the operator allowed, without running anything of its own.

No hooks, no filters, no submodules, no links, no credentials of this machine, no other protocol, no redirects. The
clone has limited time, bytes and memory; a clone that exceeds them is deleted.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

from app.errors import StorageFailed
from app.repositories.allowed import RepositoryRefused

CLONE_S: Final = 300.0
CLONE_BYTES: Final = 2 << 30
CLONE_MEMORY: Final = 512 << 20
"""For each process of git, besides the files that it maps: a server's answer is held there, whatever it unfolds to."""
COMMITS: Final = 3000
"""As many as the ranking reads."""
LOOK_S: Final = 0.2
MESSAGE_CHARACTERS: Final = 4096
"""The rest of the words of git is not read: a server may send as many as a clone may have bytes."""
OPTIONS: Final = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.symlinks=false"),
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "credential.helper="),
    *("-c", "http.followRedirects=false"),
    *("-c", "protocol.allow=never", "-c", "protocol.http.allow=always", "-c", "protocol.https.allow=always"),
    *("-c", "transfer.fsckObjects=false"),
)


def clone(url: str, folder: Path) -> None:
    """Clone an address into a folder, which appears only when it is whole. Blocks.

    Raises RepositoryRefused if it cannot be cloned within its limits, and StorageFailed.
    """
    unfinished = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="blendproof-") as home:
            _run(url, unfinished, home)
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.replace(folder)
    except OSError as error:
        raise StorageFailed(f"{folder} cannot be written: {error.strerror}.") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _run(url: str, folder: Path, home: str) -> None:
    command = ["git", *OPTIONS, "clone", "--quiet", "--template=", "--single-branch", "--no-tags"]
    command += ["--no-recurse-submodules", f"--depth={COMMITS}", "--", url, str(folder)]
    errors_file = Path(home) / "errors"
    with errors_file.open("wb") as errors:
        process = subprocess.Popen(
            command,
            env=_environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
            preexec_fn=_limit,  # noqa: PLW1509
        )
    try:
        problem = _wait(process, folder, errors_file)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if problem:
        raise RepositoryRefused(f"url: {url} {problem}.", "Clone it yourself, and add its folder.")
    if process.returncode:
        with errors_file.open(encoding="utf-8", errors="replace") as said:
            message = " ".join(said.read(MESSAGE_CHARACTERS).split())[:300]
        raise RepositoryRefused(
            f"url: {url} cannot be cloned: {message}", "See whether the address is right and public."
        )


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (CLONE_BYTES, CLONE_BYTES))
    resource.setrlimit(resource.RLIMIT_DATA, (CLONE_MEMORY, CLONE_MEMORY))


def _wait(process: subprocess.Popen[bytes], folder: Path, errors_file: Path) -> str | None:
    """Wait for the end of a clone; returns the limit that it exceeds, if any."""
    until = time.monotonic() + CLONE_S
    while True:
        try:
            process.wait(LOOK_S)
        except subprocess.TimeoutExpired:
            ended = False
        else:
            ended = True
        if bytes_below(folder) + errors_file.stat().st_size > CLONE_BYTES:
            return f"is larger than {CLONE_BYTES >> 20} MiB"
        if ended:
            return None
        if time.monotonic() > until:
            return f"takes longer than {CLONE_S:.0f} s to clone"


def bytes_below(folder: Path) -> int:
    """The bytes of all files below a folder, which may change meanwhile."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += (Path(place) / name).lstat().st_size
    return total


def _environment(home: str) -> dict[str, str]:
    """An environment without settings, credentials and programs of this machine."""
    kept = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy") or name == "PATH"}
    return {
        **kept,
        "HOME": home,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "/bin/false",
        "GIT_LFS_SKIP_SMUDGE": "1",
    }
