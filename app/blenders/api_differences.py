"""The changes between two Blenders, from their manifests: symbols that are gone, renamed, new or changed.

    manifest of the one ──┐
    manifest of the other ┴─> each address of the one, looked up in the other ──> changes ──> the requested ones

A rename is certain if `renamed.toml` lists it, because those were tried; otherwise the new symbol most similar to the
one that is gone is a guess.
"""

from __future__ import annotations

import difflib
import functools
import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel

from app.reading import addresses_used
from app.reading.renamed import RenameTable
from harness.versions import version_key
from ingest.manifest import Function, Manifest, NodeType, Operator, Property, RnaType

Kind = Literal["removed", "renamed", "added", "changed"]
KINDS: Final[tuple[Kind, ...]] = ("removed", "renamed", "added", "changed")

_ALIKE: Final = 0.75
_SHOWN: Final = 12
"""Items of an enumeration to list in one line."""

_Signature = Mapping[str, Property]
_Symbol = RnaType | Property | Function | Operator | str


class SymbolChange(BaseModel):
    """One changed symbol."""

    kind: Kind
    address: str
    """Its address in the first Blender; for a new symbol, in the second."""
    new_address: str | None = None
    """Its address in the second Blender, if it was renamed and its new name is an address."""
    guess: bool = False
    """Whether the new name is only a guess."""
    says: list[str] = []
    """What changed, one change per line; what to use instead."""


_MOST_KNOWN: Final = 16
_KNOWN: Final[dict[tuple[str, ...], list[SymbolChange]]] = {}


class BuildName(BaseModel):
    """One build of Blender."""

    version: str
    build_hash: str


class SymbolChanges(BaseModel):
    """Some of the changes between two Blenders. `counts` cover all requested changes; `next` is the `offset` of the
    next page, null on the last.
    """

    old: BuildName
    new: BuildName
    counts: dict[str, int]
    changes: list[SymbolChange]
    next: int | None


@dataclass(frozen=True)
class ChangeFilter:
    """The requested changes: of some kinds, of addresses with a prefix, of symbols that are used."""

    kinds: Collection[Kind] = KINDS
    prefix: str = ""
    used: Collection[str] | None = None


def changes_asked_for(old: Manifest, new: Manifest, wanted: ChangeFilter, offset: int, limit: int) -> SymbolChanges:
    """One page of the changes from one Blender to another, in the order of their kinds and addresses."""
    found: Iterable[SymbolChange] = changes_between(old, new)
    found = [one for one in found if one.address.startswith(wanted.prefix) and one.kind in wanted.kinds]
    if (used := wanted.used) is not None:
        found = [one for one in found if _concerns(one.address, used)]
    page = found[offset : offset + limit]
    return SymbolChanges(
        old=BuildName(version=old.version, build_hash=old.build_hash),
        new=BuildName(version=new.version, build_hash=new.build_hash),
        counts={kind: sum(one.kind == kind for one in found) for kind in KINDS},
        changes=page,
        next=offset + limit if offset + limit < len(found) else None,
    )


def symbols_used(snippet: str, builds: Sequence[Manifest]) -> list[str]:
    """The symbols that a snippet uses on one of these Blenders."""
    return list(dict.fromkeys(address for build in builds for address in addresses_used(snippet, build)))


def _concerns(address: str, used: Collection[str]) -> bool:
    """Whether a change of a symbol affects what is used: the symbol itself, or a part of it."""
    return address in used or any(one.startswith(f"{address}.") for one in used)


def changes_between(old: Manifest, new: Manifest) -> list[SymbolChange]:
    """Every change from one Blender to another. The members of a type that is gone or new are not listed.

    Results are kept, because a build does not change.
    """
    pair = (old.version, old.build_hash, new.version, new.build_hash)
    if pair not in _KNOWN:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[pair] = _compared(old, new)
    return _KNOWN[pair]


