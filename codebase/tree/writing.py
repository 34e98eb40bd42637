"""Writes files of a repository: only existing plain files, never through a link, and never below `.git`."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Generator
from pathlib import Path
from typing import Final

from codebase.errors import NotWritable

CONTROL: Final = frozenset({".git", ".gitmodules", ".hg", ".svn"})
SHORT: Final = re.compile(r"git(mod)?~\d+")
FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def refusal(path: str) -> str | None:
    """The reason why a path is not that of a file that may be written; None if it may be."""
    parts = path.split("/")
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        return "it leads out of the repository"
    if not all(part.isprintable() for part in parts):
        return "its name has characters that cannot be seen"
    # Some file systems ignore case, and trailing dots and blanks; some know streams of files, and short names.
    plain = [part.casefold().partition(":")[0].rstrip(". ") for part in parts]
    if any(part in CONTROL or SHORT.fullmatch(part) for part in plain):
        return "it belongs to version control"
    return None


def replace_file(root: Path, path: str, old: bytes, new: bytes) -> None:
    """Replace the bytes of a file, all at once; its mode stays. Raises NotWritable if it is missing, has other bytes
    than the old ones, or is no plain file below the root."""
    reason = refusal(path)
    if reason:
        raise NotWritable(f"{path} is not written: {reason}.")
    try:
        with folder_of(root, path) as folder:
            replace_in(folder, path.rpartition("/")[2], old, new)
    except OSError as error:
        raise NotWritable(f"{path} is not written: {error.strerror}.") from error


@contextlib.contextmanager
def folder_of(root: Path, path: str) -> Generator[int, None, None]:
    """The descriptor of the folder of a file, reached without following a link below the root."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in path.split("/")[:-1]:
            inner = os.open(part, FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def replace_in(folder: int, name: str, old: bytes, new: bytes) -> None:
    """Replace a file in a folder that is open. Raises NotWritable and OSError."""
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotWritable(f"{name} is not written: it is no plain file.")
        if file.read() != old:
            raise NotWritable(f"{name} is not written: it was changed meanwhile. Try again.")
    unfinished = f".{name}.{secrets.token_hex(4)}"
    made = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=folder)
    try:
        with os.fdopen(made, "wb") as file:
            file.write(new)
            os.fchmod(made, stat.S_IMODE(status.st_mode))
        os.replace(unfinished, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(unfinished, dir_fd=folder)
        raise
