"""Answers, in process one, the parts of acceptance checks that no other process can see: classes, handlers and
properties that the snippet registers, which a .blend does not keep. All of it is a claim.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import bpy

from harness.inside.scene.accept_objects import is_of
from harness.inside.scene.accept_values import fits, items, mismatches_of_values, shown, steps
from harness.inside.scene.settings import plain
from harness.inside.untrusted.addon import all_handlers

SEEN_LIMIT = 300
OWNERS_LIMIT = 200
BASES = {
    "operator": "Operator",
    "panel": "Panel",
    "menu": "Menu",
    "property_group": "PropertyGroup",
    "ui_list": "UIList",
    "node": "Node",
    "preferences": "AddonPreferences",
}

Answer = list[Any]
"""Number of the check, path of the value (empty for the whole check), true if it is met, the value in words, and true
if it was met at the start."""


def answers_here(checks: list[tuple[int, dict[str, Any]]], before: list[Answer] | None = None) -> list[Answer]:
    """The answers of this process to these checks now; a check that the snippet made fail has none."""
    met_before = {(answer[0], answer[1]) for answer in before or () if answer[2]}
    told: list[Answer] = []
    for number, check in checks:
        try:
            answers = list(registration_mismatch(check) if check["check"] == "registered" else registered_values(check))
        except Exception:
            continue
        told += [[number, path, not seen, seen[:SEEN_LIMIT], (number, path) in met_before] for path, seen in answers]
    return told


def registered_values(check: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The path and mismatch of each value that is one of a property registered at run time."""
    owners = owners_of(check)
    for path, wanted in check["values"].items():
        if not any(is_registered(owner, path) for owner in owners):
            continue
        wrong = ["; ".join(mismatches_of_values(owner, {path: wanted}, check["tolerance"])) for owner in owners]
        every = check.get("which") in {"selected", "every"}
        yield path, max(wrong) if every else min(wrong)


def owners_of(check: dict[str, Any]) -> list[Any]:
    """The things that a check may mean."""
    scene, name = bpy.context.scene, check.get("name")
    if check["check"] == "scene":
        return [scene]
    if check["check"] == "data":
        return [block for block in getattr(bpy.data, check["collection"]) if name in (None, block.name)][:OWNERS_LIMIT]
    which = check.get("which")
    one_of_them = {"active": bpy.context.view_layer.objects.active, "camera": scene.camera}
    found = [one_of_them[which]] if which in one_of_them else list(scene.objects)
    return [
        obj
        for obj in found
        if obj is not None
        and name in (None, obj.name)
        and is_of({"type": obj.type}, check)
        and (which != "selected" or obj.select_get())
    ][:OWNERS_LIMIT]


def is_registered(owner: Any, path: str) -> bool:
    """True if a property on the way of this path was registered at run time."""
    holder, done = owner, ""
    for step in steps(path):
        prop = holder.bl_rna.properties.get(step) if hasattr(holder, "bl_rna") else None
        if prop is not None and prop.is_runtime:
            return True
        done += step if step.startswith("[") or not done else f".{step}"
        try:
            holder = owner.path_resolve(done)
        except ValueError:
            return False
    return False


def registration_mismatch(check: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The mismatch of a check on something registered; its path is empty."""
    kind, name = check["kind"], check.get("name", "")
    if kind == "handler":
        event, _, function = name.partition(".")
        known = [handler for _, handlers in all_handlers() for handler in handlers]
        handlers = getattr(bpy.app.handlers, event, []) if event else known
        there = any(function in ("", getattr(each, "__name__", "")) and not is_blenders(each) for each in handlers)
        yield "", "" if there else f"there is no handler {name}".rstrip()
    elif kind == "property":
        owner, _, prop = name.rpartition(".")
        properties = getattr(bpy.types, owner.removeprefix("bpy.types.")).bl_rna.properties
        there = prop in properties and properties[prop].is_runtime
        yield "", "" if there else f"no property {name} is registered"
    else:
        classes = [cls for cls in below(getattr(bpy.types, BASES[kind])) if is_called(cls, name)]
        wrong = ["; ".join(mismatches_of_class(cls, check["values"])) for cls in classes]
        yield "", min(wrong) if wrong else f"no {kind} {name}".rstrip() + " is registered"


def below(base: Any) -> Iterator[Any]:
    """The registered classes below a class."""
    for cls in base.__subclasses__():
        if getattr(cls, "is_registered", False):
            yield cls
        yield from below(cls)


def is_blenders(thing: Any) -> bool:
    """True if a class or function is one of the scripts that come with Blender."""
    module = getattr(thing, "__module__", "")
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return module == "bpy.types" or file.startswith(bpy.utils.system_resource("SCRIPTS"))


def is_called(cls: Any, name: str) -> bool:
    """True if a class has this name, or this `bl_idname` in either form: `mesh.add_tower` is `MESH_OT_add_tower`.

    Without a name it is any class that is not Blender's own.
    """
    if not name:
        return not is_blenders(cls)
    head, dot, tail = name.partition(".")
    names = {name, f"{head.upper()}_OT_{tail}" if dot else name}
    return bool(names & {cls.__name__, getattr(cls, "bl_idname", ""), cls.bl_rna.identifier})


def mismatches_of_class(cls: Any, values: dict[str, Any]) -> list[str]:
    wrong: list[str] = []
    for name, wanted in values.items():
        seen = plain(getattr(cls, name, None))
        if not fits(seen, sorted(items(wanted)) if isinstance(wanted, list) else wanted, 0.001):
            wrong.append(f"its {name} is {shown(seen)}, not {shown(wanted)}")
    return wrong
