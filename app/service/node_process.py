"""This machine as a node of a cluster, until a signal ends it: its executions are finished first."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, TypeVarTuple

from app.errors import ClusterFailed, SandboxBroken, SettingsInvalid
from app.service.locks import locked
from app.service.startup import RAY_MISSING, check_tracing, cluster_token, look_for_blenders
from app.service.stores import storage_errors
from app.settings import Settings
from harness.blenders import Blender
from harness.engines import on_ray, ray_machine
from harness.engines.node import NodeLook, NodeSpec
from harness.engines.remote import ClusterLost, NodeLost
from harness.wheels import in_use

WATCH_S: Final = 0.5
READY_LIMIT_S: Final = 120.0
WHY_ENDED: Final = "as it does if the head is gone for a minute or was started again"

Given = TypeVarTuple("Given")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Joining:
    """The way this machine joins: the address of the head, whether it is this one, and the places; None as the settings
    say."""

    address: str
    head: bool
    host: str
    places: int | None


async def run_node(settings: Settings, joining: Joining, say: Callable[[str], None]) -> None:
    """Be a node until a signal; a second signal does not wait for executions.

    Raises SettingsInvalid, ClusterFailed, SandboxBroken, DataFolderInUse, StorageFailed.
    """
    if not on_ray.is_installed():
        raise SettingsInvalid("Ray is not installed.", RAY_MISSING)
    check_tracing(settings)
    blenders, problem = look_for_blenders(settings)
    places = joining.places if joining.places is not None else settings.warm_workers or settings.parallel_runs
    if places and problem:
        raise ClusterFailed(problem, "Install a Blender here, or join with `--places 0` to execute nothing.")
    if joining.head and not settings.cluster_token_file.is_file():
        new_token(settings.cluster_token_file)
    token = cluster_token(settings)
    name = f"{re.sub('[^A-Za-z0-9-]', '-', socket.gethostname())}-{secrets.token_hex(3)}"
    resources = ray_machine.resources_of(blenders, places)
    folder = settings.data_folder / "node"
    try:
        host, address = on_ray.numeric(joining.host), on_ray.numeric(joining.address)
    except OSError as error:
        raise ClusterFailed(f"{joining.host} or {joining.address} has no address: {error.strerror}.") from error
    machine = ray_machine.Machine(name, host, address, joining.head, resources, token, folder)
    with contextlib.ExitStack() as held:
        with storage_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        held.enter_context(locked(folder / "lock"))
        held.enter_context(in_use(blenders))
        try:
            process = held.enter_context(ray_machine.joined(machine))
            held.callback(on_ray.leave)
            spec = spec_of(settings, name, folder, places)
            await unless_ended(process, work_for(machine, spec, blenders, process.folder, say))
        except (ClusterLost, NodeLost, TimeoutError) as error:
            why = str(error) or "the node did not start in time"
            raise ClusterFailed(f"The cluster at {joining.address}: {why}.") from error


async def work_for(
    machine: ray_machine.Machine, spec: NodeSpec, blenders: list[Blender], ray: Path, say: Callable[[str], None]
) -> None:
    """Work for the cluster, by the part of Ray that has this folder, until a signal.

    Raises ClusterLost, NodeLost, TimeoutError, SandboxBroken.
    """
    await aside(on_ray.connect, machine.address, machine.token, ray)
    node = None
    if spec.places:
        node = await aside(on_ray.start_actor, spec, machine.resources)
        say(in_words(await asyncio.wait_for(node.look("node"), READY_LIMIT_S), blenders))
    else:
        say(f"node {spec.name}: in the cluster, executes nothing")
    await until_told(node, say)


async def unless_ended(process: ray_machine.RayProcess, work: Coroutine[Any, Any, None]) -> None:
    """Do this; raises ClusterLost if Ray ends on this machine meanwhile: its calls may wait for ever then."""
    doing = asyncio.create_task(work)
    try:
        while not doing.done():
            if process.ended:
                raise ClusterLost(f"Ray ended on this machine, {WHY_ENDED}")
            await asyncio.wait([doing], timeout=WATCH_S)
        await doing
    finally:
        doing.cancel()
        await asyncio.gather(doing, return_exceptions=True)


async def aside(call: Callable[[*Given], Made], *arguments: *Given) -> Made:
    """The result of a call of Ray's, in a thread of its own: one that never ends does not keep this process alive."""
    answer: Future[Made] = Future()
    answer.set_running_or_notify_cancel()

    def answered() -> None:
        try:
            answer.set_result(call(*arguments))
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=answered, daemon=True).start()
    return await asyncio.wrap_future(answer)


def new_token(file: Path) -> None:
    """Make the file with the token of a cluster, for this user alone; raises StorageFailed."""
    with storage_errors(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(0o600)
        file.write_text(secrets.token_hex(32), encoding="utf-8")


def spec_of(settings: Settings, name: str, folder: Path, places: int) -> NodeSpec:
    """The plan that the node is made from."""
    return NodeSpec(
        name=name,
        home=str(settings.home.resolve()),
        folder=str(folder.resolve()),
        places=places,
        warm=min(settings.warm_workers, places),
        executable=str(settings.blender) if settings.blender else None,
        search=settings.find_blenders,
        unsafe=settings.sandbox == "unsafe",
        tracing=settings.tracing,
    )


def in_words(look: NodeLook, blenders: list[Blender]) -> str:
    """The node in a line; raises SandboxBroken if it executes nothing."""
    if look.problem:
        raise SandboxBroken(f"This machine cannot be a node: {look.problem}.")
    versions = ", ".join(blender.name for blender in blenders)
    return f"node {look.name}: Blender {versions}; {look.places} places; sandbox `{look.rung}`"


async def until_told(node: on_ray.RayNode | None, say: Callable[[str], None]) -> None:
    """Wait for a signal, and then for the executions; a second signal does not wait. Raises NodeLost."""
    told, again = asyncio.Event(), asyncio.Event()

    def heard() -> None:
        (again if told.is_set() else told).set()

    with heard_by(heard):
        await told.wait()
        if node:
            say("no further orders; the executions under way are finished (once more to end them now)")
            drained, hurried = asyncio.create_task(node.drain()), asyncio.create_task(again.wait())
            await asyncio.wait([drained, hurried], return_when=asyncio.FIRST_COMPLETED)
            for end in (drained, hurried):
                end.cancel()
            await asyncio.wait([drained, hurried])
            await node.close()


@contextlib.contextmanager
def heard_by(heard: Callable[[], None]) -> Generator[None, None, None]:
    """Call this at each signal to end."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        loop.add_signal_handler(number, heard)
    try:
        yield
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
