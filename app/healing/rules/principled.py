"""The inputs of the Principled BSDF, which have other names, numbers and defaults since 4.0."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.rules.nodes import PRINCIPLED, has_socket, makes_sockets, node_of, sockets_by_name
from app.healing.sight import Sight, key_of

_TINTS: Final = ("Specular Tint", "Sheen Tint")
"""Inputs of the Principled BSDF that were a share of the base colour and are a colour now."""
_BEFORE_4: Final = (
    *("Base Color", "Subsurface", "Subsurface Radius", "Subsurface Color", "Subsurface IOR", "Subsurface Anisotropy"),
    *("Metallic", "Specular", "Specular Tint", "Roughness", "Anisotropic", "Anisotropic Rotation", "Sheen"),
    *("Sheen Tint", "Clearcoat", "Clearcoat Roughness", "IOR", "Transmission", "Transmission Roughness", "Emission"),
    *("Emission Strength", "Alpha", "Normal", "Clearcoat Normal", "Tangent"),
)
_BEFORE_3: Final = tuple(name for name in _BEFORE_4 if name not in {"Subsurface IOR", "Subsurface Anisotropy"})
_NUMBERED: Final = {_BEFORE_4.index("Emission"): _BEFORE_4, _BEFORE_3.index("Emission"): _BEFORE_3}
"""The inputs in order, by the number of the emission colour."""


def _new_names(sight: Sight) -> dict[str, str]:
    """The new name of each input that had another one; an empty one for inputs without a counterpart."""
    rows = sight.book.rows
    return {name: rows[_ADDRESS.format(name)].becomes for name in _BEFORE_4 if _ADDRESS.format(name) in rows}


_ADDRESS: Final = f"bpy.types.{PRINCIPLED}.inputs['{{}}']"


@rule("4.0: inputs of the Principled BSDF: `Emission`, `Specular`, `Subsurface`, `Clearcoat` ...")
def principled_sockets(sight: Sight) -> Iterator[TreeEdit]:
    node = PRINCIPLED
    renamed = _new_names(sight)
    for key, name, owner in sockets_by_name(sight, "inputs"):
        new = renamed.get(name)
        if not new or not has_socket(sight, node, new) or has_socket(sight, node, name):
            continue
        if _is_principled(sight, key, name, owner):
            yield sight.replace(key, f'"{new}"', f"the input {name!r} of the Principled BSDF is {new!r} since 4.0")
    yield from _in_table(sight, node)
    yield from _by_variable(sight, node)


def _is_principled(sight: Sight, key: cst.SimpleString, name: str, owner: str) -> bool:
    """True if an input is that of a Principled BSDF: by its node, by the exception, or as no other node has it."""
    if owner:
        return owner == PRINCIPLED
    if sight.trouble is not None and sight.trouble.missing_key == name and sight.fails_at(key):
        return True
    others = (known for bl_idname, known in sight.manifest.nodes.items() if bl_idname != PRINCIPLED)
    is_another = any(socket.name == name for known in others for socket in known.inputs)
    return "rincipled" in sight.text and "NodeGroup" not in sight.text and not is_another and not makes_sockets(sight)


def _in_table(sight: Sight, node: str) -> Iterator[TreeEdit]:
    """A name that reaches `inputs[name]` from a table: the one string in the snippet with that name."""
    name, renamed = sight.trouble.missing_key if sight.trouble else None, _new_names(sight)
    if name not in renamed or not has_socket(sight, node, renamed[name]):
        return
    # One name of the table is old, so all of them are.
    tables = {sight.statement(text) for text in sight.all(cst.SimpleString) if text.evaluated_value == name}
    if any(sight.fails_at(key) for key, _, _ in sockets_by_name(sight)) or makes_sockets(sight):
        return
    for text in sight.all(cst.SimpleString):
        old = text.evaluated_value
        new = renamed.get(old) if isinstance(old, str) else None
        is_key = isinstance(sight.parent(text), cst.DictElement | cst.Element | cst.Arg)
        if new and is_key and sight.statement(text) in tables - {None} and not has_socket(sight, node, str(old)):
            yield sight.replace(text, f'"{new}"', f"the input {old!r} of the Principled BSDF is {new!r} since 4.0")


def _by_variable(sight: Sight, node: str) -> Iterator[TreeEdit]:
    """`inputs[name]` with a computed name: the new name is looked up at that place."""
    name, renamed = sight.trouble.missing_key if sight.trouble else None, _new_names(sight)
    if name not in renamed or makes_sockets(sight) or not has_socket(sight, node, "Coat Weight"):
        return
    new = renamed[name]
    for subscript in sight.all(cst.Subscript):
        key, statement = key_of(subscript), sight.statement(subscript)
        if not sight.fails_at(subscript) or not sight.code(subscript.value).endswith("inputs") or key is None:
            continue
        if isinstance(key, cst.SimpleString | cst.Integer) or not statement or sight.statement(key) is not statement:
            continue
        source = sight.code(key)
        if new and ".get(" not in source:
            table = ", ".join(f'"{old}": "{now}"' for old, now in renamed.items() if now)
            reason = f"inputs of the Principled BSDF such as {name!r} have another name since 4.0"
            yield sight.replace(key, f"{{{table}}}.get({source}, {source})", reason)
        elif not new and isinstance(statement, cst.Assign) and f" in {sight.code(subscript.value)}" not in sight.text:
            test = f"if {source} in {sight.code(subscript.value)}:\n    {sight.code(statement)}"
            yield sight.instead(statement, test, reason=f"the input {name!r} of the Principled BSDF is gone since 4.0")
        return


@rule("4.0: inputs of the Principled BSDF that are gone, or a colour: `Sheen Tint`")
def gone_inputs(sight: Sight) -> Iterator[TreeEdit]:
    node, renamed = PRINCIPLED, _new_names(sight)
    for key, name, owner in sockets_by_name(sight, "inputs"):
        subscript = sight.parent(sight.parent(sight.parent(key)))
        value = sight.parent(subscript) if isinstance(subscript, cst.Subscript) else None
        assign = sight.assignment_to(value) if isinstance(value, cst.Attribute) else None
        if assign is None or not isinstance(subscript, cst.Subscript) or makes_sockets(sight):
            continue
        if (
            not _is_principled(sight, key, name, owner)
            or not isinstance(value, cst.Attribute)
            or value.attr.value != "default_value"
        ):
            continue
        if renamed.get(name) == "" and not has_socket(sight, node, name):
            yield sight.instead(assign, reason=f"the input {name!r} of the Principled BSDF is gone since 4.0")
        elif name in _TINTS and _is_colour(sight, node, name) and isinstance(assign.value, cst.Integer | cst.Float):
            share, base = sight.code(assign.value), f'{sight.code(subscript.value)}["Base Color"].default_value'
            colour = (
                f"[1 - {share} * (1 - part) for part in {base}]"
                if assign.value.evaluated_value
                else "(1.0, 1.0, 1.0, 1.0)"
            )
            reason = f"the input {name!r} of the Principled BSDF is a colour since 4.0: white up to the base colour"
            yield sight.replace(assign.value, colour, reason)


def _is_colour(sight: Sight, node: str, name: str) -> bool:
    return any(socket.name == name and socket.type == "NodeSocketColor" for socket in sight.manifest.nodes[node].inputs)


@rule("4.0: `principled.inputs[7] ...  # roughness`, where a comment names the input that had the number", silent=True)
def commented_numbers(sight: Sight) -> Iterator[TreeEdit]:
    if not has_socket(sight, PRINCIPLED, "Coat Weight") or not re.search(r"rincipled|nodes\[0\]", sight.text):
        return
    today = [socket.name for socket in sight.manifest.nodes[PRINCIPLED].inputs]
    places = [place for place in _numbers_used(sight, {PRINCIPLED, ""}) if place[1] < len(_BEFORE_4)]
    told = {place: _comment_at(sight, place) for place, _ in places}
    for names in (_BEFORE_3, _BEFORE_4):
        agree = {place for place, number in places if number < len(names) and _says(told[place], names[number])}
        other = {place for place, number in places if _says(told[place], today[number])}
        owners = {sight.code(place.value) for place in agree}
        if agree - other and not other - agree:
            mine = [place for place in places if sight.code(place[0].value) in owners]
            yield from _with_names(sight, mine, names)
            return


def _comment_at(sight: Sight, node: cst.CSTNode) -> str:
    """The letters of the comment beside a line, or of one on a line of its own just above."""
    lines = sight.text.splitlines()
    own, above = lines[sight.line(node) - 1], lines[sight.line(node) - 2].strip()
    said = own.partition("#")[2] or (above if above.startswith("#") else "")
    return _letters(said)


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalpha())


def _says(comment: str, name: str) -> bool:
    """True if the letters of a comment name an input, with a typing error at most."""
    letters = _letters(name)
    return letters in comment or bool(get_close_matches(letters, [comment], 1, 0.9))


@rule("4.0: `principled.inputs[17]`, where it fails as a number of before 4.0")
def numbered_inputs(sight: Sight) -> Iterator[TreeEdit]:
    node = PRINCIPLED
    said = sight.trouble.message if sight.trouble else ""
    if not has_socket(sight, node, "Coat Weight") or not ("sequence" in said or "float" in said):
        return
    places = _numbers_used(sight, {node, ""})
    failed = {sight.code(place.value) for place, _ in places if sight.fails_at(place)}
    places = [
        place
        for place in places
        if node_of(sight, cst.ensure_type(place[0].value, cst.Attribute)) or sight.code(place[0].value) in failed
    ]
    coloured = {number for subscript, number in places if _takes_colour(sight, subscript)}
    names = next((names for number, names in _NUMBERED.items() if number in coloured), ())
    names = names or _likely_names({number for place, number in places if not _takes_colour(sight, place)})
    if not names or not any(sight.fails_at(place) for place, _ in places):
        return
    yield from _with_names(sight, places, names)


_OFTEN_SET: Final = frozenset(
    {"Metallic", "Specular", "Roughness", "Transmission", "IOR", "Alpha", "Emission Strength"}
)


def _likely_names(numbers: set[int]) -> tuple[str, ...]:
    """The inputs in the order in which more of these numbers are inputs that are often set; empty if none is ahead."""
    before_3, before_4 = (
        sum(number < len(names) and names[number] in _OFTEN_SET for number in numbers)
        for names in (_BEFORE_3, _BEFORE_4)
    )
    return () if before_3 == before_4 else _BEFORE_3 if before_3 > before_4 else _BEFORE_4


@rule("`principled.inputs[4]` of a script from before 3.0, which sets something else today", silent=True, before=(3, 0))
def numbers_before_3(sight: Sight) -> Iterator[TreeEdit]:
    if has_socket(sight, PRINCIPLED, "Coat Weight"):
        # Emission got its strength within these years, so that later numbers are not sure.
        places = [place for place in _numbers_used(sight, {PRINCIPLED}) if place[1] <= _BEFORE_3.index("Emission")]
        yield from _with_names(sight, places, _BEFORE_3)


def _numbers_used(sight: Sight, nodes: set[str]) -> list[tuple[cst.Subscript, int]]:
    """Every `inputs[7]` of such a node; an empty name stands for a node that is not known."""
    places: list[tuple[cst.Subscript, int]] = []
    for subscript in sight.all(cst.Subscript):
        number, sockets = key_of(subscript), subscript.value
        if not isinstance(sockets, cst.Attribute) or sockets.attr.value != "inputs":
            continue
        if isinstance(number, cst.Integer) and node_of(sight, sockets) in nodes and not sight.is_guarded(sockets):
            places.append((subscript, number.evaluated_value))
    return places


def _with_names(sight: Sight, places: list[tuple[cst.Subscript, int]], names: tuple[str, ...]) -> Iterator[TreeEdit]:
    """The names of numbered inputs of the Principled BSDF."""
    node, renamed = PRINCIPLED, _new_names(sight)
    for subscript, number in places:
        old = names[number] if number < len(names) else ""
        new, statement = renamed.get(old, old), sight.statement(subscript)
        reason = f"input {number} of the Principled BSDF was {old!r} before 4.0"
        if has_socket(sight, node, new):
            yield sight.replace(subscript, f'{sight.code(subscript.value)}["{new}"]', reason)
        elif old and isinstance(statement, cst.Assign):
            yield sight.instead(statement, reason=f"{reason}, which is gone")


def _takes_colour(sight: Sight, subscript: cst.Subscript) -> bool:
    value = sight.parent(subscript)
    assign = sight.assignment_to(value) if isinstance(value, cst.Attribute) else None
    return assign is not None and isinstance(assign.value, cst.Tuple | cst.List) and len(assign.value.elements) == 4


@rule("4.0: an emission colour without a strength gives no light", silent=True)
def emission_strength(sight: Sight) -> Iterator[TreeEdit]:
    if not has_socket(sight, PRINCIPLED, "Emission Color") or "Emission Strength" in sight.text:
        return
    for key, name, owner in sockets_by_name(sight, "inputs"):
        socket = sight.parent(sight.parent(sight.parent(key)))
        ours = name == "Emission Color" and owner in {"", PRINCIPLED}
        if not ours or not isinstance(socket, cst.Subscript):
            continue
        if statement := _colours(sight, socket):
            setting = f'{sight.code(socket.value)}["Emission Strength"].default_value = 1.0'
            reason = "the Principled BSDF has no emission strength by default since 4.0: a colour alone gives no light"
            yield sight.after(statement, setting, reason=reason)


def _colours(sight: Sight, socket: cst.Subscript) -> cst.BaseSmallStatement | None:
    """The statement that gives a socket a colour other than black, or a link."""
    used = sight.parent(socket)
    if isinstance(used, cst.Attribute) and used.attr.value == "default_value":
        assign = sight.assignment_to(used)
        return assign if assign and not _is_black(sight, assign.value) else None
    call = sight.parent(used) if isinstance(used, cst.Arg) else None
    if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.attr.value == "new":
        return sight.statement(call)
    return None


def _is_black(sight: Sight, value: cst.BaseExpression) -> bool:
    return sight.code(value).replace(" ", "") in {"(0,0,0,1)", "(0.0,0.0,0.0,1.0)", "(0,0,0,0)"}
