"""What the tests share: the Blenders that are set up here, and a service over a fresh data folder."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import logging
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import structlog
from fastapi import FastAPI
from starlette.routing import BaseRoute, Route

from app.jobs import request as asked
from app.main import create_app
from app.pipeline.state import Tools
from app.retrieval.retriever import Retriever
from app.service import startup
from app.service.service import Service
from app.service.startup import open_service
from app.settings import Settings, default_home
from harness.blenders import Blender, find_blenders, probe
from harness.engine import Engine
from harness.readers import Readers
from harness.sandbox import selftest
from harness.sandbox.ladder import Sandbox, strongest
from ingest.manifest import Manifest, manifest_of
from tests.lending import Lending
from tests.objects import ObjectServer, object_server
from tests.postgres import Server, server

# Read on import: while tests run, no setting of the person who runs them is in the environment.
HOME = Path(os.environ.get("BLENDPROOF_HOME") or default_home())
DEBIAN_BLENDER = Path("/usr/bin/blender")


@pytest.fixture(autouse=True, scope="session")
def only_our_environment() -> Iterator[None]:
    """No setting of the person who runs the tests reaches them."""
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("BLENDPROOF_")}
    # Nor an executable that happens to be on the machine.
    ours = {"BLENDPROOF_CONFIG": os.devnull, "BLENDPROOF_FIND_BLENDERS": "false"}
    os.environ.update(ours)
    yield
    for name in ours:
        del os.environ[name]
    os.environ.update(kept)


@pytest.fixture(autouse=True)
def log_as_before() -> Iterator[None]:
    """No test logs to the standard error of a command that another test ran, which is closed."""
    handlers = list(logging.getLogger().handlers)
    yield
    structlog.reset_defaults()
    logging.getLogger().handlers[:] = handlers


@pytest.fixture(autouse=True, scope="session")
def made_once(readers: Readers, lending: Lending, prove_once: Callable[[Settings], Sandbox]) -> Iterator[None]:
    """Makes once, for all services in this process, the parts that do not depend on their data.

    Pictures are small, unless a test takes `usual_pictures`. The sandbox is proven again if a test replaces it. An
    index that was read is kept by its folder. Services over the folder of `settings` share a warm Blender. Services in
    processes of their own make all parts themselves.
    """
    own = {name: startup.__dict__[name] for name in ("open_retriever", "Manifests", "open_engine")}
    retrievers: dict[str, Retriever] = {}

    def open_once(settings: Settings) -> Retriever:
        key = repr((settings.index_folder, settings.home, settings.embedding_model, settings.cross_encoder))
        if key not in retrievers:
            retrievers[key] = own["open_retriever"](settings)
        return retrievers[key]

    def opened_before(_sandbox: Sandbox, _held: object) -> Readers:
        return readers

    real = proof_parts()

    def lent(settings: Settings, sandbox: Sandbox, readers: Readers) -> Engine:
        usual = settings.engine == "local" and settings.warm_workers == 1 and proof_parts() == real
        engine = lending.lend(settings.data_folder, sandbox) if usual else None
        return engine or own["open_engine"](settings, sandbox, readers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(startup, "open_engine", lent)
        patch.setattr(startup, "prove_sandbox", prove_once)
        patch.setattr(startup, "open_retriever", open_once)
        for name, usual in USUAL_PICTURES.items():
            patch.setattr(asked, name, dataclasses.replace(usual, size_px=96, samples=4, further_px=None))
        patch.setattr(startup, "open_readers", opened_before)
        patch.setattr(startup, "Manifests", functools.cache(own["Manifests"]))
        yield


USUAL_PICTURES = {"GENERATED": asked.GENERATED, "BROUGHT": asked.BROUGHT}


@pytest.fixture
def usual_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures as large as those that users get."""
    for name, usual in USUAL_PICTURES.items():
        monkeypatch.setattr(asked, name, usual)


@pytest.fixture(scope="session")
def home() -> Path:
    """The folder that `make setup` filled; an empty one before it, which the quick tests can do with."""
    HOME.mkdir(parents=True, exist_ok=True)
    return HOME


@pytest.fixture(scope="session")
def stubs(home: Path) -> Path:
    """The type stubs of Blender 5.0, which the checks of types were written with."""
    folder = home / "stubs" / "5.0"
    if not folder.is_dir():
        pytest.skip("no stubs of Blender 5.0 are built; run `make setup`")
    return folder


@pytest.fixture(scope="session")
def mypy_cache(home: Path) -> Path:
    """The folder of mypy's cache of those stubs, which saves six seconds of a core, for ours and for theirs."""
    return home / "cache" / "mypy" / "5.0"


@pytest.fixture(scope="session")
def blender(home: Path) -> Blender:
    """The Blender of the wheel."""
    found = find_blenders(home, None, search=False)
    if not found:
        pytest.skip("no Blender is installed; run `make setup`")
    return found[0]


@pytest.fixture(scope="session")
def wheels(home: Path) -> dict[str, Blender]:
    """The wheels of 4.5 and 5.0, between which much changed."""
    found = {blender.series: blender for blender in find_blenders(home, None, search=False)}
    missing = [series for series in ("4.5", "5.0") if series not in found]
    if missing:
        pytest.skip(f"Blender {' and '.join(missing)} is not installed; run `blendproof blenders install SERIES`")
    return found


