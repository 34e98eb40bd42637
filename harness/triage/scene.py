"""Something missing in the scene that the snippet assumes: data by name, a selection, an active object."""

from __future__ import annotations

import ast
import re

from harness.triage.failure import Failure
from harness.triage.statement import quoted
from harness.triage.tables import (
    ACTIVE_OBJECT,
    COLLECTIONS,
    KIND_OF_DATA,
    KIND_OF_MEMBER,
    NONE_SOURCES,
    OLD_DEFAULT_NAMES,
    ROOTED_IN_SCENE,
    Collection,
)


def missing_scene(failure: Failure) -> str | None:
    """What the scene lacked."""
    return (
        _absent_key(failure)
        or _absent_index(failure)
        or _absent_value(failure)
        or _wrong_active_object(failure)
        or _custom_property(failure)
    )


def _absent_key(failure: Failure) -> str | None:
    """`bpy.data.objects["Rig"]`, unless the snippet gives that name to something itself."""
    found = re.search(r'bpy_prop_collection\[key\]: key "(.*)" not found', failure.message)
    if found is None or found[1] in OLD_DEFAULT_NAMES or _names_itself(failure, found[1]):
        return None
    key = found[1]
    for base, index in failure.place.subscripts():
        if isinstance(index, ast.Constant) and index.value != key:
            continue
        collection = _collection(base)
        if collection and not _fills(failure, collection):
            return f'{collection.kind} "{key}"'
    return None


def _absent_index(failure: Failure) -> str | None:
    """The first item of a list that is empty in this scene."""
    if failure.exception not in {"IndexError", "StopIteration"}:
        return None
    for base, _ in failure.place.subscripts():
        selected = re.fullmatch(r"bpy\.context\.(?:view_layer\.objects\.)?selected_?(\w+)", base)
        if selected:
            return f"a selected {selected[1].removesuffix('s').replace('_', ' ')}"
        collection = _collection(base)
        if collection and not _fills(failure, collection):
            empty = failure.message.endswith("size 0")
            what = _a(collection.kind) if empty else f"a further {collection.kind}"
            return _unless_it_makes_objects(failure, what)
    sought = filter(None, map(_sought, failure.place.texts))
    return _unless_it_makes_objects(failure, next(sought, None))


def _sought(text: str) -> str | None:
    """What an expression takes the first of, after it filtered or listed all of them."""
    filtered = re.search(r"\bin (?:bpy\.data|bpy\.context(?:\.scene)?|context\.scene)\.(\w+) if (.+?)[\])]", text)
    if filtered:
        kind = KIND_OF_DATA.get(filtered[1], filtered[1].removesuffix("s").replace("_", " "))
        return f"{_a(kind)} for which {filtered[2]}"
    listed = re.search(r"list\(bpy\.data\.(\w+)\)\[", text)
    return _a(KIND_OF_DATA[listed[1]]) if listed and listed[1] in KIND_OF_DATA else None


def _absent_value(failure: Failure) -> str | None:
    """Something that is None because the scene lacks it."""
    for text in failure.none_texts():
        got = re.fullmatch(r"(?P<base>.+)\.get\('(?P<key>[^']*)'(?:, None)?\)", text)
        collection = _collection(got["base"]) if got else None
        if got and collection and got["key"] not in OLD_DEFAULT_NAMES:
            made = _names_itself(failure, got["key"]) or _fills(failure, collection)
            return None if made else f'{collection.kind} "{got["key"]}"'
        for pattern, what in NONE_SOURCES:
            found = re.fullmatch(pattern, text)
            if found:
                keys = {name: quoted(key) for name, key in found.groupdict().items()}
                return _unless_it_makes_objects(failure, what.format(**keys))
    return None


def _wrong_active_object(failure: Failure) -> str | None:
    """The active object if it is of another kind than the snippet assumes."""
    if 'enum "POSE" not found in' in failure.message:
        return _unless_it_makes_objects(failure, "an armature as the active object")
    found = re.search(r"object has no attribute '(\w+)'", failure.message)
    if found is None or found[1] not in KIND_OF_MEMBER:
        return None
    data = re.compile(rf"(?:{ACTIVE_OBJECT})\.data\.{found[1]}")
    if not any(data.fullmatch(text) for text in failure.place.texts):
        return None
    return _unless_it_makes_objects(failure, f"{KIND_OF_MEMBER[found[1]]} as the active object")


def _custom_property(failure: Failure) -> str | None:
    found = re.search(r'bpy_struct\[key\]: key "(\w+)" not found', failure.message)
    if found is None or re.search(rf"\.{found[1]}\s*[:=]|\b{found[1]}\s*:", failure.place.snippet):
        return None
    for base, _ in failure.place.subscripts():
        if re.fullmatch(ROOTED_IN_SCENE, base) and found[1] not in {"cycles", "_RNA_UI"}:
            return f'custom property "{found[1]}" on {base}'
    return None


def _collection(text: str) -> Collection | None:
    for collection in COLLECTIONS:
        if re.fullmatch(collection.path, text):
            return collection
    return None


def _fills(failure: Failure, collection: Collection) -> bool:
    """Whether the snippet added members to this collection before: then its lookup is wrong."""
    return re.search(collection.makers, failure.place.before()) is not None


def _unless_it_makes_objects(failure: Failure, what: str | None) -> str | None:
    """`what`, unless the snippet made objects before: then the active object is its own responsibility."""
    making = r"\w_add\(|objects\.new\(|_import\(|\.duplicate\w*\("
    return None if re.search(making, failure.place.before()) else what


def _names_itself(failure: Failure, name: str) -> bool:
    """Whether the snippet gives this name to something, or adds something with this default name."""
    return any(_gives_name(node, name) for node in ast.walk(failure.place.tree))


def _gives_name(node: ast.AST, name: str) -> bool:
    match node:
        case (
            ast.Call(func=ast.Attribute(attr="new"), args=[ast.Constant(value=str(given)), *_])
            | ast.Assign(targets=[ast.Attribute(attr="name")], value=ast.Constant(value=given))
        ):
            return given == name
        case ast.Call(func=ast.Attribute(attr="new"), keywords=keywords):
            return any(
                isinstance(word.value, ast.Constant) and (word.arg, word.value.value) == ("name", name)
                for word in keywords
            )
        case ast.Call(func=ast.Attribute(attr=operator)) if operator.endswith("_add"):
            return name.partition(".")[0].lower().replace(" ", "_") in operator.split("_")
        case _:
            return False


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
