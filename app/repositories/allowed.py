"""What the operator allows to be added: folders, and addresses that are cloned."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from app.errors import InvalidRequest, NotFound

MOST_OF_A_LINK: Final = 4096
BRANCHES: Final = ("objects", "refs", "reftable", "logs")
"""What git writes below its folder if a branch is made."""


class RepositoryNotFound(NotFound):
    code = "repository_not_found"
    hint = "GET /repositories and `blendproof repo list` show the repositories."


class RepositoryRefused(InvalidRequest):
    code = "repository_refused"
    hint = "docs/repositories.md says what can be added, and what can be done with it."


@dataclass(frozen=True)
class Allowed:
    """Folders below which repositories may lie, and beginnings of addresses that may be cloned.

    `folders` is None if any folder will do: for the operator's own command line, if the operator named none.
    """

    folders: tuple[Path, ...] | None
    urls: tuple[str, ...] = ()

    def covers(self, path: Path) -> bool:
        """Whether a path, without its links, is one of the folders or lies in one."""
        if self.folders is None:
            return True
        real = real_path(path)
        return real is not None and any(real.is_relative_to(real_path(one) or one) for one in self.folders)

    def path(self, given: Path) -> Path:
        """The absolute path to add. Raises RepositoryRefused if it is not allowed."""
        if self.folders is not None and not given.is_absolute():
            raise RepositoryRefused(f"path: {given} is not absolute.", "Write the whole path, from / on.")
        if not self.covers(given):
            # The same for what is not there: it is no business of a caller.
            raise RepositoryRefused(
                f"path: {given} does not lie in a folder that the operator allowed.",
                "The operator can add its folder to BLENDPROOF_REPOSITORIES.",
            )
        return Path(os.path.abspath(given.expanduser()))  # noqa: PTH100 - resolve() would raise on a loop of links

    def url(self, given: str) -> str:
        """The address to clone. Raises RepositoryRefused if it is not allowed."""
        if not is_plain_url(given):
            raise RepositoryRefused(
                f"url: {given[:200]!r} cannot be cloned.",
                "Write an address like https://example.org/name.git, without a user, a query or `..`.",
            )
        if not any(given.startswith(one) for one in self.urls):
            raise RepositoryRefused(
                f"url: {given} is not an address that the operator allowed.",
                "The operator can add the beginning of the address to BLENDPROOF_REPOSITORY_URLS.",
            )
        return given

    def readable(self, root: Path) -> Iterator[Path]:
        """The folders that reading a repository takes: itself, and those that git keeps for it."""
        yield real_path(root) or root
        yield from (place for place in git_folders(root) if self.covers(place))

    def written_by_branches(self, root: Path) -> Iterator[Path]:
        """The folders that making a branch writes."""
        for place in git_folders(root):
            if self.covers(place):
                folders = (place / name for name in BRANCHES)
                yield from (one for one in folders if one.is_dir() and self.covers(one))


def real_path(path: Path) -> Path | None:
    """A path without its links; None if there is no such thing."""
    try:
        return path.expanduser().resolve()
    except (OSError, ValueError, RuntimeError):
        return None


def is_plain_url(given: str) -> bool:
    """Whether it is an address of HTTP with nothing in it that hides where it leads."""
    try:
        parts = urlsplit(given)
        parts.port  # noqa: B018 - raises for what is no number
    except ValueError:
        return False
    plain = given.isascii() and given.isprintable() and not set(given) & set(" \\?#%@")
    return parts.scheme in ("https", "http") and bool(parts.hostname) and plain and ".." not in parts.path


def git_folders(root: Path) -> Iterator[Path]:
    """What git keeps for a working tree: `.git` in it or above, and the folders that a `.git` file names."""
    for place in (root, *root.parents):
        link = place / ".git"
        if link.is_dir():
            yield link
            return
        if link.is_file():
            yield link
            kept = pointed_at(link, "gitdir:")
            if kept:
                yield kept
                yield pointed_at(kept / "commondir", "") or kept
            return


def pointed_at(file: Path, start: str) -> Path | None:
    """The path that a small file of git holds."""
    try:
        said = file.read_bytes()[:MOST_OF_A_LINK].decode().strip()
    except (OSError, UnicodeDecodeError):
        return None
    return real_path(file.parent / said.removeprefix(start).strip()) if said.startswith(start) else None