def _compared(old: Manifest, new: Manifest) -> list[SymbolChange]:
    before, after = _symbols(old), _symbols(new)
    renamed = RenameTable.for_version(version_key(new.version))
    gone = {address for address in before if not _is_there(address, after, new)}
    fresh = {address for address in after if not _is_there(address, before, old)}
    beside: defaultdict[str, dict[str, _Symbol]] = defaultdict(dict)
    for address in fresh:
        beside[_owner(address)][address] = after[address]
    changes = [_gone(one, before[one], beside[_owner(one)], renamed) for one in gone if _owner(one) not in gone]
    changes += [SymbolChange(kind="added", address=address) for address in fresh if _owner(address) not in fresh]
    changes += _changed(old, new, before, after)
    return sorted(changes, key=lambda one: (KINDS.index(one.kind), one.address))


def _symbols(manifest: Manifest) -> dict[str, _Symbol]:
    """Every symbol by its address."""
    found: dict[str, _Symbol] = {}
    for name, rna in manifest.types.items():
        address = f"bpy.types.{name}"
        found[address] = rna
        for members in (rna.properties, rna.functions):
            found.update({f"{address}.{member}": one for member, one in members.items()})
        found.update({f"{address}.{member}": one.kind for member, one in rna.python.items() if member[0] != "_"})
    found.update({f"bpy.ops.{name}": operator for name, operator in manifest.operators.items()})
    for name, module in manifest.modules.items():
        found[name] = "module"
        found.update({f"{name}.{member}": one.kind for member, one in module.members.items() if member[0] != "_"})
    return found


def _is_there(address: str, symbols: Collection[str], manifest: Manifest) -> bool:
    """Whether a symbol exists, even if only inherited."""
    if address in symbols:
        return True
    owner, _, member = address.removeprefix("bpy.types.").partition(".")
    return bool(address.startswith("bpy.types.") and member and manifest.find(owner, member))


def _owner(address: str) -> str:
    return address.rpartition(".")[0]


def _gone(address: str, symbol: _Symbol, beside: Mapping[str, _Symbol], renamed: RenameTable) -> SymbolChange:
    """What became of a symbol that is gone; `beside` are new symbols of the same owner."""
    known = renamed.entry(address)
    if known:
        hint = known.hint or ""
        says = [f"{known.message}. {hint}".strip()]
        # Words that continue "Use" name a replacement; a sentence of its own explains the removal.
        return SymbolChange(kind="renamed" if hint.startswith("Use ") else "removed", address=address, says=says)
    likely = _most_like(address, symbol, beside)
    if likely:
        return SymbolChange(kind="renamed", address=address, new_address=likely, guess=True)
    return SymbolChange(kind="removed", address=address)


def _most_like(address: str, symbol: _Symbol, beside: Mapping[str, _Symbol]) -> str | None:
    """The new symbol that may be the same: similar in name and in description."""
    name = address.rpartition(".")[2]
    scores = {
        other: _likeness(name, symbol, other.rpartition(".")[2], one)
        for other, one in beside.items()
        if type(one) is type(symbol)
    }
    best = max(scores, key=lambda other: (scores[other], other), default=None)
    return best if best and scores[best] >= _ALIKE else None


def _likeness(name: str, one: _Symbol, other_name: str, other: _Symbol) -> float:
    said = _said(one), _said(other)
    same_label, same_words = (bool(mine) and mine == theirs for mine, theirs in zip(*said, strict=True))
    # Comparing letters takes long, and names of the same thing share a word.
    if not same_label and not _words(name) & _words(other_name):
        return 0.0
    likeness = difflib.SequenceMatcher(None, name.lower(), other_name.lower()).ratio()
    match one, other:
        case Property(), Property():
            same_type = (one.type, one.of) == (other.type, other.of)
            return likeness + 0.35 * same_label + 0.25 * same_words if same_type else 0.0
        case RnaType(), RnaType():
            shared = len(one.properties.keys() & other.properties.keys())
            every = len(one.properties.keys() | other.properties.keys()) or 1
            return (likeness + shared / every) / 2 + 0.25 * same_label
        case _:
            return likeness + 0.15 * same_words


def _said(symbol: _Symbol) -> tuple[str, str]:
    """Its label and its description, if it has them."""
    if isinstance(symbol, str):
        return "", ""
    return "" if isinstance(symbol, Function) else symbol.label, symbol.description


