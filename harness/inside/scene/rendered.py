"""Evaluates the open scene as a render does: other levels, other visibility, other nodes than in a viewport.

A render engine is the only place where Python gets that evaluation. This engine renders nothing: it looks.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from typing import Any

import bpy

ENGINE = "HARNESS_LOOK"
SIZE_PX = 16
"""The least that Blender renders if the output is a movie."""

OFF = ("use_compositing", "use_sequencer", "use_freestyle", "use_border", "use_multiview", "use_motion_blur")
"""Settings that make another picture of a render, or run a script."""

_looks: list[Callable[[Any], None]] = []


class LookEngine(bpy.types.RenderEngine):  # type: ignore[misc]
    """Calls the functions that wait for the evaluation of a render."""

    bl_idname = ENGINE
    bl_label = "Look"

    def render(self, depsgraph: Any) -> None:
        """Called by Blender."""
        for look in _looks:
            look(depsgraph)


def as_rendered(look: Callable[[Any], Any]) -> Any:
    """The result of `look`, given the dependency graph of a render of the scene and view layer of the context.

    The graph is gone afterwards, and the scene is as before. Raises RuntimeError if Blender does not render, and the
    exceptions of `look`.
    """
    found: list[Any] = []
    raised: list[BaseException] = []

    def keep(depsgraph: Any) -> None:
        try:
            found.append(look(depsgraph))
        except BaseException as error:
            raised.append(error)

    _looks[:] = [keep]
    images = set(bpy.data.images)
    # Registered only for the look: a Blender that ends with an engine of Python may hang or crash.
    bpy.utils.register_class(LookEngine)
    try:
        with set_for_a_look(bpy.context.scene):
            bpy.ops.render.render(write_still=False)
    finally:
        bpy.utils.unregister_class(LookEngine)
        _looks.clear()
        for image in set(bpy.data.images) - images:
            bpy.data.images.remove(image)
    if raised:
        raise raised[0]
    if not found:
        raise RuntimeError("Blender rendered without an evaluation of the scene")
    return found[0]


@contextlib.contextmanager
def set_for_a_look(scene: Any) -> Generator[None, None, None]:
    """Settings with which a render evaluates this scene alone, and does no more."""
    render = scene.render
    wanted = [
        *((render, name, False) for name in OFF),
        (render, "use_single_layer", True),
        (render, "resolution_x", SIZE_PX),
        (render, "resolution_y", SIZE_PX),
        (render, "resolution_percentage", 100),
        (render, "engine", ENGINE),
        (scene, "background_set", None),
    ]
    camera = None if scene.camera else bpy.data.objects.new("Look", bpy.data.cameras.new("Look"))
    wanted += [(scene, "camera", camera)] if camera else []
    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in wanted]
    try:
        for owner, name, value in wanted:
            setattr(owner, name, value)
        yield
    finally:
        for owner, name, value in reversed(kept):
            setattr(owner, name, value)
        if camera:
            # The object goes with its data.
            bpy.data.cameras.remove(camera.data)
