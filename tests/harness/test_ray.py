"""A cluster of three nodes on Ray: it does what one machine does, and goes on when parts of it are killed.

The tests share one cluster and run in their order: each leaves less of it.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import signal
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.settings import Settings
from harness.blenders import Blender
from harness.engines.cluster import ClusterEngine
from harness.engines.on_ray import RayNodes, connect, leave
from harness.engines.ray_machine import ray_folder
from harness.order import Order
from harness.sandbox.ladder import strongest
from tests.cluster import NodeProcess, SmallCluster, small_cluster, until
from tests.fixtures import serving
from tests.harness.outcome_snippets import SMALL, SNIPPETS, expected_outcome, order_for

pytestmark = [
    pytest.mark.blender,
    pytest.mark.slow,
    pytest.mark.skipif(not importlib.util.find_spec("ray"), reason="Ray is not installed"),
]

SAME_ON_BOTH = ("passed", "raised", "crashes", "endless_loop")
WAITS = Order("import time\n\ntime.sleep(2.5)\n", render=SMALL)
ATTACK = """
import glob, json, os, socket
def tried(do):
    try:
        return repr(do())
    except Exception as error:
        return type(error).__name__
found = {
    "environment": [name for name in os.environ if "RAY" in name or "BLENDPROOF" in name or "TOKEN" in name],
    "head": tried(lambda: socket.create_connection(("127.0.0.1", PORT), 1)),
    "token": tried(lambda: open("TOKEN_FILE").read()),
    "sockets": glob.glob("/tmp/**/sockets/*", recursive=True) + glob.glob("/tmp/blendproof-ray-*"),
    "store": tried(lambda: socket.socket(socket.AF_UNIX).connect("STORE")),
    "memory": [name for name in (os.listdir("/dev/shm") if os.path.isdir("/dev/shm") else []) if "plasma" in name],
    "others": [
        pid for pid in os.listdir("/proc") if pid.isdigit() and b"ray" in open(f"/proc/{pid}/cmdline", "rb").read()
    ],
}
raise RuntimeError(json.dumps(found))
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, bare_home: Path) -> Iterator[SmallCluster]:
    with small_cluster(tmp_path_factory.mktemp("cluster"), bare_home) as cluster:
        connect(cluster.address, cluster.token)
        yield cluster
        leave()


@pytest.fixture
async def engine(cluster: SmallCluster) -> AsyncGenerator[ClusterEngine, None]:
    """An engine that has seen every node that is left."""
    engine = ClusterEngine(RayNodes(cluster.address, cluster.token))
    left = [node for node in cluster.nodes if node.process.poll() is None]
    await until(lambda: sum(node["state"] == "ok" for node in engine.facts().nodes) >= len(left), 60)
    yield engine
    await engine.close()


async def at_work(engine: ClusterEngine, cluster: SmallCluster) -> NodeProcess:
    """The node that executes the only order, once it does."""

    def busy() -> list[str]:
        return [node["node"] for node in engine.facts().nodes if is_busy(node)]

    await until(busy)
    return next(node for node in cluster.nodes if node.name() == busy()[0])


async def answers(client: httpx2.AsyncClient, path: str, hold: Callable[[httpx2.Response], bool]) -> None:
    """Wait until an address answers so."""
    async with asyncio.timeout(60):
        while not hold(await client.get(path)):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.1)


async def test_snippets_end_as_on_one_machine(engine: ClusterEngine, blender: Blender) -> None:
    """As `test_outcomes.py` has them end there."""
    snippets = [path for path in SNIPPETS if path.stem in SAME_ON_BOTH]
    ends = await asyncio.gather(*(engine.execute(order_for(snippet), blender) for snippet in snippets))
    assert [end.report["outcome"] for end in ends] == [expected_outcome(snippet) for snippet in snippets]
    for snippet, end in zip(snippets, ends, strict=True):
        pictures = [one["file"] for one in end.report["evidence"]["render"]["pictures"]] if end.files else []
        assert sorted(end.files) == sorted(pictures), snippet.stem
    assert any(end.files for end in ends)
    rungs = {node["sandbox"] for node in engine.facts().nodes}
    assert rungs == {strongest().rung.value}


async def test_a_snippet_sees_nothing_of_the_cluster(
    engine: ClusterEngine, cluster: SmallCluster, blender: Blender
) -> None:
    (store, *_) = ray_folder(cluster.nodes[0].data).glob("ray/*/sockets/plasma_store")
    attack = ATTACK.replace("PORT", cluster.address.partition(":")[2]).replace("TOKEN_FILE", str(cluster.token))
    report = (await engine.execute(Order(attack.replace("STORE", str(store)), render=SMALL), blender)).report
    assert report["outcome"] == "raised", report["reason"]
    found = json.loads(report["claims"]["exception"]["message"])
    for kind in ("environment", "sockets", "memory", "others"):
        assert found[kind] == [], kind
    for kind in ("head", "token", "store"):
        assert found[kind] in ("PermissionError", "FileNotFoundError", "OSError"), found[kind]


