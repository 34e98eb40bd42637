"""The start of the service over its data folder, and the order in which it is closed again."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app.artifacts.exemplars import WithheldRequests, load_withheld
from app.artifacts.gallery import Gallery
from app.artifacts.search.clip import Clip
from app.artifacts.search.location import ShelfPlace
from app.artifacts.store.shared import SharedArtifacts
from app.artifacts.store.store import ArtifactStore
from app.blenders.manifests import Manifests
from app.blenders.preparation import blenders_of
from app.checks.types.warm.keep import WarmCheckers
from app.drafting.commands import Commands
from app.errors import SandboxBroken, SettingsInvalid
from app.jobs.pictures import RunPictures
from app.jobs.progress import LOOK_S, Progress
from app.jobs.shelf import Shelf
from app.llm.kept import AnswerFolder, KeptAnswers
from app.llm.models import Models
from app.observing.metrics import Metrics
from app.pipeline.state import Tools
from app.repositories.allowed import AllowedPlaces
from app.repositories.questions import open_asker
from app.repositories.register import Repositories
from app.repositories.repository_service import RepositoryService
from app.retrieval.retriever import open_retriever
from app.service.gauges import show_gauges
from app.service.housekeeping import Housekeeping
from app.service.locks import locked
from app.service.service import Service
from app.service.stores import begin_claims, open_stores, sharing_of, storage_errors
from app.settings import Settings
from app.verdict.rules import load_rules
from harness import tracing
from harness.blenders import Blender, BlenderNotAvailable
from harness.engine import Engine
from harness.engines.local import open_local
from harness.readers import Readers, shared
from harness.readers.workers import Workers
from harness.sandbox import selftest
from harness.sandbox.ladder import Sandbox, strongest
from harness.wheels import in_use

if TYPE_CHECKING:
    from app.jobs.postgres import PostgresJobs
    from app.jobs.tables import JobStore

TRACING_MISSING: Final = "Install it with `pip install 'blendproof[tracing]'`, or leave BLENDPROOF_TRACING out."
RAY_MISSING: Final = "Install it with `pip install 'blendproof[cluster]'`, or leave BLENDPROOF_ENGINE out."


@contextlib.asynccontextmanager
async def open_service(settings: Settings) -> AsyncGenerator[Service, None]:
    """The service over its data folder.

    Raises SettingsInvalid if a file of the settings cannot be read, DataFolderInUse if another one works on it,
    StorageFailed if it cannot be used, SandboxBroken if something gets out of the sandbox.
    """
    folder = settings.data_folder
    withheld = read_withheld(settings)
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(PermissionError):
            # A folder of somebody else may be shared with this service on purpose.
            folder.chmod(0o700)
        close_to_others(folder / "work")
    async with contextlib.AsyncExitStack() as held:
        # What is open is closed also if a later step fails: some of it has threads, which keep a process alive.
        held.enter_context(locked(folder / "lock"))
        if check_tracing(settings):
            held.push_async_callback(asyncio.to_thread, tracing.begin(str(settings.tracing), tracing.NAME))
        leave_cores_free()
        blenders, problem = look_for_blenders(settings)
        held.enter_context(in_use(blenders))
        # It takes a third of a second to load, and processes prove the sandbox meanwhile.
        loading = asyncio.create_task(asyncio.to_thread(importlib.import_module, "app.jobs.tables"))
        sandbox = await asyncio.to_thread(prove_sandbox, settings)
        await loading
        runs, loop, shared = await open_stores(settings, held)
        tools = open_tools(settings, withheld, blenders, sandbox, runs, held, shared)
        repositories = open_repositories(settings, tools.models, sandbox, held)
        service = Service(tools, loop, problem, repositories, shared)
        held.push_async_callback(service.stop)
        show_gauges(tools, service.work)
        housekeeping = Housekeeping(tools, service.work)
        held.callback(asyncio.create_task(housekeeping.forget_failed()).cancel)
        await service.jobs.take_in()
        if shared:
            await housekeeping.sweep()
            held.push_async_callback(begin_claims(settings, service, shared))
        else:
            await housekeeping.take_up()
            await housekeeping.sweep()
        yield service


def open_tools(
    settings: Settings,
    withheld: WithheldRequests,
    blenders: list[Blender],
    sandbox: Sandbox,
    runs: JobStore,
    held: contextlib.AsyncExitStack,
    shared: PostgresJobs | None = None,
) -> Tools:
    """The tools of the runs; `held` closes them."""
    folder = settings.data_folder
    metrics = Metrics()
    retriever = open_retriever(settings)
    shelf = open_shelf(settings.artifacts)
    models = Models(settings.model_providers(), metrics, open_kept_answers(settings, shelf))
    held.push_async_callback(models.close)
    with storage_errors(folder / "artifacts"):
        artifacts = SharedArtifacts(folder / "artifacts", shelf) if shelf else ArtifactStore(folder / "artifacts")
    pictures = open_pictures(folder / "unproven", folder / "matrix", shelf)
    checkers = WarmCheckers(settings.warm_checkers) if settings.warm_checkers else None
    if checkers:
        held.push_async_callback(checkers.close)
    clip = Clip(settings.clip_model, settings.clip_weights, settings.home)
    index = ShelfPlace(shelf) if shelf else settings.gallery_folder
    sharing = sharing_of(shared) if shelf and shared else None
    gallery = Gallery(artifacts, index, clip, retriever.embedder, withheld, sharing)
    held.push_async_callback(asyncio.to_thread, gallery.close)
    gallery.start()
    readers = open_readers(sandbox, held)
    engine = open_engine(settings, sandbox, readers)
    held.push_async_callback(engine.close)
    return Tools(
        settings=settings,
        blenders=blenders,
        sandbox=sandbox,
        readers=readers,
        engine=engine,
        rules=load_rules(),
        checkers=checkers,
        drafter=Commands(),
        models=models,
        retriever=retriever,
        manifests=Manifests(settings.home),
        runs=runs,
        progress=Progress(runs, LOOK_S if shared else None),
        gallery=gallery,
        pictures=pictures,
        metrics=metrics,
    )


def check_tracing(settings: Settings) -> bool:
    """True if traces are wanted; raises SettingsInvalid if what sends them is not installed."""
    if settings.tracing and not tracing.is_installed():
        raise SettingsInvalid("BLENDPROOF_TRACING: OpenTelemetry is not installed.", TRACING_MISSING)
    return settings.tracing is not None


def leave_cores_free() -> None:
    """Have NumPy multiply in one thread, in this process.

    Its library keeps a team of threads that go on turning for a while when they have done their product, and for
    vectors of these sizes takes longer than one thread would. A picture that CLIP looked at meanwhile took 116 ms, and
    takes 64.
    """
    # It says nothing of its types.
    library: Any = importlib.import_module("threadpoolctl")
    library.threadpool_limits(1, user_api="blas")


def read_withheld(settings: Settings) -> WithheldRequests:
    """The requests whose artifacts the drafter is not shown; raises SettingsInvalid."""
    try:
        return load_withheld(settings.withheld)
    except (OSError, ValueError, KeyError, TypeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it holds no requests, one a line"
        raise SettingsInvalid(f"BLENDPROOF_WITHHELD={settings.withheld}: {said}") from None


def open_shelf(address: str | None) -> Shelf | None:
    """The object store of the artifacts, if there is one; raises SettingsInvalid, and StorageFailed if it is away."""
    if address is None:
        return None
    shelf = Shelf(address)
    shelf.check()
    return shelf


def open_kept_answers(settings: Settings, shelf: Shelf | None) -> KeptAnswers | None:
    """The answers of models that are given again, if that is wanted; raises StorageFailed."""
    days = settings.model_cache_days
    if days is None:
        return None
    with storage_errors(settings.data_folder):
        return KeptAnswers(shelf or AnswerFolder(settings.data_folder, days), days)


def open_pictures(unproven: Path, matrix: Path, shelf: Shelf | None) -> RunPictures:
    """The pictures of runs in these folders; raises StorageFailed, which names the one that cannot be used."""
    with storage_errors(matrix):
        matrix.mkdir(exist_ok=True)
    with storage_errors(unproven):
        return RunPictures(unproven, matrix, shelf)


def open_readers(sandbox: Sandbox, held: contextlib.AsyncExitStack) -> Readers:
    """The processes that read texts; `held` ends them."""
    readers = Readers(sandbox)
    held.callback(readers.close)
    held.enter_context(shared(readers))
    return readers


def open_repositories(
    settings: Settings, models: Models, sandbox: Sandbox, held: contextlib.AsyncExitStack
) -> RepositoryService:
    """The repositories in the folders that the operator allowed; `held` ends their workers.

    Raises SettingsInvalid if the file of the prompt cannot be read.
    """
    allowed = AllowedPlaces(tuple(settings.repositories), tuple(settings.repository_urls))
    asker = open_asker(models, settings.repository_prompt, settings.model_run_s)
    workers = Workers(sandbox)
    held.callback(workers.close)
    return RepositoryService(Repositories(settings.data_folder, allowed), workers, asker)


def open_engine(settings: Settings, sandbox: Sandbox, readers: Readers) -> Engine:
    """The engine that the settings name.

    Raises StorageFailed if its folders cannot be used, SettingsInvalid if what a cluster needs is missing.
    """
    if settings.engine == "ray":
        return open_cluster(settings)
    with storage_errors(settings.data_folder):
        return open_local(settings.data_folder, sandbox, settings.warm_workers, readers)


def open_cluster(settings: Settings) -> Engine:
    """The engine of a cluster; raises SettingsInvalid."""
    # Imported here: a service on one machine needs none of it.
    from harness.engines.cluster import ClusterEngine
    from harness.engines.on_ray import RayNodes, is_installed

    if not is_installed():
        raise SettingsInvalid("BLENDPROOF_ENGINE=ray: Ray is not installed.", RAY_MISSING)
    assert settings.cluster, "the settings name it"
    return ClusterEngine(RayNodes(settings.cluster, cluster_token(settings)))


def cluster_token(settings: Settings) -> Path:
    """The file of the token of the cluster; raises SettingsInvalid if there is none."""
    token = settings.cluster_token_file
    if not token.is_file():
        raise SettingsInvalid(
            f"There is no token of the cluster at {token}.",
            "Copy it there from the machine that `blendproof node --head` runs on (docs/cluster.md).",
        )
    return token


def close_to_others(folder: Path) -> None:
    """Have a folder that no other user of the machine looks into: the files of jobs have what modes jobs give them."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o700)


def prove_sandbox(settings: Settings) -> Sandbox:
    """The sandbox that snippets run in, after it was attacked; raises SandboxBroken if an attack worked."""
    unsafe = settings.sandbox == "unsafe"
    sandbox = selftest.prove(strongest(), [settings.home, settings.data_folder], unsafe)
    if sandbox.escapes and not unsafe:
        raise SandboxBroken(f"The sandbox `{sandbox.rung}` does not hold: {', '.join(sandbox.escapes)}.")
    return sandbox


def look_for_blenders(settings: Settings) -> tuple[list[Blender], str | None]:
    """The Blenders there are, or what is wrong; the service starts without one and says so in /health."""
    try:
        blenders = blenders_of(settings)
    except BlenderNotAvailable as error:
        return [], str(error)
    return blenders, None if blenders else "No Blender is installed. Run `blendproof blenders install`."
