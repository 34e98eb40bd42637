"""The engine of a cluster: to which node an order goes, and what becomes of it when nodes are lost, full or drained.

The nodes are in this process and execute nothing; `test_ray.py` has real ones.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest

from harness.blenders import Blender
from harness.engine import ExecutionResult
from harness.engines import cluster
from harness.engines.cluster import ClusterEngine
from harness.engines.node import ClusterNode, NodeSpec, build_of
from harness.sandbox import selftest
from harness.sandbox.ladder import Rung, Sandbox
from tests.cluster import until as cluster_until
from tests.harness.fake_nodes import DONE, FIVE, FOUR, NOBODYS, ORDER, OTHER_BUILD, FakeNode, FakeNodes


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(cluster, "LOOK_LIMIT_S", 0.02)
    monkeypatch.setattr(cluster, "NO_NODE_S", 0.3)


@contextlib.asynccontextmanager
async def engine_on(*nodes: FakeNode) -> AsyncGenerator[tuple[ClusterEngine, FakeNodes], None]:
    held = FakeNodes(*nodes)
    engine = ClusterEngine(held)
    try:
        async with asyncio.timeout(10):
            await until(lambda: len(engine.facts().nodes) == len(nodes) and bool(engine.refusal(NOBODYS)))
            yield engine, held
    finally:
        for node in nodes:
            node.answer()
        await engine.close()
        assert held.closed


async def until(holds: Callable[[], bool]) -> None:
    await cluster_until(holds, 3, 0.005)


def sent(engine: ClusterEngine, blender: Blender = FIVE) -> asyncio.Task[ExecutionResult]:
    return asyncio.create_task(engine.execute(ORDER, blender))


async def refused(executed: Awaitable[ExecutionResult]) -> str:
    """Why an order was not executed; the report says nothing of the snippet."""
    report = (await executed).report
    assert report["outcome"] == "harness_fault" and report["isolation"]["rung"] == "process"
    return str(report["reason"])


async def test_an_order_goes_to_a_node_with_its_build_and_a_free_place() -> None:
    five, four = FakeNode("five", places=2), FakeNode("four", blenders=(FOUR,))
    async with engine_on(five, four) as (engine, _):
        orders = [sent(engine), sent(engine), sent(engine, FOUR)]
        await until(lambda: len(five.asked) == 2 and len(four.asked) == 1)
        waits = sent(engine)
        await asyncio.sleep(0.05)
        assert len(five.asked) == 2 and not engine.is_quiet()
        five.answer()
        await until(lambda: orders[0].done() and len(five.asked) == 1)
        five.answer()
        four.answer()
        assert await asyncio.gather(*orders, waits) == [DONE] * 4
        await until(engine.is_quiet)


async def test_orders_spread_over_the_nodes() -> None:
    nodes = [FakeNode(name, places=2) for name in ("one", "two", "three")]
    async with engine_on(*nodes) as (engine, _):
        orders = [sent(engine) for _ in range(6)]
        await until(lambda: [len(node.asked) for node in nodes] == [2, 2, 2])
        for node in nodes:
            node.answer()
        assert await asyncio.gather(*orders) == [DONE] * 6


async def test_places_that_other_services_took_are_left_alone() -> None:
    taken, free = FakeNode("taken", places=2), FakeNode("free")
    taken.others = 2
    async with engine_on(taken, free) as (engine, _):
        order = sent(engine)
        await until(lambda: len(free.asked) == 1)
        free.answer()
        assert await order == DONE and not taken.asked


@pytest.mark.parametrize("why", ["dies", "leaves", "is silent"])
async def test_an_order_on_a_node_that_is_lost_is_tried_once_more_on_another(why: str) -> None:
    lost, other = FakeNode("lost", places=9), FakeNode("other")
    async with engine_on(lost, other) as (engine, nodes):
        order = sent(engine)
        await until(lambda: len(lost.asked) == 1)
        if why == "dies":
            lost.die()
        elif why == "leaves":
            del nodes.there["lost"]
        else:
            lost.silent = True
        await until(lambda: len(other.asked) == 1)
        other.answer()
        assert await order == DONE


async def test_an_order_whose_second_node_is_lost_too_is_a_fault_of_ours() -> None:
    nodes = [FakeNode(name) for name in ("one", "two", "three")]
    async with engine_on(*nodes) as (engine, _):
        order = sent(engine)
        for _ in range(2):
            await until(lambda: any(node.asked for node in nodes))
            for node in nodes:
                node.die()
            await asyncio.sleep(0.02)
        reason = await refused(order)
        assert "2 tries on the cluster failed" in reason and reason.count("its actor died") == 2


async def test_the_only_node_gets_the_second_try_when_it_is_back() -> None:
    only = FakeNode("only")
    async with engine_on(only) as (engine, _):
        order = sent(engine)
        await until(lambda: len(only.asked) == 1)
        (key,) = only.asked
        only.die()
        await until(lambda: bool(only.asked) and key not in only.asked)
        only.answer()
        assert await order == DONE


async def test_one_slow_look_is_no_loss() -> None:
    slow = FakeNode("slow")
    async with engine_on(slow) as (engine, _):
        order = sent(engine)
        await until(lambda: len(slow.asked) == 1)
        slow.silent = True
        await asyncio.sleep(0.03)
        slow.silent = False
        await asyncio.sleep(0.05)
        slow.answer()
        assert await order == DONE


async def test_an_order_for_a_node_that_is_drained_goes_to_another_and_does_not_count() -> None:
    old, new = FakeNode("old", places=9), FakeNode("new")
    async with engine_on(old, new) as (engine, _):
        before = sent(engine)
        await until(lambda: len(old.asked) == 1)
        old.draining = True
        orders = [sent(engine) for _ in range(4)]
        for _ in orders:
            await until(lambda: len(new.asked) == 1)
            new.answer()
            await asyncio.sleep(0.02)
        assert await asyncio.gather(*orders) == [DONE] * 4
        assert not before.done()
        old.answer()
        assert await before == DONE


async def test_a_build_that_no_node_has_is_refused_and_another_build_of_the_version_is_not_taken_for_it() -> None:
    async with engine_on(FakeNode("five")) as (engine, nodes):
        for blender in (FOUR, OTHER_BUILD):
            said = engine.refusal(blender)
            assert said and f"has Blender {blender.version} (build {blender.build_hash}), of 1 nodes" in said
            assert await refused(engine.execute(ORDER, blender)) == said
        assert engine.refusal(FIVE) is None
        nodes.reached = False
        del nodes.there["five"]
        await asyncio.sleep(0.05)
        assert engine.refusal(FIVE) is None, "a node may answer though the head does not"


async def test_what_comes_before_the_first_look_waits_for_it() -> None:
    node = FakeNode("one")
    engine = ClusterEngine(FakeNodes(node))
    assert engine.refusal(FIVE) is None and engine.refusal(FOUR) is None
    order = sent(engine)
    await until(lambda: len(node.asked) == 1)
    assert engine.refusal(FIVE) is None and engine.refusal(FOUR)
    node.answer()
    assert await order == DONE
    await engine.close()


async def test_a_node_that_joins_takes_what_waits_for_its_build(monkeypatch: pytest.MonkeyPatch) -> None:
    async with engine_on() as (engine, nodes):
        monkeypatch.setattr(cluster, "NO_NODE_S", 9)
        engine.keep_warm(FIVE)
        order = sent(engine)
        nodes.there["late"] = late = FakeNode("late")
        await until(lambda: len(late.asked) == 1)
        late.answer()
        assert await order == DONE
        await until(lambda: late.warmed == [build_of(FIVE)])


async def test_too_many_that_wait_are_a_reason_to_refuse() -> None:
    node = FakeNode("only", places=2)
    async with engine_on(node) as (engine, _):
        orders = [sent(engine) for _ in range(5)]
        await until(lambda: len(node.asked) == 2)
        assert engine.refusal(FIVE) is None
        orders.append(sent(engine))
        await asyncio.sleep(0.02)
        assert engine.refusal(FIVE) == "4 executions wait for 2 places of the cluster"
        while not all(order.done() for order in orders):
            node.answer()
            await asyncio.sleep(0.005)
        assert engine.refusal(FIVE) is None


async def test_a_node_that_refuses_is_named_with_its_reason() -> None:
    node = FakeNode("open")
    node.problem = "the sandbox `landlock` does not hold: net_tcp"
    async with engine_on(node) as (engine, _):
        (shown,) = engine.facts().nodes
        assert (shown["state"], shown["problem"]) == ("refuses", node.problem)
        assert engine.refusal(FIVE) and not engine.facts().workers


@pytest.mark.parametrize("times", [1, 2])
async def test_cancelling_reaches_the_node(times: int) -> None:
    node = FakeNode("only")
    async with engine_on(node) as (engine, _):
        order = sent(engine)
        await until(lambda: len(node.asked) == 1)
        for _ in range(times):
            order.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await order
        await until(lambda: engine.is_quiet() and not node.asked)
        assert len(node.cancelled) == 1
        again = sent(engine)
        await until(lambda: len(node.asked) == 1)
        node.answer()
        assert await again == DONE


async def test_one_that_waits_is_cancelled_without_a_node() -> None:
    node = FakeNode("only")
    async with engine_on(node) as (engine, _):
        first, second = sent(engine), sent(engine)
        await until(lambda: len(node.asked) == 1)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        node.answer()
        assert await first == DONE and not node.cancelled


async def test_a_node_that_is_closed_while_it_ends_orders_watches_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def proven(*_: object) -> Sandbox:
        return Sandbox(Rung.PROCESS)

    ended = asyncio.Event()

    async def slow_to_end() -> ExecutionResult:
        try:
            await ended.wait()
        finally:
            await ended.wait()
        return DONE

    monkeypatch.setattr(selftest, "prove", proven)
    monkeypatch.setattr("harness.engines.node.WATCH_EVERY_S", 0.0)
    monkeypatch.setattr("harness.engines.node.SILENCE_S", -1.0)
    there = ClusterNode(NodeSpec("one", str(tmp_path), str(tmp_path), 1, 0))
    order = asyncio.create_task(slow_to_end())
    there._under_way["key"] = "gone", order  # pyright: ignore[reportPrivateUsage]
    there._heard["gone"] = 0.0  # pyright: ignore[reportPrivateUsage]
    watching = asyncio.create_task(there._cancel_the_silent())  # pyright: ignore[reportPrivateUsage]
    await until(lambda: order.cancelling() > 0)
    watching.cancel()
    await asyncio.wait([watching], timeout=0.5)
    assert watching.cancelled()
    ended.set()
