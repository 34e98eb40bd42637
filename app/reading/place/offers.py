"""Offers of code for the cursor: members, arguments, items of enumerations, node types and sockets."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from app.reading.api.values import Coll, Method, Op, Rna, Value
from app.reading.place.seen import SeenTree
from app.reading.place.unfinished import HERE, offset_of, tree_with_cursor
from ingest.dumped import WORDS
from ingest.manifest import Manifest, Property, RnaFunction

OfferKind = Literal["member", "argument", "item", "node", "socket"]
MOST: Final = 500
SIDES: Final = {"NodeInputs": "inputs", "NodeOutputs": "outputs"}


@dataclass(frozen=True)
class Offer:
    """Something that may be written at the cursor."""

    label: str
    kind: OfferKind
    detail: str = ""


def offers_at(text: str, line: int, column: int, manifest: Manifest) -> list[Offer]:
    """The offers at a line and a column, both from 1, each once. Empty if nothing is known; never raises."""
    tree = tree_with_cursor(text, offset_of(text, line, column))
    if tree is None:
        return []
    seen = SeenTree(tree, manifest)
    found = (offer for node in ast.walk(tree) if holds_cursor(node) for offer in offers_of(node, seen))
    return list(dict.fromkeys(found))[:MOST]


def holds_cursor(node: ast.AST) -> bool:
    """True for the name or the string that the cursor is in."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.Constant(value=str(name)) | ast.keyword(arg=str(name)):
            return HERE in name
        case _:
            return False


def offers_of(node: ast.AST, seen: SeenTree) -> Iterator[Offer]:
    """The offers in place of a node."""
    match node:
        case ast.Attribute(value=owner):
            for value in seen.values(owner):
                yield from members(value, seen)
        case ast.Constant():
            yield from strings(node, seen)
        case ast.Name() | ast.keyword():
            around = seen.parents.get(node)
            if isinstance(around, ast.Call) and node is not around.func:
                for value in seen.values(around.func):
                    yield from (argument(prop) for prop in parameters(value, seen))
        case _:
            pass


def members(owner: Value, seen: SeenTree) -> Iterator[Offer]:
    """The members of a value."""
    for name in sorted(seen.api.names_on(owner)):
        if name.startswith(("_", "bl_")):
            continue
        declared = seen.api.member(owner, name)
        prop = declared.property if declared else None
        yield Offer(name, "member", type_of(prop) if prop else "()" if declared and declared.function else "")


def parameters(function: Value, seen: SeenTree) -> Iterable[Property]:
    """The parameters of an operator or of a function of a type, in order."""
    match function:
        case Op(name=name):
            return seen.api.operator(name).arguments.values()
        case Method():
            declared = seen.api.rna.function(function)
            return declared.arguments if isinstance(declared, RnaFunction) else ()
        case _:
            return ()


def argument(prop: Property) -> Offer:
    return Offer(f"{prop.name}=", "argument", type_of(prop))


def type_of(prop: Property) -> str:
    """The type of a property in a word, with its limits."""
    word = WORDS.get(prop.type, prop.of or prop.type.lower())
    bounded = prop.type in ("INT", "FLOAT") and prop.min is not None and prop.max is not None and prop.max < 1e9
    return f"{word} in [{prop.min:g}, {prop.max:g}]" if bounded else word


def strings(node: ast.Constant, seen: SeenTree) -> Iterator[Offer]:
    """The offers for a string, by where it stands."""
    around = seen.parents.get(node)
    match around:
        case ast.Subscript(value=owner):
            for value in seen.values(owner):
                yield from sockets(value, seen)
        case ast.Assign(targets=[ast.Attribute() as target]):
            yield from items_of(target, seen)
        case ast.Compare(left=ast.Attribute() as left):
            yield from items_of(left, seen)
        case ast.keyword(arg=str(name)):
            call = seen.parents.get(around)
            if isinstance(call, ast.Call):
                yield from items_given(call, name, seen)
        case ast.Call() if node in around.args:
            yield from items_given(around, around.args.index(node), seen)
        case ast.Set() | ast.List() | ast.Tuple():
            outer = seen.parents.get(around)
            call = seen.parents.get(outer) if isinstance(outer, ast.keyword) else None
            if isinstance(outer, ast.keyword) and outer.arg and isinstance(call, ast.Call):
                yield from items_given(call, outer.arg, seen)
        case _:
            pass


def items_of(target: ast.Attribute, seen: SeenTree) -> Iterator[Offer]:
    """The items of the enumeration that an attribute is."""
    for value in seen.values(target.value):
        declared = seen.api.member(value, target.attr)
        if declared and declared.property:
            yield from items(declared.property)


def items_given(call: ast.Call, place: int | str, seen: SeenTree) -> Iterator[Offer]:
    """The strings that an argument of a call takes, by its name or its position."""
    for function in seen.values(call.func):
        named = list(parameters(function, seen))
        wanted = [prop for at, prop in enumerate(named) if place in (at, prop.name)]
        match function:
            case Method(type="Nodes", name="new", owner=Coll(owner=Rna(type=tree))):
                yield from node_types(tree, seen.api.manifest)
            case Method(type="Nodes", name="new"):
                yield from node_types("", seen.api.manifest)
            case _:
                for prop in wanted:
                    yield from items(prop)


def items(prop: Property) -> Iterator[Offer]:
    """The items of a property, if it is an enumeration."""
    return (Offer(item.identifier, "item", item.name) for item in prop.items if item.identifier)


def node_types(tree: str, manifest: Manifest) -> Iterator[Offer]:
    """The node types that a tree can hold; those of all trees if the type of the tree is not known."""
    known = tree if any(tree in node.trees for node in manifest.nodes.values()) else ""
    for node in manifest.nodes.values():
        if not known or known in node.trees:
            yield Offer(node.identifier, "node", node.label)


def sockets(owner: Value, seen: SeenTree) -> Iterator[Offer]:
    """The names of the sockets of a node."""
    match owner:
        case Coll(type=kind, owner=Rna(type=identifier)) if kind in SIDES:
            node = seen.api.manifest.nodes.get(identifier)
            found = (node.inputs if SIDES[kind] == "inputs" else node.outputs) if node else ()
            yield from (Offer(socket.name, "socket", socket.type.lower()) for socket in found)
        case _:
            return
