"""The movement in the open scene, by keyframes, drivers or physics, and the places of objects at a frame."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import bpy
from mathutils import Vector

from harness.inside.scene.describe import action_curves
from harness.inside.scene.drivers import all_animation
from harness.inside.scene.names import titled
from harness.inside.scene.settings import numbers

LAST_FRAME = 1_048_574
"""The highest frame Blender counts to, and with a minus sign the lowest."""
PHYSICS = {"CLOTH", "SOFT_BODY", "FLUID", "PARTICLE_SYSTEM", "DYNAMIC_PAINT"}
SIMULATED_FRAMES = 48
"""Frames of a simulation that are played: two seconds, in which falling things have fallen."""
SIMULATION_S = 4.0
"""Seconds that a simulation is played for at most."""
MOST_OBJECTS = 200
STEP = 0.001
"""Metres from its former place from which a thing counts as moved."""


def moving_frames(description: dict[str, Any]) -> tuple[int, int] | None:
    """The first and the last frame of all movement; None if nothing moves."""
    told = [facts["animation"] for facts in description["objects"].values() if facts["animation"]]
    ranges = [animation["frame_range"] for animation in told if animation["frame_range"]]
    # A keyframe may be at no finite frame (None in the description), or outside Blender's range.
    ends = [frame for pair in ranges for frame in pair if frame is not None] + list(ends_of_settings())
    frames = [max(-LAST_FRAME, min(frame, LAST_FRAME)) for frame in ends]
    if frames:
        return int(min(frames)), int(max(frames))
    scene = description["scene"]
    first, last = scene["frame_start"], scene["frame_end"]
    if is_simulated(bpy.context.scene):
        return first, min(last, first + SIMULATED_FRAMES)
    return (first, last) if told else None


def ends_of_settings() -> Iterator[float]:
    """The first and the last frame of each curve that is on no object: of nodes, materials, lights, shape keys."""
    for owner, animation in all_animation():
        if animation.action and not isinstance(owner, bpy.types.Object | bpy.types.Scene):
            for curve in action_curves(animation):
                if len(curve.keyframe_points) > 1:
                    yield from (frame for frame in curve.range() if math.isfinite(frame))


def is_simulated(scene: Any) -> bool:
    """True if physics move something, or a simulation of nodes does."""
    if scene.rigidbody_world and any(obj.rigid_body and obj.rigid_body.type == "ACTIVE" for obj in scene.objects):
        return True
    return any(part.type in PHYSICS or has_simulation(part) for obj in scene.objects for part in obj.modifiers)


def has_simulation(modifier: Any) -> bool:
    """True if it is a modifier of nodes with a simulation among them."""
    tree = modifier.node_group if modifier.type == "NODES" else None
    return tree is not None and any(node.bl_idname == "GeometryNodeSimulationInput" for node in tree.nodes)


class Player:
    """Goes through the frames of a scene; a simulation is played frame by frame, as far as its time allows."""

    def __init__(self, scene: Any, names: list[str]) -> None:
        """`names` are the objects whose places are reported."""
        self.scene = scene
        self.simulated = is_simulated(scene)
        self.until = time.monotonic() + SIMULATION_S
        self.names = names[:MOST_OBJECTS]
        self.first: dict[str, tuple[float, float, float]] = {}

    def go_to(self, frame: int) -> int:
        """Go to a frame, and return the one that was reached."""
        if self.simulated and self.first:
            for step in range(self.scene.frame_current + 1, frame):
                if time.monotonic() > self.until:
                    return int(self.scene.frame_current)
                self.scene.frame_set(step)
        self.scene.frame_set(frame)
        return frame

    def moved(self) -> dict[str, list[float | None]]:
        """The centres of objects that are not where they were at the first frame; none at that frame."""
        depsgraph, objects = bpy.context.evaluated_depsgraph_get(), titled(self.scene.objects)
        there = {name: centre(objects[name].evaluated_get(depsgraph)) for name in self.names if name in objects}
        self.first = self.first or there
        return {
            name: numbers(place)
            for name, place in there.items()
            if name in self.first and math.dist(place, self.first[name]) > STEP
        }


def centre(evaluated: Any) -> tuple[float, float, float]:
    """The middle of its box in the world."""
    corners = [evaluated.matrix_world @ Vector(corner) for corner in evaluated.bound_box]
    x, y, z = (sum(corner[axis] for corner in corners) / len(corners) for axis in range(3))
    return x, y, z
