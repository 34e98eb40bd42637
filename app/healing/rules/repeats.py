"""Rules for a second execution in the same scene that raises or makes things again.

The evidence names what the second execution added. Parts of a thing of the scene are looked up by name if the witness
saw the first execution make them; data blocks are marked, and those of the last execution are removed first.
See docs/decisions/0014.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, key_of, keyword
from app.healing.trouble import Addition

_MAKERS: Final = {
    "modifiers": ("new",),
    "constraints": ("new",),
    "vertex_groups": ("new",),
    "shape_keys": ("shape_key_add",),
    "uv_layers": ("new",),
    "color_attributes": ("new",),
    "timeline_markers": ("new",),
    "nodes": ("new",),
    "strips": ("new_effect", "new_image", "new_movie", "new_sound", "new_scene", "new_clip", "new_mask", "new_meta"),
}
"""The functions that add to the lists of a thing."""
_STRIPS: Final = ("strips", "sequences")
_OPERATORS: Final = {
    "object.modifier_add": "modifiers",
    "object.constraint_add": "constraints",
    "object.vertex_group_add": "vertex_groups",
}
_STARTS_ANEW: Final = ("wm.read_factory_settings", "wm.read_homefile", "wm.open_mainfile")
_KEPT: Final = frozenset({"scenes", "shape_keys", "texts"})
"""Data blocks that are not removed: a scene may be the visible one, and shape keys go with their owner."""
_FREE_SLOTS: Final = """\
for one in [*bpy.data.meshes, *bpy.data.curves]:
    for index, material in reversed([*enumerate(one.materials)]):
        if material and material.get(made_by_this):
            one.materials.pop(index=index)
