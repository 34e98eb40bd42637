"""Makes symbols from a manifest: the reference of one Blender build, without a network."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from ingest.docstrings import read_docstring
from ingest.manifest import (
    ApiModule,
    Identifier,
    Manifest,
    NodeType,
    Operator,
    Property,
    PythonMember,
    RnaFunction,
    RnaType,
)
from ingest.symbol import Kind, Symbol, SymbolParameter

ON_EVERY_CLASS: Final = re.compile(
    r"^(bl_rna\w*|bl_system_\w+|rna_type|input_template|output_template|is_registered_node_type)$"
)
"""Members that every class shares; the reference of `bpy_struct` and `Node` describes them."""

WORDS: Final = {"INT": "int", "FLOAT": "float", "BOOLEAN": "boolean", "STRING": "string", "ENUM": "enum"}
VECTORS: Final = {
    "TRANSLATION": "Vector", "DIRECTION": "Vector", "VELOCITY": "Vector", "ACCELERATION": "Vector", "XYZ": "Vector",
    "COORDINATES": "Vector", "XYZ_LENGTH": "Vector", "EULER": "Euler", "QUATERNION": "Quaternion", "MATRIX": "Matrix",
    "COLOR": "Color", "COLOR_GAMMA": "Color",
}  # fmt: skip
PYTHON_KINDS: Final[dict[str, Kind]] = {
    "class": "class", "function": "function", "method": "method", "attribute": "attribute", "data": "data",
}  # fmt: skip
BOUND: Final = re.compile(r"^\((?:self|cls)(?:, |(?=\)))")
"""The argument of a signature that Python passes itself."""
SEE_ALSO_LIMIT: Final = 12


def read_dumped(manifest: Manifest) -> list[Symbol]:
    """Every symbol of the manifest, one per address."""
    symbols: dict[str, Symbol] = {}
    families: tuple[Iterable[Symbol], ...] = (
        (symbol for facts in manifest.types.values() for symbol in symbols_of_type(facts, manifest)),
        (operator_symbol(facts, manifest) for facts in manifest.operators.values()),
        (context_symbol(name, kind) for name, kind in manifest.context.items()),
        (symbol for module in manifest.modules.values() for symbol in symbols_of_module(module)),
    )
    for family in families:
        for symbol in family:
            symbols.setdefault(symbol.address, symbol)
    return list(symbols.values())


def symbols_of_type(facts: RnaType, manifest: Manifest) -> Iterator[Symbol]:
    """The class itself and its own members; class methods of its bases count as its own."""
    address = type_address(facts.name)
    yield class_symbol(facts, manifest)
    for prop in facts.properties.values():
        if not ON_EVERY_CLASS.match(prop.name):
            yield attribute_symbol(address, prop)
    for function in facts.functions.values():
        if not ON_EVERY_CLASS.match(function.name):
            yield method_symbol(address, function)
    for base in manifest.lineage(facts.name):
        for member in base.python.values():
            if (base is facts or member.static) and not ON_EVERY_CLASS.match(member.name):
                yield python_symbol(address, member)


def type_address(name: str) -> str:
    return f"bpy.types.{name}"


def class_symbol(facts: RnaType, manifest: Manifest) -> Symbol:
    bases = [type_address(base.name) for base in manifest.lineage(facts.name)][1:]
    node = manifest.nodes.get(facts.name)
    return Symbol(
        address=type_address(facts.name),
        kind="class",
        label=node.label if node else facts.label,
        aliases=tuple(alias for made in makers(facts.name, manifest) for alias in (made.identifier, made.label)),
        description=sentences(facts.description, *sockets_said(node), *said_of_makers(facts.name, manifest)),
        bases=tuple(bases),
        see_also=see_also(*bases, *(type_address(name) for name in manifest.subtypes.get(facts.name, ()))),
    )


def sockets_said(node: NodeType | None) -> Iterator[str]:
    """The sockets of a node, in words."""
    for side, sockets in (("Inputs", node.inputs), ("Outputs", node.outputs)) if node else ():
        names = list(dict.fromkeys(socket.name for socket in sockets if socket.name))
        if names:
            yield f"{side}: {', '.join(names)}."


def makers(type_name: str, manifest: Manifest) -> Iterator[Identifier]:
    """The strings that make an instance of this class."""
    for family, members in manifest.identifiers.items():
        if family != "engines":
            yield from (made for made in members.values() if made.type == type_name)


def said_of_makers(type_name: str, manifest: Manifest) -> Iterator[str]:
    """The user interface's name of the product, and the string that makes it."""
    for made in makers(type_name, manifest):
        yield f"{made.label}: type '{made.identifier}'. {made.description}"


def attribute_symbol(owner: str, prop: Property) -> Symbol:
    return Symbol(
        address=f"{owner}.{prop.name}",
        kind="attribute",
        label=prop.label,
        description=sentences(prop.description, prop.deprecated),
        type=type_said(prop),
        readonly=prop.readonly and prop.type != "COLLECTION",
        items=prop.items,
        see_also=see_also(owner, *held_types(prop)),
    )


