"""Opens the stores of a service: files in its data folder, or a database that several services share."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog

from app.artifacts.search.upkeep import Sharing
from app.errors import SettingsInvalid, StorageFailed
from app.pipeline.loop import RunLoop
from app.service.service import Service
from app.settings import Settings

if TYPE_CHECKING:
    from app.jobs.postgres import PostgresJobs
    from app.jobs.tables import JobStore

log = structlog.get_logger()

AGAIN_S: Final = 1.0

Task = Callable[[], Coroutine[Any, Any, None]]


async def open_stores(
    settings: Settings, held: contextlib.AsyncExitStack
) -> tuple[JobStore, RunLoop, PostgresJobs | None]:
    """The runs and their loop, in files of the data folder or in the database that is shared; `held` closes them."""
    folder, address = settings.data_folder, settings.plain_database
    shared: PostgresJobs | None = None
    runs: JobStore
    if address is None:
        from app.jobs.sqlite import SqliteJobs

        with storage_errors(folder / "runs.sqlite"):
            runs = await SqliteJobs.open(private_file(folder / "runs.sqlite"))
        held.push_async_callback(runs.close)
        with storage_errors(folder / "checkpoints.sqlite"):
            loop = await RunLoop.open(private_file(folder / "checkpoints.sqlite"))
    else:
        runs = shared = await open_shared(address, folder, settings.lease_s)
        held.push_async_callback(runs.close)
        loop = await RunLoop.open_shared(address)
    held.push_async_callback(loop.close)
    return runs, loop, shared


async def open_shared(address: str, folder: Path, lease_s: float) -> PostgresJobs:
    """The runs in a database. Raises SettingsInvalid if what that needs is not installed, and StorageFailed."""
    try:
        from app.jobs.postgres import PostgresJobs
    except ImportError as error:
        raise SettingsInvalid(
            f"BLENDPROOF_DATABASE: {error.name} is not installed.", "Install `blendproof[cluster]`."
        ) from None
    return await PostgresJobs.open(address, place_of(folder), lease_s)


def place_of(folder: Path) -> str:
    """The name of a data folder among those of all machines."""
    return f"{socket.gethostname()}:{folder.resolve()}"


def sharing_of(runs: PostgresJobs) -> Sharing:
    """The share of each process over these runs in the index of their artifacts."""
    loop = asyncio.get_running_loop()

    def announce(news: str) -> None:
        # It comes from a thread of the gallery.
        asyncio.run_coroutine_threadsafe(runs.announce(news), loop)

    return Sharing(announce)


def begin_claims(settings: Settings, service: Service, shared: PostgresJobs) -> Callable[[], Awaitable[None]]:
    """Work on the runs that are shared, and hear of them; answers what ends that."""
    from app.jobs.postgres_news import listen
    from app.service.claims import Claims, lead

    gallery = service.tools.gallery
    claims = Claims(shared, service.work, service.tools.progress, gallery.hear, service.repositories_here)
    address = str(settings.plain_database)

    def missed() -> None:
        claims.missed()
        gallery.missed()

    work: list[Task] = [partial(listen, address, claims.hear, missed), claims.keep, claims.take]
    if settings.artifacts:
        work.append(partial(lead, shared, gallery.share))
    tasks = [asyncio.create_task(for_ever(one)) for one in work]

    async def end() -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    return end


async def for_ever(do: Task) -> None:
    """Do this again if it fails: otherwise nobody would be told, and the runs of this process would just wait."""
    while True:
        try:
            await do()
        except Exception:
            log.exception("a task of the shared store failed")
        await asyncio.sleep(AGAIN_S)


def private_file(path: Path) -> Path:
    """A file that no other user of the machine reads; SQLite gives its mode to the files that it adds."""
    if not path.is_dir():
        path.touch(0o600)
        path.chmod(0o600)
    return path


@contextlib.contextmanager
def storage_errors(path: Path) -> Generator[None, None, None]:
    """Say which part of the data folder cannot be used."""
    try:
        yield
    except (FileExistsError, NotADirectoryError) as error:
        raise StorageFailed(
            f"{path} cannot be used: {error}.", "Move away the file that is where a folder is to be."
        ) from error
    except (OSError, sqlite3.Error) as error:
        raise StorageFailed(f"{path} cannot be used: {error}.") from error
