"""Brings the render calls of a snippet down to the harness's limits, and restores its settings afterwards.

A snippet that renders 1920 x 1080 in EEVEE to a folder of its author's machine gets its file: small, from Cycles, in
its work folder, in a fraction of a second. Without a GPU, one EEVEE frame takes a minute.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Iterator
from typing import Any

import bpy

from harness.protocol import RenderLimits


@contextlib.contextmanager
def limit_renders(limits: RenderLimits) -> Generator[None, None, None]:
    """Hold `bpy.ops.render.render` to the limits while the block runs."""
    # Blender makes the namespace `bpy.ops.render` afresh at each access; one that is set there stays.
    namespace = bpy.ops.render
    namespace.render = LimitedRender(namespace.render, limits)
    bpy.ops.render = namespace
    try:
        yield
    finally:
        with contextlib.suppress(AttributeError):
            del bpy.ops.render


class LimitedRender:
    """The operator, which lowers its scene's settings during the call; the rest is Blender's own."""

    def __init__(self, operator: Any, limits: RenderLimits) -> None:
        self._operator = operator
        self._limits = limits

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        scene = bpy.data.scenes.get(keywords.get("scene", "")) or bpy.context.scene
        kept: list[tuple[Any, str, Any]] = []
        for owner, name, value in limited_settings(scene, self._limits):
            kept.append((owner, name, getattr(owner, name)))
            setattr(owner, name, value)
        try:
            return self._operator(*args, **keywords)
        finally:
            for owner, name, value in reversed(kept):
                setattr(owner, name, value)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._operator, name)


def limited_settings(scene: Any, limits: RenderLimits) -> Iterator[tuple[Any, str, Any]]:
    """The settings to change, as owner, name and value: size, frames, output path, engine, samples. None goes up."""
    render = scene.render
    scale = render.resolution_percentage / 100
    longest = max(render.resolution_x, render.resolution_y) * scale
    if longest > limits.size_px:
        scale *= limits.size_px / longest
        # Even numbers, because most movie formats require them.
        yield render, "resolution_x", max(4, int(render.resolution_x * scale) // 2 * 2)
        yield render, "resolution_y", max(4, int(render.resolution_y * scale) // 2 * 2)
        yield render, "resolution_percentage", 100
    last_frame = scene.frame_start + (limits.frames - 1) * scene.frame_step
    yield scene, "frame_end", min(scene.frame_end, last_frame)
    yield render, "filepath", path_in_work_folder(render.filepath)
    if "EEVEE" in render.engine:
        yield render, "engine", "CYCLES"
    if hasattr(scene, "cycles"):
        yield scene.cycles, "samples", min(scene.cycles.samples, limits.samples)
        yield scene.cycles, "device", "CPU"
        yield scene.cycles, "use_denoising", False


def path_in_work_folder(path: str) -> str:
    """The same path if it lies in the work folder, otherwise its last part in that folder."""
    full: str = os.path.abspath(bpy.path.abspath(path, start=os.getcwd()))
    if full.startswith(os.getcwd() + os.sep):
        return full
    return os.path.join(os.getcwd(), os.path.basename(path.replace("\\", "/").rstrip("/")) or "render")
