"""Pictures of two artifacts through one camera: both are executed again, and a box around both is in view."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

from app.artifacts.store.store import ArtifactStore
from app.errors import RunFailed
from app.pipeline.state import Tools
from harness.blenders import Blender
from harness.order import Order

VIEW = "three_quarter"


async def through_one_camera(tools: Tools, blender: Blender, artifacts: list[str]) -> list[bytes]:
    """A picture of each. Raises ArtifactNotFound, ArtifactDamaged and RunFailed."""
    orders = await asyncio.to_thread(orders_of, tools.artifacts, artifacts)
    pictures: list[bytes] = []
    for order in orders:
        made = await tools.engine.execute(order, blender)
        if f"{VIEW}.png" not in made.files:
            raise RunFailed(f"It could not be made again: {made.report['reason'] or 'nothing was rendered'}.")
        pictures.append(made.files[f"{VIEW}.png"])
    return pictures


def orders_of(store: ArtifactStore, artifacts: list[str]) -> list[Order]:
    """The orders that make them again, with the same box in view."""
    evidence = [store.report(one)["execution"]["evidence"] for one in artifacts]
    lows, highs = zip(*[box for one in evidence for box in boxes_of(one)], strict=True)
    low, high = map(min, zip(*lows, strict=True)), map(max, zip(*highs, strict=True))
    box = (*low, *high)
    orders = [store.order(one) for one in artifacts]
    size = max(order.render.size_px for order in orders)
    return [
        dataclasses.replace(
            order,
            framed=box,
            render=dataclasses.replace(order.render, size_px=size, views=(VIEW,), frames=0),
        )
        for order in orders
    ]


def boxes_of(evidence: dict[str, Any]) -> list[tuple[list[float], list[float]]]:
    """The boxes around the objects that the picture of a report shows."""
    objects: dict[str, Any] = evidence["scene"]["objects"]
    shown = [objects[name]["bounds"] for name in evidence["render"]["subject"] if name in objects]
    return [(bounds["min"], bounds["max"]) for bounds in shown if bounds]
