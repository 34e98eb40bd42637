"""Reads the published reference from a folder, or from an archive without unpacking it."""

from __future__ import annotations

import asyncio
import gzip
import lzma
import posixpath
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ingest.inventory import MAX_INVENTORY_BYTES
from ingest.source import INVENTORY, MAX_PAGE_BYTES, PageNotAvailable, SourceNotAvailable, article_in, checked_page

MAX_PAGES: Final = 100_000
"""Pages in an archive. Blender 4.4 has 1,761."""

# zipfile raises RuntimeError for a member that needs a password.
_DAMAGED: Final = (EOFError, OSError, RuntimeError, lzma.LZMAError, zlib.error, tarfile.TarError, zipfile.BadZipFile)


class FolderSource:
    """A reference unpacked into a folder, or into the only folder inside it."""

    home = ""

    def __init__(self, folder: Path) -> None:
        self._folder = _folder_with_inventory(folder).resolve()

    async def inventory(self) -> bytes:
        try:
            return await asyncio.to_thread(_read_at_most, self._folder / INVENTORY, MAX_INVENTORY_BYTES + 1)
        except OSError as error:
            raise SourceNotAvailable(f"{self._folder / INVENTORY} cannot be opened: {error.strerror}.") from error

    async def article(self, page: str) -> bytes:
        return await asyncio.to_thread(self._article, page)

    def _article(self, page: str) -> bytes:
        path = (self._folder / checked_page(page)).resolve()
        if not path.is_relative_to(self._folder):
            raise PageNotAvailable("leads out of the reference")
        try:
            return article_in(_read_at_most(path, MAX_PAGE_BYTES + 1))
        except OSError as error:
            raise PageNotAvailable(f"cannot be opened: {error.strerror}") from error


class ArchiveSource:
    """A reference in a .zip or .tar file, which may have one folder around everything.

    The archive is read once from front to back, because the usual .tar.xz allows nothing else. The articles are held in
    memory, compressed: 5 MB for Blender 4.4.
    """

    home = ""

    def __init__(self, path: Path) -> None:
        self._articles: dict[str, bytes | PageNotAvailable] = {}
        self._inventories: dict[str, bytes] = {}
        try:
            for name, content in _members(path):
                self._take(name, content)
        except _DAMAGED as error:
            seen = str(error) or type(error).__name__
            raise SourceNotAvailable(f"{path} is damaged, or not a .zip or .tar file: {seen}.") from error
        if not self._inventories:
            raise SourceNotAvailable(f"{path} has no {INVENTORY}: it is not a complete reference.")
        self._top = min((posixpath.dirname(name) for name in self._inventories), key=len)

    async def inventory(self) -> bytes:
        return self._inventories[posixpath.join(self._top, INVENTORY)]

    async def article(self, page: str) -> bytes:
        kept = self._articles.get(posixpath.join(self._top, checked_page(page)))
        if kept is None:
            raise PageNotAvailable("is not in the archive")
        if isinstance(kept, PageNotAvailable):
            raise kept
        return gzip.decompress(kept)

    def _take(self, name: str, content: bytes) -> None:
        if len(self._articles) >= MAX_PAGES:
            raise SourceNotAvailable(f"The archive has more than {MAX_PAGES:,} pages: it is not a reference.")
        if posixpath.basename(name) == INVENTORY:
            self._inventories[name] = content
            return
        try:
            self._articles[name] = gzip.compress(article_in(content), compresslevel=1)
        except PageNotAvailable as error:
            self._articles[name] = error


def _folder_with_inventory(folder: Path) -> Path:
    if (folder / INVENTORY).is_file():
        return folder
    inside = list(folder.glob(f"*/{INVENTORY}"))
    if len(inside) == 1:
        return inside[0].parent
    raise SourceNotAvailable(f"{folder} has no {INVENTORY}: give the folder that contains it.")


def _read_at_most(path: Path, limit: int) -> bytes:
    with path.open("rb") as file:
        return file.read(limit)


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of the inventories and pages in an archive, read at most just beyond the limit per page."""
    return _members_of_zip(path) if zipfile.is_zipfile(path) else _members_of_tar(path)


def _members_of_zip(path: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if _is_wanted(member.filename):
                with archive.open(member) as file:
                    yield _checked_name(member.filename), file.read(MAX_PAGE_BYTES + 1)


def _members_of_tar(path: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() and _is_wanted(member.name) else None
            if file:
                yield _checked_name(member.name), file.read(MAX_PAGE_BYTES + 1)


def _is_wanted(name: str) -> bool:
    return name.endswith((".html", INVENTORY))


def _checked_name(name: str) -> str:
    """The member's name. Raises SourceNotAvailable for one that leads out of the archive."""
    try:
        return checked_page(posixpath.normpath(name))
    except PageNotAvailable as error:
        # No file is ever written under a member's name, but an archive with this name was made to do harm.
        raise SourceNotAvailable(f"The archive is refused: its member {name!r} leads out of it.") from error
