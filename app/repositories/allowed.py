"""Folders and addresses that the operator allows to be added; addresses are cloned."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from app.errors import InvalidRequest, NotFound

MOST_OF_A_LINK: Final = 4096
BRANCHES: Final = ("objects", "refs", "reftable", "logs")
"""Entries below its folder that git writes when a branch is made."""


class RepositoryNotFound(NotFound):
    code = "repository_not_found"
    hint = "GET /repositories and `blendproof repo list` show the repositories."


class SourceNotFound(NotFound):
    code = "source_not_found"
    hint = "GET /repositories shows the sources of each repository."


class RepositoryRefused(InvalidRequest):
    code = "repository_refused"
    hint = "docs/repositories.md says what can be added, and what can be done with it."


@dataclass(frozen=True)
class AllowedPlaces:
    """Folders below which repositories may lie, and beginnings of addresses that may be cloned.

    `folders` is None if any folder will do: for the operator's own command line, if the operator named none.
    """

    folders: tuple[Path, ...] | None
    urls: tuple[str, ...] = ()

    def covers(self, path: Path) -> bool:
        """True if a path, without its links, is one of the folders or lies in one."""
        if self.folders is None:
            return True
        real = real_path(path)
        return real is not None and any(real.is_relative_to(real_path(folder) or folder) for folder in self.folders)

    def path(self, given: Path) -> Path:
        """The absolute path to add. Raises RepositoryRefused if it is not allowed."""
        readable = str(given).encode("utf-8", "replace").decode()
        if readable != str(given):
            raise RepositoryRefused(f"path: {readable} is not UTF-8.", "Rename the folder.")
        if self.folders is not None and not given.is_absolute():
            raise RepositoryRefused(f"path: {given} is not absolute.", "Write the whole path, from / on.")
        if not self.covers(given):
            # A missing path gets the same answer: the files of the machine are no business of a caller.
            raise RepositoryRefused(
                f"path: {given} does not lie in a folder that the operator allowed.",
                "The operator can add its folder to BLENDPROOF_REPOSITORIES.",
            )
        try:
            return Path(os.path.abspath(given.expanduser()))  # noqa: PTH100 - resolve() would raise on a loop of links
        except RuntimeError as error:
            raise RepositoryRefused(
                f"path: {given} begins with a user that does not exist.", "Write the whole path, from / on."
            ) from error

    def url(self, given: str) -> str:
        """The address to clone. Raises RepositoryRefused if it is not allowed."""
        if not is_plain_url(given):
            raise RepositoryRefused(
                f"url: {given[:200]!r} cannot be cloned.",
                "Write an address like https://example.org/name.git, without a user, a query or `..`.",
            )
        if not any(given.startswith(start) for start in self.urls):
            raise RepositoryRefused(
                f"url: {given} is not an address that the operator allowed.",
                "The operator can add the beginning of the address to BLENDPROOF_REPOSITORY_URLS.",
            )
        return given

    def readable(self, root: Path) -> Iterator[Path]:
        """The folders that must be readable to read a repository: its own, and those that git keeps for it."""
        yield real_path(root) or root
        yield from (place for place in git_folders(root) if self.covers(place))

    def written_by_branches(self, root: Path) -> Iterator[Path]:
        """The folders that making a branch writes."""
        for place in git_folders(root):
            if self.covers(place):
                folders = (place / name for name in BRANCHES)
                yield from (folder for folder in folders if folder.is_dir() and self.covers(folder))


def real_path(path: Path) -> Path | None:
    """A path without its links; None if it cannot be resolved."""
    try:
        return path.expanduser().resolve()
    except (OSError, ValueError, RuntimeError):
        return None


def is_plain_url(given: str) -> bool:
    """True for an address of HTTP with nothing in it that hides its target."""
    try:
        parts = urlsplit(given)
        parts.port  # noqa: B018 - raises if it is not a number
    except ValueError:
        return False
    plain = given.isascii() and given.isprintable() and not set(given) & set(" \\?#%@")
    return parts.scheme in ("https", "http") and bool(parts.hostname) and plain and ".." not in parts.path


def is_address(given: str) -> bool:
    """True for what is meant as an address to clone, if also one that is refused; others are folders."""
    return "://" in given or bool(re.match(r"[\w.-]+@[\w.-]+:", given))


def git_folders(root: Path) -> Iterator[Path]:
    """The folders that git keeps for a working tree: `.git` in it or above, and those that a `.git` file names."""
    for place in (root, *root.parents):
        link = place / ".git"
        if link.is_dir():
            yield link
            return
        if link.is_file():
            yield link
            kept = path_in(link, "gitdir:")
            if kept:
                yield kept
                yield path_in(kept / "commondir", "") or kept
            return


def path_in(file: Path, start: str) -> Path | None:
    """The path in a small file of git."""
    try:
        text = file.read_bytes()[:MOST_OF_A_LINK].decode().strip()
    except (OSError, UnicodeDecodeError):
        return None
    return real_path(file.parent / text.removeprefix(start).strip()) if text.startswith(start) else None
