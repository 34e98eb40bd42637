"""Registrations of a snippet, and those that remain after `unregister`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import bpy

BASES = (
    "Operator", "Panel", "Menu", "Header", "PropertyGroup", "AddonPreferences", "UIList", "Node", "NodeSocket",
    "NodeTree", "Gizmo", "GizmoGroup", "KeyingSetInfo", "RenderEngine", "FileHandler", "Macro", "AssetShelf",
)  # fmt: skip
DRAWN = ("Panel", "Menu", "Header")


class Registrations:
    """The registrations of a moment: classes, handlers, entries in menus, properties of Blender's types, keymap items.

    Each has a key that tells it from all others, and its kind, its name and the thing itself.
    """

    def __init__(self) -> None:
        self.things: dict[Any, tuple[str, str, Any]] = {}
        for kind, cls in registered_classes():
            self.things[id(cls)] = (kind, cls.__name__, cls)
            for function in entries(cls) if kind in DRAWN else ():
                self.things[id(cls), id(function)] = (f"entry of {cls.__name__}", name_of(function), (cls, function))
        for name, handlers in all_handlers():
            for handler in handlers:
                self.things[name, id(handler)] = (f"{name} handler", name_of(handler), (handlers, handler))
        for cls in properties_owners():
            for known in cls.bl_rna.properties:
                if known.is_runtime:
                    name = f"{cls.__name__}.{known.identifier}"
                    self.things[name] = ("property", name, (cls, known.identifier))
        keyconfig = bpy.context.window_manager.keyconfigs.addon
        for keymap in keyconfig.keymaps if keyconfig else ():
            for item in keymap.keymap_items:
                self.things[keymap.name, item.idname, item.id] = ("keymap item", item.idname, (keymap, item))

    def beyond(self, before: Registrations) -> list[tuple[str, str, Any]]:
        """The registrations here that were not there before, as kind, name and the thing."""
        return [thing for key, thing in self.things.items() if key not in before.things]


def registered_classes() -> Iterator[tuple[str, Any]]:
    """The registered classes of Python with the name of Blender's class that they derive from."""
    for kind in BASES:
        base = getattr(bpy.types, kind, None)
        seen: set[int] = set()
        waiting = list(base.__subclasses__()) if base else []
        while waiting:
            cls = waiting.pop()
            if id(cls) in seen:
                continue
            seen.add(id(cls))
            waiting += cls.__subclasses__()
            # Blender makes classes of its own types when they are first asked for.
            if getattr(cls, "is_registered", False) and cls.__module__ != "bpy.types":
                yield kind, cls


def entries(cls: Any) -> list[Any]:
    """The functions that were appended to a menu, panel or header; the first of all is its own."""
    functions = getattr(getattr(cls, "draw", None), "_draw_funcs", ())
    return [function for function in functions if not str(function.__module__).startswith("bl_ui")]


def all_handlers() -> Iterator[tuple[str, list[Any]]]:
    for name in dir(bpy.app.handlers):
        handlers = getattr(bpy.app.handlers, name)
        if isinstance(handlers, list):
            yield name, handlers


def properties_owners() -> Iterator[Any]:
    """The types of Blender that add-ons give properties to."""
    yield from bpy.types.ID.__subclasses__()
    for name in ("Bone", "EditBone", "PoseBone", "Node", "NodeSocket", "NodeTree", "Light", "Texture", "Curve"):
        yield getattr(bpy.types, name)


def hear_timers(timers: list[Any]) -> None:
    """Note each timer that is registered from now on, as often as it is: Blender has no list of them."""
    register = bpy.app.timers.register

    def registering(function: Any, *args: Any, **keywords: Any) -> Any:
        timers.append(function)
        return register(function, *args, **keywords)

    bpy.app.timers.register = registering


def name_of(function: Any) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def first_line(function: Any) -> int:
    """The first line of a function's code, or of the function of a `partial`; 0 if it has none."""
    code = getattr(getattr(function, "func", function), "__code__", None)
    return int(code.co_firstlineno) if code else 0


def remove(things: list[tuple[str, str, Any]]) -> None:
    """Remove all of it, properties before the classes that they are made of."""
    for kind, _, thing in sorted(things, key=lambda each: isinstance(each[2], type)):
        with contextlib.suppress(Exception):
            if kind == "property":
                delattr(*thing)
            elif kind.startswith("entry of ") or kind.endswith(" handler"):
                thing[0].remove(thing[1])
            elif kind == "keymap item":
                thing[0].keymap_items.remove(thing[1])
            elif isinstance(thing, type):
                bpy.utils.unregister_class(thing)