@pytest.fixture(scope="session")
def manifest(home: Path, blender: Blender) -> Manifest:
    """The API of that Blender."""
    return manifest_of(home, blender)


@pytest.fixture(scope="session")
def executable() -> Blender:
    """A `blender` executable, if the system has one."""
    if not DEBIAN_BLENDER.exists():
        pytest.skip(f"there is no {DEBIAN_BLENDER}; install the Debian package blender")
    return probe("executable", DEBIAN_BLENDER)


@pytest.fixture(scope="session")
def home_without_stubs(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same home without type stubs, so that the stage `types` is skipped, which takes seconds of a service."""
    folder = tmp_path_factory.mktemp("home")
    for part in home.iterdir():
        if part.name not in ("stubs", "data", "newer"):
            (folder / part.name).symlink_to(part.resolve())
    return folder


@pytest.fixture(scope="session")
def bare_home(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same home with its Blenders alone: a service that is started from it has nothing to read ahead."""
    folder = tmp_path_factory.mktemp("bare")
    for part in ("blenders", "manifests"):
        (folder / part).symlink_to((home / part).resolve())
    return folder


@pytest.fixture(scope="session")
def readers() -> Iterator[Readers]:
    """Processes that read texts; one host for all tests of a worker."""
    readers = Readers(strongest())
    yield readers
    readers.close()


def proof_parts() -> tuple[object, object]:
    """What finds and attacks the sandbox of a service, which some tests replace."""
    return startup.__dict__["strongest"], selftest.examine


@pytest.fixture(scope="session")
def prove_once() -> Callable[[Settings], Sandbox]:
    """Proves each sandbox once, and again if a test replaces it."""
    own, proven = startup.prove_sandbox, dict[object, Sandbox]()

    def prove_once(settings: Settings) -> Sandbox:
        key = (proof_parts(), settings.sandbox)
        if key not in proven:
            proven[key] = own(settings)
        return proven[key]

    return prove_once


@pytest.fixture(scope="session")
def lending(
    readers: Readers,
    prove_once: Callable[[Settings], Sandbox],
    home_without_stubs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Lending]:
    """A warm Blender for services over the folder of `settings`, and for executions that are the same on a cold one."""
    folder = tmp_path_factory.mktemp("lending")
    usual = Settings(home=home_without_stubs, data=folder / "data", sandbox="unsafe")
    lending = Lending(folder, readers, lambda: prove_once(usual))
    yield lending
    lending.close()
    assert processes_below(folder) == []


@pytest.fixture
def alone(lending: Lending) -> None:
    """No Blender of other tests is among the processes."""
    lending.rest()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A Postgres server of the worker's own."""
    with server() as running:
        yield running


@pytest.fixture(scope="session")
def objects() -> Iterator[ObjectServer]:
    """An object store of the worker's own."""
    with object_server() as running:
        yield running


@pytest.fixture
def settings(home_without_stubs: Path, tmp_path: Path, lending: Lending) -> Settings:
    """Settings with the real Blenders, without type stubs, and a data folder of the test's own.

    The sandbox is the same as without `unsafe`, but the rest can be tested even if a machine isolates nothing.
    """
    data = tmp_path / "data"
    lending.folders.add(data)
    return Settings(home=home_without_stubs, data=data, sandbox="unsafe", warm_workers=1, warm_checkers=0)


@pytest.fixture
def settings_with_stubs(settings: Settings, home: Path) -> Settings:
    """The same with the stubs, and checkers that are kept warm."""
    return settings.model_copy(update={"home": home, "warm_checkers": 2})


@contextlib.asynccontextmanager
async def serving(settings: Settings) -> AsyncGenerator[httpx2.AsyncClient, None]:
    """A client of a service with these settings, without a network between them."""
    async with open_service(settings) as opened:
        transport = httpx2.ASGITransport(application(opened), raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", timeout=120) as client:
            yield client


def tools_of(client: httpx2.AsyncClient) -> Tools:
    """What the service of such a client works with."""
    transport: Any = client._transport  # pyright: ignore[reportPrivateUsage]
    tools: Tools = transport.app.state.service.tools
    return tools


ROUTES: list[BaseRoute] = []


def application(service: Service) -> FastAPI:
    """The application over a service, with the routes of the first one: each is read when it is first looked for, which
    takes a quarter of a second for all."""
    app = create_app(service)
    ROUTES.extend(app.router.routes[len(ROUTES) :])
    # The routers that are included know nothing of their service; a route of its own may.
    both = zip(app.router.routes, ROUTES, strict=True)
    app.router.routes[:] = [own if isinstance(own, Route) else kept for own, kept in both]
    return app


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of a service over a fresh data folder."""
    async with serving(settings) as client:
        yield client


@pytest.fixture
def no_leftovers(tmp_path: Path) -> Iterator[None]:
    """Fails if a process that has its home below the test's folder outlives the test."""
    yield
    assert processes_below(tmp_path) == []


def processes_below(folder: Path) -> list[str]:
    """The processes that have their home below a folder, by its path or by what is mounted for them."""
    home, mounted = os.fsencode(f"HOME={folder}/"), os.fsencode(f" /{folder.relative_to('/')}/")
    return [
        path.name
        for path in Path("/proc").glob("[0-9]*")
        if home in read_bytes(path / "environ")
        or any(mounted in line and b" /projects" in line for line in read_bytes(path / "mountinfo").splitlines())
    ]


def read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
