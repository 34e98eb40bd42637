"""Something missing in the scene that the snippet assumes: data by name, a selection, an active object."""

from __future__ import annotations

import ast
import re
from typing import Final

from harness.triage.editors import (
    ACTIVE_OBJECT,
    COLLECTIONS,
    KIND_OF_DATA,
    KIND_OF_MEMBER,
    KIND_OF_MODE,
    MODE_OF_OPERATORS,
    NONE_SOURCES,
    OLD_DEFAULT_NAMES,
    ROOTED_IN_SCENE,
    NamedCollection,
)
from harness.triage.failure import RunFailure
from harness.triage.said import SCENE, own_words, quoted_names
from harness.triage.statement import quoted

_ASKED_FOR_ACTIVE: Final = r"\bcontext\.(?:active_|edit_)?object\b|\bobjects\.active\b|\bselected_objects\b"
_SELECTED: Final = r"bpy\.context\.(?:view_layer\.objects\.)?selected_?(?:editable_)?(?:pose_)?(?:objects|bones|\w+)"
# Nodes and sockets are renamed so often that a missing one is drift.
_NODES: Final = re.compile(r"\bnodes?\b(?! group)|socket|shader|bsdf|\binput\b|\boutput\b", re.IGNORECASE)


def missing_scene(failure: RunFailure) -> str | None:
    """The need of the scene."""
    return (
        _absent_key(failure)
        or _absent_index(failure)
        or _absent_value(failure)
        or _never_found(failure)
        or _wrong_active_object(failure)
        or _asserted_kind(failure)
        or _wrong_mode(failure)
        or _nothing_selected(failure)
        or _custom_property(failure)
        or _own_words(failure)
    )


def _absent_key(failure: RunFailure) -> str | None:
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


def _absent_index(failure: RunFailure) -> str | None:
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
    """The thing that an expression takes the first of, after it filtered or listed all of them."""
    filtered = re.search(r"\bin (?:bpy\.data|bpy\.context(?:\.scene)?|context\.scene)\.(\w+) if (.+?)[\])]", text)
    if filtered:
        kind = KIND_OF_DATA.get(filtered[1], filtered[1].removesuffix("s").replace("_", " "))
        return f"{_a(kind)} for which {filtered[2]}"
    listed = re.search(r"list\(bpy\.data\.(\w+)\)\[", text)
    return _a(KIND_OF_DATA[listed[1]]) if listed and listed[1] in KIND_OF_DATA else None


def _absent_value(failure: RunFailure) -> str | None:
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


def _never_found(failure: RunFailure) -> str | None:
    """The thing that a loop over the scene looks for and does not find."""
    for name in failure.never_assigned():
        sought = failure.place.sought_in_loop(name)
        collection = _collection(sought[0]) if sought else None
        if sought and re.fullmatch(_SELECTED, sought[0]):
            return _unless_it_makes_objects(failure, f"a selected object for which {sought[1]}")
        if sought and collection:
            return _unless_it_makes_objects(failure, f"{_a(collection.kind)} for which {sought[1]}")
    return None


def _wrong_active_object(failure: RunFailure) -> str | None:
    """The active object, or one that was looked up, if it is of another kind than the snippet assumes."""
    mode = re.search(r'enum "(\w+)" not found in \(\'OBJECT\'', failure.message)
    kind = next((kind for form, kind in KIND_OF_MODE if mode and re.fullmatch(form, mode[1])), None)
    if kind:
        return _unless_it_makes_objects(failure, f"{kind} as the active object")
    wanted = re.search(r"expected '(\w+)' type found '(?!NoneType)\w+' instead", failure.message)
    if wanted and any(_data_of(text) == "" for text in failure.place.texts):
        return _unless_it_makes_objects(failure, f"{_a(wanted[1].lower())} as the active object")
    found = re.search(r"'(\w+)' object has no attribute '(\w+)'", failure.message)
    if found is None or found[2] not in KIND_OF_MEMBER or f"a {found[1].lower()}" == KIND_OF_MEMBER[found[2]]:
        return None
    for text in failure.place.texts:
        named = re.fullmatch(rf"bpy\.data\.objects\[('.+?')\]\.data\.{found[2]}", text)
        if named and not _names_itself(failure, named[1].strip("'")):
            return f"{KIND_OF_MEMBER[found[2]]} called {quoted(named[1])}"
        passed = re.fullmatch(rf"[a-z]\w*\.data\.{found[2]}", text) and re.search(
            _ASKED_FOR_ACTIVE, failure.place.snippet
        )
        if _data_of(text) == found[2] or passed:
            return _unless_it_makes_objects(failure, f"{KIND_OF_MEMBER[found[2]]} as the active object")
    return None


def _asserted_kind(failure: RunFailure) -> str | None:
    """`assert ob.type == "CURVE"` of the active object."""
    for node in failure.place.nodes if failure.exception == "AssertionError" else ():
        if isinstance(node, ast.Compare) and re.fullmatch(rf"(?:{ACTIVE_OBJECT})\.type", failure.place.text(node.left)):
            kind = node.comparators[0]
            if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
                return _unless_it_makes_objects(failure, f"{_a(kind.value.lower())} as the active object")
    return None


