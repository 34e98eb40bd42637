"""The source of a published reference: on the web, in a folder or in an archive.

website.py    WebSource      keeps fetched pages, and fetches again only those that changed
unpacked.py   FolderSource, ArchiveSource
published.py  opens the right one
"""

from __future__ import annotations

import urllib.parse
from typing import Final, Protocol

from ingest.article import cut_article

INVENTORY: Final = "objects.inv"

MAX_PAGE_BYTES: Final = 32 * 1024 * 1024
"""Size of a whole page. The largest of Blender 4.4 has 2 MB, most have 0.3 MB."""


class SourceNotAvailable(Exception):
    """The reference cannot be read at all. The message says why and what to do."""


class PageNotAvailable(Exception):
    """One page cannot be read. The message says why, in words that follow the page's name."""


class PublishedSource(Protocol):
    """One published reference. Its methods may be called concurrently."""

    @property
    def home(self) -> str:
        """The base address of the pages, ending in a slash; empty if they have no address of their own."""
        ...

    async def inventory(self) -> bytes:
        """The bytes of its `objects.inv`. Raises SourceNotAvailable."""
        ...

    async def article(self, page: str) -> bytes:
        """The article of one page, by its name in the inventory.

        Raises PageNotAvailable, and SourceNotAvailable if no other page could be read either.
        """
        ...


def checked_page(page: str) -> str:
    """The page's name, decoded. Raises PageNotAvailable for one that leads out of the reference."""
    path = urllib.parse.unquote(page)
    if not path or path.startswith("/") or "\\" in path or ":" in path or ".." in path.split("/"):
        raise PageNotAvailable("leads out of the reference")
    return path


def article_in(page: bytes) -> bytes:
    """The article of a whole page, which may have been read a little beyond its limit. Raises PageNotAvailable."""
    if len(page) > MAX_PAGE_BYTES:
        raise PageNotAvailable(f"has more than {MAX_PAGE_BYTES:,} bytes")
    article = cut_article(page)
    if article is None:
        raise PageNotAvailable("has no article")
    return article
