"""Brings the render calls of a snippet down to the harness's limits, and restores its settings afterwards.

A snippet that renders 1920 x 1080 in EEVEE to a folder of its author's machine gets its file: small, from Cycles, in
its work folder, in a fraction of a second. Without a GPU, one EEVEE frame takes a minute.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from typing import Any

import bpy

from harness.protocol import RenderLimits


@contextlib.contextmanager
def limit_renders(limits: RenderLimits) -> Generator[None, None, None]:
    """Hold `bpy.ops.render.render` to the limits while the block runs.

    Not the operator is replaced, which a snippet may look at, but the function that calls all operators; or, since 5.2,
    the function that makes them.
    """
    operators: Any = sys.modules["bpy.ops"]
    # Not `hasattr`: the module takes every other name for a group of operators.
    old = "_op_call" in vars(operators)
    name, stand_in = ("_op_call", limited_call) if old else ("_op_create_function", limited)
    own = getattr(operators, name)
    setattr(operators, name, stand_in(own, limits))
    try:
        yield
    finally:
        setattr(operators, name, own)


def limited_call(call: Any, limits: RenderLimits) -> Any:
    """The function that calls an operator by its name."""

    def call_operator(name: str, keywords: Any = None, *more: Any) -> Any:
        given: dict[str, Any] = keywords or {}
        with lowered(given.get("scene", ""), limits) if name == "render.render" else contextlib.nullcontext():
            return call(name, given, *more)

    return call_operator


def limited(create: Any, limits: RenderLimits) -> Any:
    """The function that makes an operator."""

    def create_function(module: str, name: str) -> Any:
        return BPyOpsCallable(create(module, name), limits if (module, name) == ("render", "render") else None)

    return create_function


class BPyOpsCallable:
    """An operator; the one for renders lowers its scene's settings during the call. The rest is Blender's own.

    All operators are of this type, called as Blender's is: one of another type would give away this process.
    """

    def __init__(self, operator: Any, limits: RenderLimits | None) -> None:
        self._operator = operator
        self._limits = limits

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        with lowered(keywords.get("scene", ""), self._limits) if self._limits else contextlib.nullcontext():
            return self._operator(*args, **keywords)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._operator, name)

    def __dir__(self) -> list[str]:
        return dir(self._operator)

    def __repr__(self) -> str:
        return repr(self._operator)


@contextlib.contextmanager
def lowered(name: str, limits: RenderLimits) -> Generator[None, None, None]:
    """Lower the settings of the scene of this name, or of the current one, while the block runs."""
    scene = bpy.data.scenes.get(name) or bpy.context.scene
    kept: list[tuple[Any, str, Any]] = []
    try:
        for owner, member, value in limited_settings(scene, limits):
            kept.append((owner, member, getattr(owner, member)))
            setattr(owner, member, value)
        yield
    finally:
        for owner, member, value in reversed(kept):
            setattr(owner, member, value)


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
    """The same path if it lies in the work folder or in a temporary one that the snippet made, which it will read from;
    otherwise its last part in the work folder."""
    full: str = os.path.abspath(bpy.path.abspath(path, start=os.getcwd()))
    own = os.path.dirname(full).startswith(tempfile.gettempdir() + os.sep) and os.access(os.path.dirname(full), os.W_OK)
    if full.startswith(os.getcwd() + os.sep) or own:
        return full
    return os.path.join(os.getcwd(), os.path.basename(path.replace("\\", "/").rstrip("/")) or "render")