@functools.cache
def _words(name: str) -> frozenset[str]:
    """The words of a name, such as `use_bloom` or `TextSequence`."""
    return frozenset(word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name))


# --- what exists in both ----------------------------------------------------------------------------------


def _changed(
    old: Manifest, new: Manifest, before: Mapping[str, _Symbol], after: Mapping[str, _Symbol]
) -> Iterator[SymbolChange]:
    for address, one in before.items():
        other = after.get(address)
        says: list[str] = []
        match one, other:
            case Property(), Property():
                says = list(_property_changes(one, other))
            case Function(), Function():
                says = list(_argument_changes(one.parameters, other.parameters))
            case Operator(), Operator():
                says = list(_argument_changes(one.arguments, other.arguments))
            case RnaType(), RnaType():
                says = list(_type_changes(one, other, old, new))
            case _:
                pass
        if says:
            yield SymbolChange(kind="changed", address=address, says=says)


def _type_changes(one: RnaType, other: RnaType, old: Manifest, new: Manifest) -> Iterator[str]:
    if one.base != other.base:
        yield f"base: {one.base or 'none'} -> {other.base or 'none'}"
    node, now = old.nodes.get(one.name), new.nodes.get(other.name)
    if node and now:
        yield from _socket_changes("input", _names(node, "inputs"), _names(now, "inputs"))
        yield from _socket_changes("output", _names(node, "outputs"), _names(now, "outputs"))


def _names(node: NodeType, side: Literal["inputs", "outputs"]) -> list[str]:
    return list(dict.fromkeys(socket.name for socket in (node.inputs if side == "inputs" else node.outputs)))


def _socket_changes(what: str, one: list[str], other: list[str]) -> Iterator[str]:
    for word, names in (("removed", _without(one, other)), ("added", _without(other, one))):
        if names:
            yield f"{what}{'s' if len(names) > 1 else ''} {word}: {_listed(names)}"


def _property_changes(one: Property, other: Property) -> Iterator[str]:
    if (one.type, one.of) != (other.type, other.of):
        yield f"type: {_type_of(one)} -> {_type_of(other)}"
        return
    if (one.array, one.dynamic_array) != (other.array, other.dynamic_array):
        yield f"size: {_size(one)} -> {_size(other)}"
    if one.type == "ENUM" and not (one.open or other.open):
        items, now = [item.identifier for item in one.items], [item.identifier for item in other.items]
        for word, names in (("removed", _without(items, now)), ("added", _without(now, items))):
            if names:
                yield f"items {word}: {_listed(names)}"
    if one.type != "COLLECTION" and not _same(one.default, other.default):
        yield f"default: {one.default!r} -> {other.default!r}"
    if (one.min, one.max) != (other.min, other.max):
        yield f"range: {_range(one)} -> {_range(other)}"
    if one.readonly != other.readonly:
        yield "is read-only now" if other.readonly else "can be set now"
    if other.deprecated and not one.deprecated:
        yield f"deprecated: {other.deprecated}"


def _argument_changes(one: _Signature, other: _Signature) -> Iterator[str]:
    for name in _without(one, other):
        yield f"argument removed: {name}"
    for name in _without(other, one):
        yield f"argument added: {name}{' (required)' if other[name].required else ''}"
    for name, argument in one.items():
        if name in other:
            for said in _property_changes(argument, other[name]):
                yield f"argument {name}: {said}"


def _same(one: Any, other: Any) -> bool:
    """Whether two defaults are the same except for rounding."""
    match one, other:
        case float(), float():
            return math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-5)
        case [*ones], [*others]:
            return len(ones) == len(others) and all(map(_same, ones, others))
        case _:
            return bool(one == other)


def _without(one: Iterable[str], other: Collection[str]) -> list[str]:
    return [name for name in one if name not in other]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _type_of(prop: Property) -> str:
    return f"{prop.type} of {prop.of}" if prop.of else prop.type


def _size(prop: Property) -> str:
    return "any" if prop.dynamic_array else " x ".join(str(size) for size in prop.array) or "a single value"


def _range(prop: Property) -> str:
    low, high = (f"{value:g}" if value is not None else "any" for value in (prop.min, prop.max))
    return f"{low} to {high}"
