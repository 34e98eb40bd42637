"""Reading the published reference, from its inventory to the last symbol.

source -> inventory -> pages of shared enumerations -> pages with symbols -> PublishedReference
                       (read first: properties refer to them)

Only a few articles are held at a time. Every object of the inventory becomes a symbol, or is counted as skipped with
the reason.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Final

from harness.together import side_by_side
from ingest.enum_items import ENUM_ITEMS_FOLDER, read_enum_items
from ingest.inventory import Inventory, InventoryEntry, read_inventory
from ingest.pages import PageContent, read_symbols
from ingest.source import INVENTORY, PageNotAvailable, PublishedSource, SourceNotAvailable
from ingest.symbol import Item, Symbol
from ingest.unpacked import ArchiveSource, FolderSource
from ingest.website import Manners, open_website

PAGES_AT_A_TIME: Final = 16
"""Pages to fetch and parse at a time.

One process does it all: parsing takes two of the four seconds for Blender 4.4, and on two cores a pool of processes
was slower, because it must be started and must send the symbols back.
"""

NAME_OF_PAGE: Final = "the name of a page, whose entries are symbols of their own"
HEADING: Final = "a heading in a page"
ENUM_PAGE: Final = "a list of enum items, which are listed with their properties"
NOT_PYTHON: Final = "not part of the Python API"
PAGE_FAILED: Final = "its page could not be read"
NOT_IN_PAGE: Final = "its page does not describe it"
NAMED_TWICE: Final = "named twice in the inventory"
UNREADABLE: Final = "a line of the inventory that is not an entry"

Progress = Callable[[int, int], None]
"""Receives the number of pages done, and the number of all pages."""


@dataclasses.dataclass(frozen=True)
class PublishedReference:
    """A whole reference, with an account of its reading."""

    project: str
    series: str
    """The Blender it describes, such as 4.4."""
    version: str
    """The most exact version that the reference states, such as 4.4.3."""
    home: str
    """Web address of the reference."""
    pages: int
    symbols: tuple[Symbol, ...]
    """The symbols in the order of the inventory."""
    skipped: Mapping[str, tuple[str, ...]]
    """Objects of the inventory that are not symbols, by reason."""
    failed_pages: Mapping[str, str]
    """The reason why each failed page could not be read."""

    @property
    def objects(self) -> int:
        """The number of objects in the inventory: each is a symbol or skipped."""
        return len(self.symbols) + sum(len(names) for names in self.skipped.values())


@contextlib.asynccontextmanager
async def open_source(where: str, cache: Path, manners: Manners | None = None) -> AsyncGenerator[PublishedSource]:
    """The reference at a web address, in a folder or in an archive. Raises SourceNotAvailable.

    `where` may also name the inventory or the start page of a reference. Pages from the web are kept under `cache`,
    each as soon as it arrives, so that a later call goes on where an interrupted one stopped.
    """
    if where.startswith(("http://", "https://")):
        async with open_website(where, cache, manners or Manners()) as website:
            yield website
    else:
        yield await asyncio.to_thread(_open_local, where)


def _open_local(where: str) -> PublishedSource:
    path = Path(where)
    # The home of a user that does not exist is no folder.
    with contextlib.suppress(RuntimeError):
        path = path.expanduser()
    if path.name in (INVENTORY, "index.html"):
        path = path.parent
    if path.is_dir():
        return FolderSource(path)
    if path.is_file():
        return ArchiveSource(path)
    raise SourceNotAvailable(f"{where} is not a folder or archive here, nor an address that begins with https://.")


async def read_published(source: PublishedSource, progress: Progress) -> PublishedReference:
    """Read the whole reference.

    The account lists pages that fail; they do not stop the rest. Raises InventoryInvalid and SourceNotAvailable.
    """
    inventory = read_inventory(await source.inventory())
    account = _ReadingAccount(inventory, source.home or f"https://docs.blender.org/api/{inventory.version}/")
    steps = _Steps(progress, len(account.enum_pages) + len(account.pages))
    enums: dict[str, tuple[Item, ...]] = {}

    async def read_enums(page: str) -> None:
        with account.failures_of(page):
            enums[page] = read_enum_items(await source.article(page))
        steps.finish_page()

    await _for_each(list(account.enum_pages), read_enums)

    async def read_page(page: str) -> None:
        with account.failures_of(page):
            article = await source.article(page)
            entries = account.pages[page]
            account.take(await asyncio.to_thread(read_symbols, article, entries, account.home + page, enums))
        steps.finish_page()

    await _for_each(list(account.pages), read_page)
    return account.published()


class _ReadingAccount:
    """Records the fate of every object of the inventory."""

    def __init__(self, inventory: Inventory, home: str) -> None:
        self.home = home
        self.pages: dict[str, list[InventoryEntry]] = {}
        self.enum_pages: dict[str, None] = {}
        """The pages to read, in order, each once."""
        self._inventory = inventory
        self._symbols: dict[str, Symbol] = {}
        self._skipped: dict[str, list[str]] = defaultdict(list)
        self._failed: dict[str, str] = {}
        self._skip(UNREADABLE, inventory.unreadable)
        for entry in inventory.entries:
            self._sort(entry)

    def _sort(self, entry: InventoryEntry) -> None:
        reason = _why_no_symbol(entry)
        if reason == ENUM_PAGE:
            self.enum_pages[entry.page] = None
        if reason:
            self._skip(reason, [entry.name])
        else:
            self.pages.setdefault(entry.page, []).append(entry)

    def _skip(self, reason: str, names: Sequence[str]) -> None:
        if names:
            self._skipped[reason] += names

    def take(self, content: PageContent) -> None:
        """Record the contents of a page."""
        self._skip(NOT_IN_PAGE, content.missing)
        for symbol in content.symbols:
            if symbol.address in self._symbols:
                self._skip(NAMED_TWICE, [symbol.address])
            self._symbols.setdefault(symbol.address, symbol)

    @contextlib.contextmanager
    def failures_of(self, page: str) -> Generator[None]:
        """Record the failure of a page, which must not stop the others."""
        try:
            yield
        except SourceNotAvailable:
            raise
        except PageNotAvailable as error:
            self._fail(page, str(error))
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            self._fail(page, f"cannot be understood ({type(error).__name__}: {error})")

    def _fail(self, page: str, reason: str) -> None:
        self._failed[page] = reason
        self._skip(PAGE_FAILED, [entry.name for entry in self.pages.get(page, ())])

    def published(self) -> PublishedReference:
        """The result, once every page is recorded or has failed."""
        named = dict.fromkeys(entry.name for entry in self._inventory.entries)
        return PublishedReference(
            project=self._inventory.project,
            series=self._inventory.version,
            version=self._inventory.blender_version,
            home=self.home,
            pages=len(self.pages) + len(self.enum_pages),
            symbols=tuple(_with_known(self._symbols[name], self._symbols) for name in named if name in self._symbols),
            skipped={reason: tuple(names) for reason, names in self._skipped.items()},
            failed_pages=self._failed,
        )


def _why_no_symbol(entry: InventoryEntry) -> str:
    """The reason why an object of the inventory does not become a symbol; empty if it does."""
    if entry.is_python:
        return ""
    if entry.page.startswith(ENUM_ITEMS_FOLDER) and entry.domain == "std":
        return ENUM_PAGE
    return {"doc": NAME_OF_PAGE, "label": HEADING}.get(entry.role, NOT_PYTHON)


def _with_known(symbol: Symbol, known: Mapping[str, Symbol]) -> Symbol:
    """The symbol without neighbours that are not symbols, such as a package without a page in the reference."""
    if all(address in known for address in symbol.see_also):
        return symbol
    return dataclasses.replace(symbol, see_also=tuple(address for address in symbol.see_also if address in known))


class _Steps:
    """Counts the finished pages, and reports each."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._done = 0
        self._total = total

    def finish_page(self) -> None:
        self._done += 1
        self._progress(self._done, self._total)


async def _for_each(pages: Sequence[str], read: Callable[[str], Awaitable[None]]) -> None:
    """Read the pages, several at a time; the first exception stops all."""
    unread = iter(pages)

    async def read_some() -> None:
        for page in unread:
            await read(page)

    await side_by_side(read_some() for _ in range(min(PAGES_AT_A_TIME, len(pages))))