def type_said(prop: Property) -> str:
    """The values of a property, in the words of the reference: `float in [0, 1], default 0.5`."""
    if prop.type == "COLLECTION":
        return f"collection {prop.collection or 'bpy_prop_collection'} of {prop.of}"
    if prop.type == "POINTER":
        return prop.of
    said = "set of enum items" if prop.flags else WORDS[prop.type]
    if prop.array:
        said = f"{VECTORS.get(prop.subtype, said + ' array')} of {' x '.join(map(str, prop.array))}"
    if prop.min is not None and prop.max is not None:
        said += f" in [{prop.min:g}, {prop.max:g}]"
    elif prop.min is not None:
        said += f", at least {prop.min:g}"
    if prop.default not in (None, "", []):
        said += f", default {default(prop)}"
    return said


def shown(value: Any) -> str:
    if isinstance(value, list):
        parts = [shown(part) for part in cast("Sequence[Any]", value)]
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    return f"{value:g}" if isinstance(value, float) else repr(value)


def held_types(prop: Property) -> Iterator[str]:
    """The types that a property leads to: the collection's own, and the type of its items."""
    for name in (prop.collection, prop.of):
        if name:
            yield type_address(name)


def method_symbol(owner: str, function: RnaFunction) -> Symbol:
    results = function.results
    return Symbol(
        address=f"{owner}.{function.name}",
        kind="method",
        signature=signature(function.arguments),
        description=function.description,
        type=", ".join(type_said(result) for result in results),
        parameters=parameters(function.arguments),
        see_also=see_also(owner, *(name for result in results for name in held_types(result))),
    )


def operator_symbol(operator: Operator, manifest: Manifest) -> Symbol:
    arguments = [argument for argument in operator.arguments.values() if not argument.hidden]
    return Symbol(
        address=f"bpy.ops.{operator.name}",
        kind="operator",
        label=operator.label,
        description=operator.description,
        signature=signature(arguments),
        parameters=parameters(arguments),
        see_also=see_also(*(f"bpy.ops.{name}" for name in namesakes(operator.name, manifest.operators))),
    )


def namesakes(name: str, operators: Mapping[str, Operator]) -> Iterator[str]:
    """Operators of the same namespace that share a word with this one."""
    space, _, leaf = name.partition(".")
    words = set(leaf.split("_")) - {"add", "set", "select", "remove", "move"}
    for other in operators:
        other_space, _, other_leaf = other.partition(".")
        if other_space == space and other != name and words & set(other_leaf.split("_")):
            yield other


def signature(arguments: Iterable[Property]) -> str:
    """The arguments in the form of a script: `(type, name="")`."""
    written = (argument.name if argument.required else f"{argument.name}={default(argument)}" for argument in arguments)
    return f"({', '.join(written)})"


def default(argument: Property) -> str:
    if argument.default is None:
        return "None" if argument.type in {"POINTER", "COLLECTION"} else "..."
    if argument.flags:
        return f"{{{', '.join(map(repr, argument.default))}}}" if argument.default else "set()"
    return shown(argument.default)


def parameters(arguments: Iterable[Property]) -> tuple[SymbolParameter, ...]:
    return tuple(
        SymbolParameter(
            name=argument.name,
            type=type_said(argument) + items_said(argument),
            default="" if argument.required else default(argument),
            description=argument.description or argument.label,
        )
        for argument in arguments
    )


def items_said(argument: Property) -> str:
    return f" in [{', '.join(repr(item.identifier) for item in argument.items)}]" if argument.items else ""


def context_symbol(name: str, kind: str) -> Symbol:
    held = kind.removeprefix("list of ")
    return Symbol(
        address=f"bpy.context.{name}",
        kind="data",
        label=name.replace("_", " "),
        description=f"Member of the context: the {name.replace('_', ' ')}, as the open screen has it.",
        type=kind,
        see_also=see_also("bpy.types.Context", *([type_address(held)] if held and held != "list" else [])),
    )


def symbols_of_module(module: ApiModule) -> Iterator[Symbol]:
    yield Symbol(address=module.name, kind="module", description=read_docstring(module.doc).description)
    for member in module.members.values():
        yield from with_members(module.name, member)


def with_members(owner: str, member: PythonMember) -> Iterator[Symbol]:
    yield python_symbol(owner, member)
    for part in member.members.values():
        yield from with_members(f"{owner}.{member.name}", part)


def python_symbol(owner: str, member: PythonMember) -> Symbol:
    said = read_docstring(member.doc)
    bases = tuple(f"{owner}.{base}" for base in member.bases)
    return Symbol(
        address=f"{owner}.{member.name}",
        kind=PYTHON_KINDS[member.kind],
        signature=BOUND.sub("(", member.signature) or said.signature,
        description=said.description,
        type=said.type,
        readonly=said.readonly or member.readonly,
        parameters=said.parameters,
        bases=bases,
        see_also=see_also(owner, *bases),
    )


def sentences(*parts: str) -> str:
    """The parts one after another, each ended as a sentence."""
    return " ".join(part if part.endswith((".", "!", "?", ":")) else f"{part}." for part in parts if part)


def see_also(*addresses: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(addresses))[:SEE_ALSO_LIMIT]
