"""Measures the cost of a cluster per execution: the same orders on this machine and on one node of a cluster, in turn.

`python -m bench.engine [N]` begins a cluster of one node on loopback, with Ray, and ends it again.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from app.service.node_process import new_token
from app.settings import default_home
from harness.blenders import Blender, find_blenders
from harness.engine import Engine
from harness.engines.cluster import ClusterEngine
from harness.engines.local import open_local
from harness.engines.node import NodeSpec
from harness.engines.on_ray import RayNodes, connect, leave, start_actor
from harness.engines.ray_machine import Machine, joined, resources_of
from harness.order import Order
from harness.protocol import RenderSettings
from harness.readers import Readers
from harness.sandbox import selftest
from harness.sandbox.ladder import strongest
from tests.objects import free_port

SNIPPET: Final = """import bpy

bpy.ops.mesh.primitive_torus_add(major_radius=2, minor_radius=0.6)
bpy.ops.object.shade_smooth()
"""
ORDERS: Final = {
    "snippet alone": Order("import bpy\n", render=RenderSettings(size_px=32, samples=1)),
    "256 px, 16 samples": Order(SNIPPET, render=RenderSettings(size_px=256, samples=16)),
    "512 px, scene kept": Order(SNIPPET, render=RenderSettings(size_px=512, samples=16), keep_scene=True),
}
ROUNDS: Final = 20
WARM_S: Final = 60


async def main(rounds: int) -> None:
    """Print for each order how long it takes on both."""
    home = Path(os.environ.get("BLENDPROOF_HOME") or default_home())
    blender = find_blenders(home, None, search=False)[0]
    with tempfile.TemporaryDirectory(prefix="blendproof-") as folder:
        here, node = (a_folder(Path(folder, name)) for name in ("here", "node"))
        async with in_this_process(here, home) as local, on_a_node(node, home, blender) as cluster:
            for engine in (local, cluster):
                await warm(engine, blender)
            for name, order in ORDERS.items():
                await compare(name, order, blender, local, cluster, rounds)


async def compare(name: str, order: Order, blender: Blender, local: Engine, cluster: Engine, rounds: int) -> None:
    """Print how long an order takes on both, in turn, and how much of that is not the time of its processes."""
    spent: dict[Engine, list[float]] = {local: [], cluster: []}
    around: dict[Engine, list[float]] = {local: [], cluster: []}
    size = 0
    for _ in range(rounds):
        for engine in spent:
            began = time.monotonic()
            executed = await engine.execute(order, blender)
            wall_s = time.monotonic() - began
            assert executed.report["outcome"] == "passed", executed.report["reason"]
            spent[engine].append(wall_s * 1000)
            around[engine].append((wall_s - executed.report["evidence"]["timings"]["total_s"]) * 1000)
            size = sum(map(len, executed.files.values()))
    here_ms, there_ms = (statistics.median(one) for one in spent.values())
    own_ms, far_ms = (statistics.median(one) for one in around.values())
    print(
        f"{name}: {size >> 10} KiB; here {here_ms:.0f} ms, on a node {there_ms:.0f} ms; around the processes here "
        f"{own_ms:.1f} ms, on a node {far_ms:.1f} ms: {far_ms - own_ms:+.1f} ms, {(far_ms - own_ms) / here_ms:+.1%}",
        flush=True,
    )


async def warm(engine: Engine, blender: Blender) -> None:
    """Wait until the engine has a warm Blender, and have it work once."""
    engine.keep_warm(blender)
    deadline = time.monotonic() + WARM_S
    while not has_idle(engine) and time.monotonic() < deadline:  # noqa: ASYNC110 - the pool gives no signal
        await asyncio.sleep(0.1)
    await engine.execute(next(iter(ORDERS.values())), blender)


def has_idle(engine: Engine) -> bool:
    """True if a warm Blender waits."""
    return any(worker["state"] == "idle" for worker in engine.facts().workers)


def a_folder(folder: Path) -> Path:
    """The folder, made."""
    folder.mkdir()
    return folder


@contextlib.asynccontextmanager
async def in_this_process(folder: Path, home: Path) -> AsyncGenerator[Engine, None]:
    """The engine of this machine."""
    sandbox = selftest.prove(strongest(), [home, folder], unsafe=False)
    readers = Readers(sandbox)
    engine = open_local(folder, sandbox, 1, readers)
    yield engine
    await engine.close()
    readers.close()


@contextlib.asynccontextmanager
async def on_a_node(folder: Path, home: Path, blender: Blender) -> AsyncGenerator[Engine, None]:
    """The engine of a cluster with one node."""
    token = folder / "token"
    new_token(token)
    address, resources = f"127.0.0.1:{free_port()}", resources_of([blender], 1)
    with joined(Machine("bench", "127.0.0.1", address, True, resources, token, folder)) as process:
        connect(address, token, process.folder)
        node = start_actor(NodeSpec("bench", str(home), str(folder), places=1, warm=1), resources)
        engine = ClusterEngine(RayNodes(address, token))
        yield engine
        await engine.close()
        await node.close()
        leave()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
