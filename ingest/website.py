"""Reads the published reference from the web: a few pages at a time, and each only once.

<cache>/docs.blender.org-api-4.4-1f6a92c3/bpy.types.Bone.html.gz   the article, with the server's validators

Every page is kept as soon as it arrives. A later ingest requests it again only if it has changed, so that an
interrupted ingest goes on where it stopped, and one of unchanged pages is quick.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import email.utils
import gzip
import hashlib
import importlib.metadata
import json
import random
import re
import tempfile
import time
import urllib.parse
import zlib
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Final

import httpx2

from ingest.inventory import MAX_INVENTORY_BYTES
from ingest.source import INVENTORY, MAX_PAGE_BYTES, PageNotAvailable, SourceNotAvailable, article_in, checked_page

NOT_MODIFIED: Final = 304
CACHE_FORMAT: Final = 1
"""Part of the cache folder's name: raise it when the format of kept pages changes."""

TRY_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Status codes that may be different the next time."""


@dataclasses.dataclass(frozen=True)
class Manners:
    """The limits on requests to a server."""

    in_flight: int = 8
    """Concurrent requests."""
    tries: int = 4
    """Tries per page, the first included."""
    first_wait_s: float = 0.5
    """Wait before the second try; it doubles with each further one."""
    longest_wait_s: float = 60.0
    """If a server asks for more time than this, the page is given up."""
    patience_s: float = 120.0
    """Time for one answer, from the first byte to the last."""
    failures_in_a_row: int = 16
    """Pages given up in a row before the server counts as gone."""


class _ServerSilent(PageNotAvailable):
    """The server did not answer, or refused for now: a later try may succeed."""


@dataclasses.dataclass(frozen=True)
class _CachedArticle:
    """An article in the cache, with the request headers that ask whether it has changed."""

    article: bytes
    validators: Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class _ServerAnswer:
    status: int
    content: bytes
    address: str
    """The address after all redirects."""
    validators: Mapping[str, str]


@contextlib.asynccontextmanager
async def open_website(address: str, cache: Path, manners: Manners) -> AsyncGenerator[WebSource]:
    """The reference at the address of its folder, its start page or its inventory. Raises SourceNotAvailable."""
    headers = {"User-Agent": f"blendproof/{importlib.metadata.version('blendproof')}"}
    limits = httpx2.Limits(max_connections=manners.in_flight)
    async with httpx2.AsyncClient(headers=headers, limits=limits, follow_redirects=True, timeout=30.0) as client:
        server = _PageServer(client, manners)
        where = f"{folder_of(address)}{INVENTORY}"
        try:
            answer = await server.get(where, MAX_INVENTORY_BYTES)
        except _ServerSilent as error:
            raise SourceNotAvailable(f"{where} {error}. Check the address and the network, or retry later.") from error
        except PageNotAvailable as error:
            raise SourceNotAvailable(
                f"{where} {error}. Give the address of the folder that holds {INVENTORY}."
            ) from error
        # The pages are where the inventory was found, not where the search for it began.
        home = folder_of(answer.address)
        yield WebSource(home, answer.content, server, _Cache(cache / _folder_name(home)))


def folder_of(address: str) -> str:
    """The address of the folder, ending in a slash, from the address of the folder or of a file in it.

    Raises SourceNotAvailable.
    """
    parts = urllib.parse.urlsplit(address)
    if not parts.hostname:
        raise SourceNotAvailable(f"{address} names no host.")
    path = parts.path
    if not path.endswith("/"):
        above, _, last = path.rpartition("/")
        is_file = last == INVENTORY or last.endswith((".html", ".htm"))
        path = f"{above}/" if is_file else f"{path}/"
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc, path, "", ""))


class WebSource:
    """The reference at `home`, with its articles kept in a cache."""

    def __init__(self, home: str, inventory: bytes, server: _PageServer, cache: _Cache) -> None:
        self.home = home
        self._inventory = inventory
        self._server = server
        self._cache = cache

    async def inventory(self) -> bytes:
        return self._inventory

    async def article(self, page: str) -> bytes:
        checked_page(page)
        kept = self._cache.read(page)
        try:
            answer = await self._server.get(self.home + page, MAX_PAGE_BYTES, kept.validators if kept else {})
        except _ServerSilent:
            # While the server is away, the kept version is better than nothing.
            if kept:
                return kept.article
            raise
        if answer.status == NOT_MODIFIED and kept:
            return kept.article
        article = article_in(answer.content)
        self._cache.write(page, _CachedArticle(article, answer.validators))
        return article


class _PageServer:
    """Sends requests to one server within the limits of `Manners`."""

    def __init__(self, client: httpx2.AsyncClient, manners: Manners) -> None:
        self._client = client
        self._manners = manners
        self._turns = asyncio.Semaphore(manners.in_flight)
        self._quiet_until = 0.0
        """Time of the monotonic clock until which the server asked for no requests."""
        self._given_up = 0
        """Pages in a row without an answer."""

    async def get(self, url: str, max_bytes: int, headers: Mapping[str, str] | None = None) -> _ServerAnswer:
        """The answer 200 or 304 to a request. Raises PageNotAvailable for any other, and if there is none."""
        try:
            answer = await self._persist(url, max_bytes, headers or {})
        except _ServerSilent:
            self._given_up += 1
            raise
        self._given_up = 0
        if answer.status not in (httpx2.codes.OK, NOT_MODIFIED):
            raise PageNotAvailable(f"was answered with {_status_text(answer.status)}")
        return answer

    async def _persist(self, url: str, max_bytes: int, headers: Mapping[str, str]) -> _ServerAnswer:
        """The first final answer. Raises _NoAnswer if all tries are used up."""
        tries = 0
        while True:
            try:
                return await self._ask(url, max_bytes, headers)
            except _RetryLater as later:
                tries += 1
                if tries == self._manners.tries:
                    raise _ServerSilent(f"{later}, {tries} times") from later
                wait_s = self._wait_s(tries, later)
            await asyncio.sleep(wait_s)

    def _wait_s(self, tries: int, later: _RetryLater) -> float:
        """Seconds to wait before another try. Raises _NoAnswer if the server asks for too much time."""
        if later.retry_after_s is None:
            return self._manners.first_wait_s * 2.0 ** (tries - 1) * random.uniform(0.5, 1.0)
        if later.retry_after_s > self._manners.longest_wait_s:
            raise _ServerSilent(f"{later}, and the server asks to wait {later.retry_after_s:.0f} s") from later
        # The server asked for no requests at all, so those for other pages wait too.
        self._quiet_until = max(self._quiet_until, time.monotonic() + later.retry_after_s)
        return later.retry_after_s

    async def _ask(self, url: str, max_bytes: int, headers: Mapping[str, str]) -> _ServerAnswer:
        async with self._turns:
            if self._given_up >= self._manners.failures_in_a_row:
                raise _ServerSilent("was not requested, because the server has stopped answering; run the ingest again")
            await asyncio.sleep(max(0.0, self._quiet_until - time.monotonic()))
            try:
                async with (
                    asyncio.timeout(self._manners.patience_s),
                    self._client.stream("GET", url, headers=dict(headers)) as response,
                ):
                    return await _read_answer(response, max_bytes)
            except (httpx2.TransportError, TimeoutError) as error:
                raise _RetryLater(f"was not answered ({_explain(error)})", None) from error
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                raise PageNotAvailable(f"cannot be fetched: {_explain(error)}") from error


class _RetryLater(Exception):
    """No answer, or one that asks for a later try."""

    def __init__(self, reason: str, retry_after_s: float | None) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


async def _read_answer(response: httpx2.Response, max_bytes: int) -> _ServerAnswer:
    if response.status_code in TRY_AGAIN:
        retry_after_s = _retry_after_s(response.headers.get("Retry-After", ""))
        raise _RetryLater(f"was answered with {_status_text(response.status_code)}", retry_after_s)
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > max_bytes:
            raise PageNotAvailable(f"has more than {max_bytes:,} bytes")
    return _ServerAnswer(response.status_code, bytes(content), str(response.url), _validators(response.headers))


def _validators(headers: httpx2.Headers) -> dict[str, str]:
    """The request headers that ask for a page only if it has changed since this answer arrived."""
    pairs = (("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since"))
    return {ask: headers[validator] for validator, ask in pairs if validator in headers}


def _retry_after_s(header: str) -> float | None:
    """Seconds to wait according to a Retry-After header, which holds seconds or a date."""
    if header.isdecimal():
        return float(header)
    try:
        date = email.utils.parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, date.timestamp() - time.time())


def _status_text(status: int) -> str:
    return f"{status} {httpx2.codes.get_reason_phrase(status)}".strip()


def _explain(error: Exception) -> str:
    return str(error) or type(error).__name__


def _folder_name(home: str) -> str:
    """A recognisable name for the cache of one reference, which no other reference has."""
    readable = re.sub(r"[^\w.]+", "-", home.partition("://")[2]).strip("-.")
    return f"{readable[:80]}-{hashlib.sha256(f'{CACHE_FORMAT} {home}'.encode()).hexdigest()[:8]}"


class _Cache:
    """The articles of one reference, each in a file of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, page: str) -> _CachedArticle | None:
        """The kept version of a page; None if there is none, or if it cannot be read."""
        try:
            told, _, article = gzip.decompress(self._path(page).read_bytes()).partition(b"\n")
            return _CachedArticle(article, json.loads(told)) if article else None
        except (OSError, EOFError, ValueError, zlib.error):
            return None

    def write(self, page: str, kept: _CachedArticle) -> None:
        """Keep a page, in full or not at all. Raises SourceNotAvailable if it cannot be written."""
        content = gzip.compress(json.dumps(dict(kept.validators)).encode() + b"\n" + kept.article, compresslevel=1)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            _write_whole(self._path(page), content)
        except OSError as error:
            raise SourceNotAvailable(f"Pages cannot be kept in {self._folder}: {error.strerror}.") from error

    def _path(self, page: str) -> Path:
        return self._folder / f"{urllib.parse.quote(page, safe='')}.gz"


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it never appears in part; two ingests may write the same one."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as unfinished:
        part = Path(unfinished.name)
        try:
            unfinished.write(content)
            unfinished.flush()
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
