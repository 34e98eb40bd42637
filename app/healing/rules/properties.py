"""Properties by key: those that a script registers, and the inputs of a nodes modifier."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, key_of, keyword

_REGISTERED: Final = re.compile(r"bpy\.types\.(\w+)\.(\w+)")


@rule('5.0: `thing["x"]` was the registered property `x` until 5.0; now it is another one of that name', silent=True)
def registered_by_key(sight: Sight) -> Iterator[TreeEdit]:
    if sight.api.version < (5, 0):
        return
    known = dict(_registrations(sight))
    reason = "since 5.0 a key names a custom property and never a registered one: it is asked for as an attribute"
    for subscript in sight.all(cst.Subscript):
        name = _key(sight, subscript)
        kind = known.get(name, "")
        if not kind or not sight.is_a(subscript.value, kind) or sight.is_guarded(subscript):
            continue
        if _in_its_update(sight, subscript, name):
            continue
        new, parent = f"{sight.code(subscript.value)}.{name}", sight.parent(subscript)
        if isinstance(parent, cst.Del):
            yield sight.instead(parent, f'{sight.code(subscript.value)}.property_unset("{name}")', reason=reason)
        else:
            yield sight.replace(subscript, new, reason)
    late = {name for name, _, call in _registering(sight) if any(map(_is_class, sight.around(call)))}
    for call, owner in sight.methods("get"):
        if not 0 < len(call.args) <= 2:
            continue
        key = call.args[0].value
        name = str(key.evaluated_value) if isinstance(key, cst.SimpleString) else ""
        if name in known and sight.is_a(owner, known[name]) and not sight.is_guarded(call):
            if _in_its_update(sight, call, name):
                continue
            fallback, of = sight.code(call.args[1].value) if len(call.args) == 2 else "None", sight.code(owner)
            late_bound = f'getattr({of}, "{name}", {fallback})'
            if_set = f'({of}.{name} if {of}.is_property_set("{name}") else {fallback})'
            yield sight.replace(call, late_bound if name in late else if_set, reason)


def _is_class(node: cst.CSTNode) -> bool:
    # What an operator registers when it is used may not be there yet.
    return isinstance(node, cst.ClassDef)


def _registrations(sight: Sight) -> Iterator[tuple[str, str]]:
    """Each registered property with its type; an enumeration has other values by key, so it is left out.

    A property with functions to get and set it stores its value by a key of its own choice, today as before.
    """
    for name, of, call in _registering(sight):
        kind = sight.code(call.func).rpartition(".")[2]
        by_key = keyword(call, "get") is None and keyword(call, "set") is None
        if by_key and kind not in {"EnumProperty", "CollectionProperty", "PointerProperty"}:
            yield name, of


def _registering(sight: Sight) -> Iterator[tuple[str, str, cst.Call]]:
    """Each call that registers a property, with the name of the property and its type."""
    for assign in sight.all(cst.Assign):
        found, call = _REGISTERED.fullmatch(sight.code(assign.targets[0].target)), assign.value
        if found and isinstance(call, cst.Call) and sight.code(call.func).endswith("Property"):
            yield found[2], found[1], call


def _in_its_update(sight: Sight, node: cst.CSTNode, name: str) -> bool:
    """True if code runs when this property is set: to set it there as an attribute would never end."""
    calls = [call for registered, _, call in _registering(sight) if registered == name]
    updates = [argument.value for call in calls if (argument := keyword(call, "update"))]
    if any(outer is update for update in updates for outer in sight.around(node)):
        return True
    waiting, reached = [sight.code(update) for update in updates], set[str]()
    while waiting:
        function = waiting.pop()
        if function not in reached:
            reached.add(function)
            inner = ((call, sight.function(call)) for call in sight.all(cst.Call))
            waiting += [sight.code(call.func) for call, around in inner if around and around.name.value == function]
    return any(isinstance(outer, cst.FunctionDef) and outer.name.value in reached for outer in sight.around(node))


def _key(sight: Sight, subscript: cst.Subscript) -> str:
    key = key_of(subscript)
    return str(sight.text_of(key)) if key is not None and sight.text_of(key) else ""


_INPUT: Final = re.compile(r"(?:Input|Output)_(\d+)((?:_use_attribute|_attribute_name)?)")


@rule('4.0: `modifier["Input_2"]`: the sockets of a group that the snippet makes are called `Socket_2`', silent=True)
def input_identifiers(sight: Sight) -> Iterator[TreeEdit]:
    yield from _modifier_inputs(sight)
    makes = "GeometryNodeTree" in sight.text and (".new_socket(" in sight.text or ".inputs.new(" in sight.text)
    if not sight.has("NodeTree", "interface") or not makes:
        return
    reason = "the sockets of a new node group are numbered `Socket_` since 4.0"
    keys = [part for part in sight.all(cst.Subscript) if sight.may_be(part.value, "NodesModifier")]
    for subscript in keys:
        key = key_of(subscript)
        named = isinstance(key, cst.SimpleString) and _INPUT.fullmatch(_key(sight, subscript))
        if key and named and not sight.for_some_blenders(key):
            yield sight.replace(key, _as_socket(sight.code(key)), reason)
    if any(not isinstance(key_of(subscript), cst.SimpleString) for subscript in keys):
        yield from _computed_keys(sight, reason)


_PREFIX: Final = re.compile(r"^([bBfFrRuU]*[\"']*)(?:Input|Output)_")
_MADE_KEY: Final = re.compile(r"(?:Input|Output)_(?:\d+|%[dis]|\{\w*\})?(?:_use_attribute|_attribute_name)?")


def _as_socket(source: str) -> str:
    return _PREFIX.sub(r"\1Socket_", source)


def _computed_keys(sight: Sight, reason: str) -> Iterator[TreeEdit]:
    """`"Input_%d" % i`, `f"Input_{i}"`, `"Input_" + str(i)` and names in tables, which become a key somewhere."""
    plain = [(part, str(part.evaluated_value)) for part in sight.all(cst.SimpleString)]
    formatted = [(made, sight.code(made.parts[0])) for made in sight.all(cst.FormattedString) if made.parts]
    elsewhere = cst.Arg | cst.Expr | cst.ConcatenatedString
    for part, text in [*plain, *formatted]:
        outer = sight.parent(part)
        whole = isinstance(part, cst.SimpleString) and isinstance(outer, cst.Index)
        is_key = not whole and not isinstance(outer, elsewhere) and _MADE_KEY.fullmatch(text)
        if is_key and not sight.for_some_blenders(part):
            yield sight.replace(part, _as_socket(sight.code(part)), reason)


def _modifier_inputs(sight: Sight) -> Iterator[TreeEdit]:
    """`modifier["Socket_2"]`: since 5.2 the inputs of a nodes modifier are `modifier.properties.inputs`."""
    if not sight.has("NodesModifier", "properties"):
        return
    reason = "the inputs of a nodes modifier are its `properties.inputs` since 5.2"
    for subscript in sight.all(cst.Subscript):
        name = key_of(subscript)
        if not sight.may_be(subscript.value, "NodesModifier") or name is None:
            continue
        key, owner = sight.text_of(name), f"{sight.code(subscript.value)}.properties.inputs"
        if key and re.fullmatch(r"Socket_\d+", key):
            yield sight.replace(subscript, f"{owner}.{key}.value", reason)
        elif key is None and not isinstance(name, cst.SimpleString):
            yield sight.replace(subscript, f"getattr({owner}, {sight.code(name)}).value", reason)


_REFUSED: Final = re.compile(r"Cannot assign a '(\w+)' value to the existing '([^']*)' (\w+)(?: \((\w+)\))? IDProperty")
_KINDS: Final = {"Boolean": "bool", "Int": "int", "Float": "float", "String": "str"}


@rule('4.0: `modifier["Socket_2"] = 1` of a Boolean: a value by key keeps its type')
def kept_type(sight: Sight) -> Iterator[TreeEdit]:
    found = _REFUSED.search(sight.trouble.message) if sight.trouble else None
    kind = _KINDS.get(found[3]) if found else None
    for subscript in sight.all(cst.Subscript) if found else ():
        assign = sight.assignment_to(subscript)
        if found is None or assign is None or not sight.fails_at(assign) or sight.is_guarded(subscript):
            continue
        value, source = assign.value, sight.code(assign.value)
        reason = f"the value of this key is {found[3]}{f' ({found[4]})' if found[4] else ''}, and keeps its type"
        if found[3] == "Array" and found[1] in {"tuple", "list"} and isinstance(value, cst.Tuple | cst.List):
            if len(value.elements) == 3:
                numbers = ", ".join(sight.code(element.value) for element in value.elements)
                yield sight.replace(value, f"({numbers}, 1.0)", f"{reason}: a colour has an alpha too")
        elif kind is None or source.startswith(f"{kind}("):
            continue
        elif isinstance(value, cst.Integer | cst.Float) and kind != "str":
            number = value.evaluated_value
            yield sight.replace(value, repr({"bool": bool, "int": int, "float": float}[kind](number)), reason)
        elif _is_one_place(sight, subscript):
            yield sight.replace(value, f"{kind}({source})", reason)
        else:
            place = sight.code(subscript)
            yield sight.replace(value, f"{kind}({source}) if isinstance({place}, {kind}) else {source}", reason)


def _is_one_place(sight: Sight, subscript: cst.Subscript) -> bool:
    """True if the key is the same whenever the line runs."""
    key = key_of(subscript)
    return isinstance(key, cst.SimpleString) or not any(
        isinstance(outer, cst.For | cst.While | cst.FunctionDef) for outer in sight.around(subscript)
    )
