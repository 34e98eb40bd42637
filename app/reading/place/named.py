"""The entry of the API that is named at a place, and how it differs between Blenders."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from app.reading.api.values import Method, Op, Rna
from app.reading.place.seen import SeenTree
from app.reading.removals import Removals
from app.verdict.parse import syntax_tree
from harness.versions import version_key
from ingest.dumped import operator_symbol, symbols_of_module, symbols_of_type
from ingest.manifest import Manifest
from ingest.symbol import Symbol


def address_at(text: str, line: int, column: int, manifest: Manifest) -> str:
    """The address that is named at a line and a column, both from 1; empty if none is known. Never raises.

    A member that this build lacks has the address that it would have.
    """
    tree = syntax_tree(text)
    if tree is None:
        return ""
    lines = text.split("\n")
    offset = len(lines[line - 1][: column - 1].encode()) if line <= len(lines) else 0
    nodes = [node for node in ast.walk(tree) if is_at(node, line, offset)]
    if not nodes:
        return ""
    seen = SeenTree(tree, manifest)
    return next((address for node in nodes for address in addresses(node, seen)), "")


def is_at(node: ast.AST, line: int, offset: int) -> bool:
    """True if the name of a member, or of an argument, is at this byte of a line."""
    match node:
        case ast.Attribute(attr=name, end_lineno=int(at), end_col_offset=int(end)):
            return at == line and end - len(name.encode()) <= offset <= end
        case ast.keyword(arg=str(name), lineno=at, col_offset=begin):
            return at == line and begin <= offset <= begin + len(name)
        case _:
            return False


def addresses(node: ast.AST, seen: SeenTree) -> Iterator[str]:
    """The addresses that a node names."""
    match node:
        case ast.Attribute(value=owner, attr=name):
            for value in seen.values(owner):
                declared = seen.api.member(value, name)
                if declared and declared.address:
                    yield declared.address
                elif isinstance(value, Rna):
                    yield f"bpy.types.{value.type}.{name}"
        case ast.keyword():
            call = seen.parents.get(node)
            for function in seen.values(call.func) if isinstance(call, ast.Call) else ():
                match function:
                    case Op(name=operator):
                        yield f"bpy.ops.{operator}"
                    case Method(type=kind, name=method):
                        yield f"bpy.types.{kind}.{method}"
                    case _:
                        pass
        case _:
            pass


def symbol_of(address: str, manifest: Manifest) -> Symbol | None:
    """The entry of this address in a build; None if it has none."""
    if address.startswith("bpy.ops."):
        operator = manifest.operators.get(address.removeprefix("bpy.ops."))
        return operator_symbol(operator, manifest) if operator else None
    if address.startswith("bpy.types."):
        owner, _, member = address.removeprefix("bpy.types.").partition(".")
        found = manifest.find(owner, member) if member else None
        facts = found[0] if found else manifest.types.get(owner)
        wanted = f"bpy.types.{facts.name}.{member}" if found and facts else address
        return next((one for one in symbols_of_type(facts, manifest) if one.address == wanted), None) if facts else None
    module = next((manifest.modules[name] for name in heads(address) if name in manifest.modules), None)
    return next((one for one in symbols_of_module(module) if one.address == address), None) if module else None


def heads(address: str) -> Iterator[str]:
    """The beginnings of an address, the longest first."""
    while address:
        yield address
        address = address.rpartition(".")[0]


def differences(here: Symbol | None, there: Symbol | None) -> list[str]:
    """The differences of an entry of another build from the one here, in short lines; empty if it is the same."""
    if there is None or here is None:
        return [] if here is there else ["it is not there" if there is None else "it is there"]
    said = [
        f"{name} was {getattr(there, name) or 'none'}"
        for name in ("signature", "type")
        if getattr(here, name) != getattr(there, name)
    ]
    now, then = ({item.identifier for item in one.items} for one in (here, there))
    said += [f"without the items {', '.join(sorted(now - then))}"] if now - then else []
    return said + ([f"with the items {', '.join(sorted(then - now))}"] if then - now else [])


def gone(address: str, manifest: Manifest) -> str:
    """The advice of the book of changes on an address that a build lacks; empty if the book does not have it."""
    removals = Removals.for_version(version_key(manifest.version))
    fault = removals.entry(address, address.removeprefix("bpy.types."), address.removeprefix("bpy.ops."))
    return f"{fault.message}. {fault.hint or ''}".rstrip() if fault else ""