def _data_of(text: str) -> str | None:
    """The member of the active or selected object's data that a text reads; empty if it is the data itself."""
    found = re.fullmatch(rf"(?:{ACTIVE_OBJECT}|{_SELECTED}\[\d+\])\.data(?:\.(\w+))?", text)
    return (found[1] or "") if found else None


def _wrong_mode(failure: RunFailure) -> str | None:
    """The mode or the selection that an operator or a function asks for, unless the snippet left that mode itself."""
    before = failure.place.before()
    if failure.message == "The mesh must be in editmode":
        return _unless_it_makes_objects(failure, "a mesh in edit mode")
    poll = re.search(r"bpy\.ops\.((\w+)\.\w+)\.poll\(\)", failure.message)
    if poll is None or poll[2] not in MODE_OF_OPERATORS:
        return None
    modes = re.findall(r"mode_set\([^)]*mode\s*=\s*['\"](\w+)", before)
    if modes and (modes[-1] == "OBJECT") != (poll[2] in {"object", "rigidbody"}):
        return None
    return _unless_it_makes_objects(failure, f"{MODE_OF_OPERATORS[poll[2]]} (bpy.ops.{poll[1]})")


def _nothing_selected(failure: RunFailure) -> str | None:
    """An empty selection that the snippet counts or takes the largest of."""
    if failure.exception not in {"ZeroDivisionError", "ValueError", "IndexError"} or not re.search(
        r"division by zero|empty sequence|argument is empty|arg is an empty|index out of range|values to unpack",
        failure.message,
    ):
        return None
    for text in failure.place.texts:
        if found := re.search(rf"{_SELECTED}\b", text):
            what = found[0].removeprefix("bpy.context.").rpartition("_")[2].removesuffix("s")
            if wanted := re.search(r"to unpack \(expected (\d+)", failure.message):
                return _unless_it_makes_objects(failure, f"a selection of {wanted[1]} {what}s")
            return _unless_it_makes_objects(failure, f"a selected {what}")
        if re.search(r"\bin .*\.(?:vertices|verts|polygons|faces|edges|loops) if \w+\.select\b", text):
            return _unless_it_makes_objects(failure, "a selected element of the mesh")
    return _unless_it_makes_objects(failure, _empty_collection(failure))


def _empty_collection(failure: RunFailure) -> str | None:
    """A collection of the scene that the snippet goes through, finds empty, and never fills."""
    if "index" in failure.message:
        return None
    for node in failure.place.nodes:
        if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp):
            listed = re.fullmatch(r"bpy\.(?:context|data)\.[\w.]+", failure.place.text(node.generators[0].iter))
            if listed and not _is_filled(failure, listed[0].rpartition(".")[2]):
                return f"something in `{listed[0]}`"
    return None


def _is_filled(failure: RunFailure, collection: str) -> bool:
    """True if the snippet may put something into a collection of this name."""
    return bool(re.search(rf"\b{collection}\.(?:new\w*|add|append|link|load)", failure.place.snippet))


def _own_words(failure: RunFailure) -> str | None:
    """The thing that the snippet itself misses in the scene by its own words, unless it makes that itself."""
    words = own_words(failure)
    if words is None or _NODES.search(words) or not SCENE.search(words):
        return None
    what = f'something in the scene: it says "{words}"'
    foreign = any(not _names_itself(failure, name) for name in quoted_names(words))
    return what if foreign else _unless_it_makes_objects(failure, what)


def _custom_property(failure: RunFailure) -> str | None:
    found = re.search(r'bpy_struct\[key\]: key "(\w+)" not found', failure.message)
    if found is None or re.search(rf"\.{found[1]}\s*[:=]|\b{found[1]}\s*:", failure.place.snippet):
        return None
    for base, _ in failure.place.subscripts():
        if re.fullmatch(ROOTED_IN_SCENE, base) and found[1] not in {"cycles", "_RNA_UI"}:
            return f'custom property "{found[1]}" on {base}'
    return None


def _collection(text: str) -> NamedCollection | None:
    for collection in COLLECTIONS:
        if re.fullmatch(collection.path, text):
            return collection
    return None


def _fills(failure: RunFailure, collection: NamedCollection) -> bool:
    """True if the snippet added members to this collection before: then its lookup is wrong."""
    return re.search(collection.makers, failure.place.before()) is not None


def _unless_it_makes_objects(failure: RunFailure, what: str | None) -> str | None:
    """`what`, unless the snippet made objects before: then the active object is its own responsibility."""
    making = r"\w_add\(|objects\.new\(|_import\(|\.duplicate\w*\("
    return None if re.search(making, failure.place.before()) else what


def _names_itself(failure: RunFailure, name: str) -> bool:
    """True if the snippet gives this name to something, or adds something with this default name."""
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