async def test_the_service_proves_on_the_cluster(cluster: SmallCluster, settings: Settings) -> None:
    given = {"engine": "ray", "cluster": cluster.address, "cluster_token": cluster.token, "parallel_runs": 3}
    async with serving(settings.model_copy(update=given)) as client:
        await answers(client, "/ready", lambda answer: answer.is_success)
        body = {"snippet": "import bpy\n\nbpy.data.objects['Cube'].location.x = 1\n", "render": {"size": 64}}
        runs = await asyncio.gather(*(client.post("/validate", json=body) for _ in range(3)))
        assert [run.json()["status"] for run in runs] == ["proven"] * 3, runs[0].text
        assert (await client.get(runs[0].json()["artifact"]["picture"])).content.startswith(b"\x89PNG")
        health = (await client.get("/health")).json()
        assert health["parts"]["cluster"]["state"] == "ok" and len({one["node"] for one in health["workers"]}) == 3
        waits = {**body, "snippet": "import time\n\ntime.sleep(60)\n"}
        run = (await client.post("/validate", json=waits, headers={"Prefer": "respond-async"})).json()
        await answers(client, "/health", lambda answer: "1 of 1" in answer.json()["parts"]["cluster"]["message"])
        began = time.monotonic()
        assert (await client.delete(f"/runs/{run['id']}")).json()["status"] == "cancelled"
        assert time.monotonic() - began < 10


async def test_a_cluster_that_is_not_there_makes_the_service_unready(
    cluster: SmallCluster, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def by_name(_nodes: RayNodes) -> dict[str, Any]:
        return {}

    monkeypatch.setattr(RayNodes, "by_name", by_name)
    given = {"engine": "ray", "cluster": cluster.address, "cluster_token": cluster.token}
    async with serving(settings.model_copy(update=given)) as client:
        await asyncio.sleep(0.1)
        ready = await client.get("/ready")
        assert ready.status_code == 503 and "because it has no node" in ready.json()["message"]
        refused = await client.post("/validate", json={"snippet": "import bpy\n"})
        assert (refused.status_code, refused.json()["code"]) == (503, "service_busy")


async def test_a_killed_actor_costs_a_second_try_and_comes_back(
    engine: ClusterEngine, cluster: SmallCluster, blender: Blender
) -> None:
    order = asyncio.create_task(engine.execute(WAITS, blender))
    first = await at_work(engine, cluster)
    first.kill_actor()
    executed = await order
    assert executed.report["outcome"] == "passed", executed.report["reason"]
    await until(lambda: first.pids("ray::ClusterNode"))


async def test_a_drained_node_finishes_its_jobs(engine: ClusterEngine, cluster: SmallCluster, blender: Blender) -> None:
    third = cluster.nodes[2]
    orders = [asyncio.create_task(engine.execute(WAITS, blender)) for _ in range(3)]
    await until(lambda: sum(node["busy"] for node in engine.facts().nodes) == 3)
    third.process.send_signal(signal.SIGTERM)
    ends = await asyncio.gather(*orders)
    assert [end.report["outcome"] for end in ends] == ["passed"] * 3
    assert await asyncio.to_thread(third.process.wait, 30) == 0
    assert "no further orders" in third.said()
    assert (await engine.execute(order_for(SNIPPETS[0]), blender)).report["outcome"] != "harness_fault"


async def test_a_killed_machine_costs_a_second_try_and_the_second_is_a_fault_of_ours(
    engine: ClusterEngine, cluster: SmallCluster, blender: Blender
) -> None:
    order = asyncio.create_task(engine.execute(WAITS, blender))
    first = await at_work(engine, cluster)
    head, second = cluster.nodes[:2]
    if first is head:
        # The head is lost with the cluster; only its actor is killed.
        head.kill_actor()
    else:
        second.kill()
    other = second if first is head else head
    # That a machine is gone is known after some heartbeats that did not come.
    await until(lambda: [node["node"] for node in engine.facts().nodes if is_busy(node)] == [other.name()], 90)
    if other is head:
        head.kill_actor()
    else:
        second.kill()
    report = (await order).report
    assert report["outcome"] == "harness_fault" and "2 tries on the cluster failed" in report["reason"]


def is_busy(node: dict[str, Any]) -> bool:
    return bool(node["busy"]) and node["state"] == "ok"
