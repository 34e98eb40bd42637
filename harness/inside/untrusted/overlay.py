"""Draw callbacks without a window: they are called while the functions that need a graphics card only pretend.

The drawing is not judged; the callback's use of the scene, of `blf` and of the shaders by name is.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Generator
from typing import Any

import bpy

NEED_A_CARD = (
    "gpu.state", "gpu.matrix", "gpu.shader", "gpu.texture", "gpu.types", "gpu.capabilities", "gpu.platform",
    "gpu_extras.batch", "gpu_extras.presets", "bgl",
)  # fmt: skip
OF_BLF = ("draw", "draw_buffer")


class DrawCallbacks:
    """The draw callbacks that exist: added since `listen`, and not yet removed."""

    def __init__(self) -> None:
        self.added: list[tuple[Callable[..., Any], tuple[Any, ...], Any]] = []

    def listen(self) -> None:
        """Know each draw callback from now on; Blender has no list of them."""
        # Blender makes these classes when they are first asked for.
        for cls in [getattr(bpy.types, name) for name in dir(bpy.types) if re.fullmatch(r"Space\w+", name)]:
            if issubclass(cls, bpy.types.Space):
                cls.draw_handler_add = staticmethod(self._adding(cls.draw_handler_add))
                cls.draw_handler_remove = staticmethod(self._removing(cls.draw_handler_remove))

    def _adding(self, add: Callable[..., Any]) -> Callable[..., Any]:
        def draw_handler_add(callback: Any, args: Any, *where: Any, **keywords: Any) -> Any:
            handle = add(callback, args, *where, **keywords)
            self.added.append((callback, tuple(args), handle))
            return handle

        return draw_handler_add

    def _removing(self, remove: Callable[..., Any]) -> Callable[..., Any]:
        def draw_handler_remove(handle: Any, *where: Any) -> Any:
            self.added = [each for each in self.added if each[2] is not handle]
            return remove(handle, *where)

        return draw_handler_remove


class GraphicsCard:
    """Stands in for the products of a graphics card: it has every member, takes every call and holds nothing.

    An error that names this class is no fault of the snippet's.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_args: Any, **_keywords: Any) -> Any:
        return self

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __iter__(self) -> Any:
        return iter(())

    def __getitem__(self, _place: Any) -> Any:
        return self

    def __len__(self) -> int:
        return 0

    def __int__(self) -> int:
        return 1

    __float__ = __int__


PRETENDED = GraphicsCard()


def from_builtin(name: Any, **_keywords: Any) -> Any:
    """The built-in shader of this name, if there is one; only the name is checked."""
    if not isinstance(name, str) or (bpy.app.version >= (4, 0, 0) and name[:3] in ("2D_", "3D_")):
        raise ValueError(f"gpu.shader.from_builtin(): there is no shader {name!r}")
    return PRETENDED


@contextlib.contextmanager
def pretending(names: dict[str, Any]) -> Generator[None, None, None]:
    """Have the functions that need a card pretend, even under the snippet's own names for them."""
    kept: list[tuple[Any, str, Any]] = []
    replaced: dict[int, Any] = {}
    for module_name in (*NEED_A_CARD, "blf"):
        module = sys.modules.get(module_name)
        for name in [each for each in dir(module) if not each.startswith("_")]:
            value = getattr(module, name)
            if callable(value) and (module_name != "blf" or name in OF_BLF):
                kept.append((module, name, value))
                replaced[id(value)] = from_builtin if name == "from_builtin" else PRETENDED
    own = {name: value for name, value in names.items() if id(value) in replaced}
    try:
        for module, name, value in kept:
            setattr(module, name, replaced[id(value)])
        names.update({name: replaced[id(value)] for name, value in own.items()})
        yield
    finally:
        for module, name, value in kept:
            setattr(module, name, value)
        names.update(own)
