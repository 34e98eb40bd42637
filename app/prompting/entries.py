"""Writes entries of the API of a build, as short as a writer of code can use them.

width: FLOAT, at least 0, default 0.1        ─> width: float >= 0 = 0.1
ObjectModifiers.new, with its parameters     ─> new(name, type) -> Modifier
a node                                       ─> inputs: Vector, Scale=5, Detail=2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from ingest.dumped import VECTORS, python_symbol, signature
from ingest.manifest import ApiModule, Manifest, NodeType, Operator, Property, PythonMember, RnaFunction, Socket
from ingest.symbol import Item
from ingest.ways import Ways, WayStep
from search.stems import stems

ITEMS_LENGTH: Final = 80
"""Characters of the items of an enumeration; of a longer one, those that the request names go first."""
LISTED: Final = 40
"""An optional argument with more items than this, such as an icon, is not worth a list."""
ARGUMENTS_LENGTH: Final = 320
"""Characters from which the arguments of an operator that the request does not name are left out."""
UNLIMITED: Final = 1e4
"""No script meets a limit that is larger."""
LONGEST_DEFAULT: Final = 4
WORDS: Final = {"INT": "int", "FLOAT": "float", "BOOLEAN": "bool", "STRING": "str", "ENUM": "enum"}
MADE_BY: Final = {
    "modifiers": "Object.modifiers.new(name, '{}')",
    "constraints": "constraints.new('{}') of an Object or PoseBone",
    "lights": "bpy.data.lights.new(name, '{}')",
    "textures": "bpy.data.textures.new(name, '{}')",
}
"""The code that makes an instance of a class, by the family of the string that names it."""
MADE_BY_CALL: Final = {
    "Object.field": "None until bpy.ops.object.forcefield_toggle()",
    "Object.rigid_body": "None until bpy.ops.rigidbody.object_add()",
    "Object.rigid_body_constraint": "None until bpy.ops.rigidbody.constraint_add()",
    "Object.collision": "None until modifiers.new(name, 'COLLISION')",
    "Object.soft_body": "None until modifiers.new(name, 'SOFT_BODY')",
    "Scene.rigidbody_world": "None until bpy.ops.rigidbody.world_add()",
    "Scene.sequence_editor": "None until sequence_editor_create()",
}
"""Pointers that hold nothing in a new scene or object, and the call that fills each."""
ALWAYS_SHOWN: Final = frozenset({"filepath", "type"})


class Entries:
    """The entries of one build, written for a request."""

    def __init__(self, ways: Ways, request: str) -> None:
        self.ways = ways
        self.manifest: Final[Manifest] = ways.manifest
        self._said = frozenset(stems(request))

    def member(self, owner: str, name: str) -> str:
        """The line of a member of a type, or an empty text if there is none."""
        declared = self.manifest.types[owner]
        if name in declared.properties:
            prop = declared.properties[name]
            if later := MADE_BY_CALL.get(f"{owner}.{name}"):
                return f"{name}: {self.holds(prop)}  # {later}"
            return f"{name}: {self.holds(prop, of_a_node=owner in self.manifest.nodes)}"
        if name in declared.functions:
            return f"{name}{self.call(declared.functions[name])}"
        owned = self.manifest.find(owner, name)
        return python_line(owner, owned[1]) if owned and isinstance(owned[1], PythonMember) else ""

    def holds(self, prop: Property, *, of_a_node: bool = False) -> str:
        """The value of a property: its type, limits, items and default.

        No default is given for an enumeration of a node, because a new node has another one than RNA declares; nor if
        the default is the first item, which RNA names if nobody gave a default.
        """
        if prop.type in {"POINTER", "COLLECTION"}:
            return prop.of if prop.type == "POINTER" else f"collection of {prop.of}"
        said = WORDS[prop.type]
        if prop.array:
            said = f"{VECTORS.get(prop.subtype, said)}[{' x '.join(map(str, prop.array))}]"
        if prop.items:
            said = f"{'set of ' if prop.flags else ''}{self.items(prop.items)}"
        unit = {"ANGLE": " radians"}.get(prop.subtype, "")
        undeclared = prop.type == "ENUM" and (of_a_node or not prop.items or prop.default == prop.items[0].identifier)
        usual = "" if undeclared else default(prop)
        return f"{said}{unit}{limits(prop)}{usual}{', read-only' if prop.readonly else ''}"

    def items(self, items: Sequence[Item]) -> str:
        """The items of an enumeration; of many, those that the request names and a few more."""
        named = [item for item in items if self._said & set(stems(item.name))]
        ordered = list(items)
        if len(items_text(items)) > ITEMS_LENGTH:
            ordered = [*named, *(item for item in items if item not in named)]
        shown: list[Item] = []
        for item in ordered:
            if len(items_text([*shown, item])) > ITEMS_LENGTH:
                return f"{items_text(shown)}|... {len(items)} in all"
            shown.append(item)
        return items_text(shown)

    def call(self, function: RnaFunction) -> str:
        """The arguments of a function with what it returns, and the items that an argument takes."""
        returned = ", ".join(result.of or WORDS.get(result.type, "") for result in function.results)
        items = self.argument_items(function.arguments)
        return f"{signature(function.arguments)}{f' -> {returned}' if returned else ''}{items}"

    def argument_items(self, arguments: Iterable[Property]) -> str:
        """The items that each argument takes, if it is an enumeration."""
        # Blender declares a single DEFAULT where the items depend on the scene.
        fixed = (argument for argument in arguments if [item.identifier for item in argument.items] != ["DEFAULT"])
        listed = (
            argument for argument in fixed if argument.items and (argument.required or len(argument.items) <= LISTED)
        )
        return "".join(f"; {argument.name}: {self.items(argument.items)}" for argument in listed)

    def operator(self, operator: Operator) -> str:
        """An operator with its arguments; of many, those that the request names."""
        arguments = [argument for argument in operator.arguments.values() if not argument.hidden]
        named = [argument for argument in arguments if self._is_named(argument)]
        left_out = ""
        if len(signature(arguments)) > ARGUMENTS_LENGTH:
            left_out = f"; {len(arguments) - len(named)} more arguments" if len(named) < len(arguments) else ""
            arguments = named
        return f"{operator.name}{signature(arguments)}{self.argument_items(named)}{left_out}"

    def _is_named(self, argument: Property) -> bool:
        words = set(stems(argument.label)) or set(stems(argument.name))
        return argument.required or argument.name in ALWAYS_SHOWN or (bool(words) and words <= self._said)

    def way(self, name: str) -> tuple[str, list[WayStep]]:
        """The code that makes or gets a class, in one line, and the properties that lead to it; empty if not known."""
        if name in self.manifest.nodes:
            return f"nodes.new('{name}')", []
        for family, form in MADE_BY.items():
            for made in self.manifest.identifiers.get(family, {}).values():
                if made.type == name:
                    return form.format(made.identifier), []
        steps = self.ways.to(name)
        later = [call for step in steps if (call := MADE_BY_CALL.get(f"{step.owner}.{step.member}"))]
        return "  # ".join(filter(None, [self._path(steps, name), *later])), steps

    def _path(self, steps: Sequence[WayStep], name: str) -> str:
        """The steps as a path, from the last class on that the step before does not name."""
        path, held = "", ""
        for step in steps:
            prop = self.manifest.types[step.owner].properties[step.member]
            owner = "bpy.data" if step.owner == "BlendData" else step.owner
            path = f"{path if step.owner == held else owner}.{step.member}"
            held = prop.of
            if prop.type == "COLLECTION" and prop.collection != name:
                path += "[]"
        return path


def limits(prop: Property) -> str:
    """The hard limits of a number."""
    low, high = limit(prop.min), limit(prop.max)
    return f" in [{low}, {high}]" if low and high else f" >= {low}" if low else f" <= {high}" if high else ""


def limit(value: float | None) -> str:
    return "" if value is None or abs(value) >= UNLIMITED else f"{value:g}"


def default(prop: Property) -> str:
    """The default of a setting, if it says anything."""
    if prop.default in (None, "", [], False) or (prop.array and len(prop.default) > LONGEST_DEFAULT):
        return ""
    return f" = {literal(prop.default)}"


def literal(value: Any) -> str:
    if isinstance(value, list):
        return f"({', '.join(literal(part) for part in cast('Sequence[Any]', value))})"
    return f"{value:.4g}" if isinstance(value, float) else repr(value)


def items_text(items: Sequence[Item]) -> str:
    return "|".join(repr(item.identifier) for item in items)


def python_line(owner: str, member: PythonMember) -> str:
    """The line of a member outside RNA."""
    symbol = python_symbol(owner, member)
    form = f"{symbol.leaf}{symbol.signature}"
    return f"{form} -> {symbol.type}" if symbol.type and symbol.signature else f"{form}: {symbol.type}".rstrip(": ")


def module_member(modules: Mapping[str, ApiModule], address: str) -> tuple[str, PythonMember] | None:
    """A member of a module or of a class in one, with the address of its owner."""
    owner, _, leaf = address.rpartition(".")
    if owner in modules:
        member = modules[owner].members.get(leaf)
        return (owner, member) if member else None
    above = module_member(modules, owner) if "." in owner else None
    inner = above[1].members.get(leaf) if above else None
    return (owner, inner) if inner else None


def socket_lines(node: NodeType) -> Iterator[str]:
    """The sockets of a new node with their defaults, by the names of this build."""
    for side, sockets in (("inputs", node.inputs), ("outputs", node.outputs)):
        shown = [place for place, socket in enumerate(sockets) if socket.enabled and socket.name]
        texts = [socket_text(side, place, sockets) for place in shown]
        modes = [socket.name for socket in sockets if not socket.enabled and socket.name]
        more = f"; in other modes: {', '.join(dict.fromkeys(modes))}" if modes else ""
        if texts:
            yield f"{side}: {', '.join(texts)}{more}"


def socket_text(side: str, place: int, sockets: Sequence[Socket]) -> str:
    """A socket with its default; with its number if others have its name."""
    socket = sockets[place]
    name = socket.name
    if Counter(other.name for other in sockets)[name] > 1:
        name = f"{name} ({side}[{place}])"
    simple = side == "inputs" and isinstance(socket.default, (int, float, str)) and socket.default != ""
    return f"{name}={literal(socket.default)}" if simple else name
