"""The way the result will be shown and the limits of a run, in words for a drafter."""

from __future__ import annotations

from typing import Final

from harness.order import Order
from harness.protocol import CAMERA, FACE

HOW: Final = """\
How it is shown: only what is new or changed, framed closely: {views}.
Your lights or world light it, or if you make none, soft daylight before a grey backdrop.
Budget: {seconds:g} s for each run, {memory} MiB, 2 million faces a mesh with its modifiers."""
OWN_CAMERA: Final = "through your camera if you make one"
SIDES: Final = {CAMERA: OWN_CAMERA, "three_quarter": "three quarter from above", FACE: "the side that shows most"}


def shown_how(order: Order) -> str:
    """The pictures and the limits of an order in words."""
    render, limits = order.render, order.run_limits
    return HOW.format(
        views=", ".join(SIDES.get(view, view) for view in render.views),
        seconds=limits.wall_s,
        memory=limits.memory_bytes >> 20,
    )