"""
"""A removed material leaves its slot; on data that was there before, the slot is removed too."""
_LINKED: Final = re.compile(r"already in (?:the )?(?:scene )?collection")


@rule("a second run links an object where it is linked already", repeat=True)
def linked_again(sight: Sight) -> Iterator[TreeEdit]:
    raised = sight.repetition.raised if sight.repetition else None
    for call in sight.all(cst.Call) if raised and _LINKED.search(raised.message) else ():
        function, statement = call.func, sight.alone(call)
        if not isinstance(function, cst.Attribute) or function.attr.value != "link" or len(call.args) != 1:
            continue
        things, thing = sight.code(function.value), sight.code(call.args[0].value)
        at_line = raised is not None and sight.line(call) == raised.line
        if at_line and statement and "(" not in things and "(" not in thing:
            source = f"if {thing}.name not in {things}:\n    {sight.code(call)}"
            yield sight.instead(statement, source, reason=f"`{thing}` is linked there already in a second run")


@rule("a second run removes by name what is gone", repeat=True)
def removed_already(sight: Sight) -> Iterator[TreeEdit]:
    raised = sight.repetition.raised if sight.repetition else None
    if raised is None or raised.missing_key is None:
        return
    found = [(subscript, changes) for subscript in sight.all(cst.Subscript) if (changes := _removal(sight, subscript))]
    # If one of them is gone, so are the others.
    if any(sight.line(place) == raised.line and raised.missing_key in sight.code(place) for place, _ in found):
        for _, changes in found:
            yield from changes


def _removal(sight: Sight, subscript: cst.Subscript) -> list[TreeEdit]:
    """The changes that remove this thing only if it exists; empty if the thing has other uses."""
    index, statement = key_of(subscript), sight.statement(subscript)
    key = sight.text_of(index) if index else None
    if key is None or statement is None or index is None:
        return []
    things, name, reason = sight.code(subscript.value), sight.code(index), f"{key!r} is gone in a second run"
    if _removes(sight, statement, things):
        return [sight.instead(statement, f"if {name} in {things}:\n    {sight.code(statement)}", reason=reason)]
    if not isinstance(statement, cst.Assign) or statement.value is not subscript or len(statement.targets) != 1:
        return []
    target = statement.targets[0].target
    uses = [name for name in sight.all(cst.Name) if isinstance(target, cst.Name) and name.value == target.value]
    removal = sight.statement(uses[-1]) if len(uses) == 2 else None
    if removal is None or not _removes(sight, removal, things):
        return []
    guarded = f"if {sight.code(uses[-1])}:\n    {sight.code(removal)}"
    return [
        sight.replace(subscript, f"{things}.get({name})", reason),
        sight.instead(removal, guarded, reason=reason),
    ]


def _removes(sight: Sight, statement: cst.BaseSmallStatement, things: str) -> bool:
    call = statement.value if isinstance(statement, cst.Expr) else None
    return isinstance(call, cst.Call) and sight.code(call.func) == f"{things}.remove"


@rule(
    "a second run adds a modifier, constraint, vertex group, shape key, layer, marker, node ... to what was there",
    repeat=True,
)
def added_again(sight: Sight) -> Iterator[TreeEdit]:
    for kind in _MAKERS:
        added = sight.repetition.added if sight.repetition else ()
        rows = [addition for addition in added if addition.of and addition.kind == kind]
        made = [name for row in rows for name in row.first]
        calls = _calls(sight, kind) if rows else {}
        # A thing without a given name has the name that the witness saw: the first call made the first of them.
        seen = made if len(calls) == len(made) else [None] * len(calls)
        owners = ", ".join(dict.fromkeys(row.of for row in rows))
        for (call, things), got in zip(calls.items(), seen, strict=True):
            name = _name(sight, call, kind, made, got)
            if name:
                reason = f"a second run would add it to {owners} again: it is looked for by its name"
                yield _look_up_first(sight, call, things, name, reason)


def _calls(sight: Sight, kind: str) -> dict[cst.Call, str]:
    """The calls that add to a list of this kind, each with the source of that list."""
    found: dict[cst.Call, str] = {}
    for call in sight.all(cst.Call):
        if _OPERATORS.get(sight.operator(call)) == kind:
            found[call] = f"bpy.context.object.{kind}"
        function = call.func
        if not isinstance(function, cst.Attribute) or function.attr.value not in _MAKERS[kind]:
            continue
        things = sight.code(function.value)
        if kind == "shape_keys" and "(" not in things and not sight.operator(call):
            found[call] = f"{things}.data.shape_keys"
        last = things.rpartition(".")[2]
        if "(" not in things and (last == kind or (kind == "strips" and last in _STRIPS)):
            found[call] = things
    return found


def _name(sight: Sight, call: cst.Call, kind: str, made: Sequence[str], got: str | None) -> str:
    """The source of the name that finds the made thing again, or an empty string."""
    named = keyword(call, "name")
    first = call.args[0] if call.args and call.args[0].keyword is None and not call.args[0].star else None
    given = named or (first if kind not in {"constraints", "nodes"} else None)
    if given is not None and not sight.operator(call):
        text = sight.text_of(given.value)
        if text is None:
            return sight.code(given.value) if isinstance(given.value, cst.Name | cst.FormattedString) else ""
        return sight.code(given.value) if text in made else ""
    return f'"{got}"' if got and not set(got) & {'"', "\\"} else ""


def _look_up_first(sight: Sight, call: cst.Call, things: str, name: str, reason: str) -> TreeEdit:
    statement, source = sight.alone(call), sight.code(call)
    there = ""
    if things.endswith(".shape_keys"):
        # `shape_keys` is None until there is a shape key.
        there, things = f"{things} and ", f"{things}.key_blocks"
    if statement:
        test = f"not ({there}{name} in {things})" if there else f"{name} not in {things}"
        return sight.instead(statement, f"if {test}:\n    {source}", reason=reason)
    found = f"({there}{things}.get({name})) or {source}" if there else f"{things}.get({name}) or {source}"
    return sight.replace(call, found if isinstance(sight.parent(call), cst.Assign) else f"({found})", reason)


@rule("a second run makes objects, meshes, materials ... again: those of the last run are removed first", repeat=True)
def made_again(sight: Sight) -> Iterator[TreeEdit]:
    blocks = [addition for addition in sight.repetition.added if not addition.of] if sight.repetition else []
    if not blocks or any(block.kind in _KEPT for block in blocks) or "made_by_this" in sight.text:
        return
    if any(name in _STARTS_ANEW for name, _ in sight.operator_calls()):
        return
    slots = sight.repetition and any(
        addition.of and addition.kind == "materials" for addition in sight.repetition.added
    )
    mark = hashlib.sha256(sight.text.encode()).hexdigest()[:8]
    opening = (
        "# What the last run of this script made is removed, so that it can be run again. Nothing else is marked.\n"
        f'made_by_this = "made_by_{mark}"\n'
        f"{_FREE_SLOTS if slots else ''}"
        "bpy.data.batch_remove([one for one in bpy.data.user_map() if one.get(made_by_this)])\n"
        "there_before = {one.as_pointer() for one in bpy.data.user_map()}\n"
    )
    closing = (
        "for one in bpy.data.user_map():\n"
        "    if one.as_pointer() not in there_before and not one.library:\n"
        "        one[made_by_this] = True\n"
    )
    reason = (
        f"a second run makes {_quote(blocks)} again: what it makes is marked, and what the last run made is removed"
    )
    new_import = "" if _imports_bpy(sight) else "import bpy"
    yield TreeEdit(reason, sight.module, new_import=new_import, opening=opening, closing=closing)


def _quote(blocks: Sequence[Addition]) -> str:
    names = [f'"{name}"' for block in blocks for name in block.first or block.names]
    known = list(dict.fromkeys(names))
    return ", ".join(known[:4]) + (f" and {len(known) - 4} more" if len(known) > 4 else "")


def _imports_bpy(sight: Sight) -> bool:
    """True if a statement at the top level binds `bpy`."""
    for line in sight.module.body:
        for part in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(part, cst.Import) and any(sight.code(alias.name) == "bpy" for alias in part.names):
                return all(alias.asname is None for alias in part.names if sight.code(alias.name) == "bpy")
    return False
