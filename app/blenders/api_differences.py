"""The changes between two Blenders, from their manifests: symbols that are gone, renamed, new or changed.

    manifest of the one ──┐
    manifest of the other ┴─> each address of the one, looked up in the other ──> changes ──> the requested ones

A rename is certain if the book of changes has it; otherwise the new symbol most similar to the
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
from app.reading.removals import Removals
from harness.versions import version_key
from ingest.manifest import Manifest, NodeType, Operator, Property, RnaFunction, RnaType

Kind = Literal["removed", "renamed", "added", "changed"]
KINDS: Final[tuple[Kind, ...]] = ("removed", "renamed", "added", "changed")

_ALIKE: Final = 0.75
_SHOWN: Final = 12
"""Items of an enumeration to list in one line."""

_Signature = Mapping[str, Property]
_Symbol = RnaType | Property | RnaFunction | Operator | str


class SymbolChange(BaseModel):
    """One changed symbol."""

    kind: Kind
    address: str
    """Its address in the first Blender; for a new symbol, in the second."""
    new_address: str | None = None
    """Its address in the second Blender, if it was renamed and its new name is an address."""
    guess: bool = False
    """True if the new name is only a guess."""
    says: list[str] = []
    """The changes, one per line; or the replacement to use."""


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
    changes = [
        change
        for change in changes_between(old, new)
        if change.address.startswith(wanted.prefix) and change.kind in wanted.kinds
    ]
    if (used := wanted.used) is not None:
        changes = [change for change in changes if _concerns(change.address, used)]
    page = changes[offset : offset + limit]
    return SymbolChanges(
        old=BuildName(version=old.version, build_hash=old.build_hash),
        new=BuildName(version=new.version, build_hash=new.build_hash),
        counts={kind: sum(change.kind == kind for change in changes) for kind in KINDS},
        changes=page,
        next=offset + limit if offset + limit < len(changes) else None,
    )


def symbols_used(snippet: str, builds: Sequence[Manifest]) -> list[str]:
    """The symbols that a snippet uses on one of these Blenders."""
    return list(dict.fromkeys(address for build in builds for address in addresses_used(snippet, build)))


def _concerns(address: str, used: Collection[str]) -> bool:
    """True if a used symbol is the changed one, or a part of it."""
    return address in used or any(symbol.startswith(f"{address}.") for symbol in used)


def changes_between(old: Manifest, new: Manifest) -> list[SymbolChange]:
    """Every change from one Blender to another. The members of a type that is gone or new are not listed.

    Results are kept, because a build does not change.
    """
    pair = (old.version, old.build_hash, new.version, new.build_hash)
    if pair not in _KNOWN:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[pair] = _compare(old, new)
    return _KNOWN[pair]


def _compare(old: Manifest, new: Manifest) -> list[SymbolChange]:
    before, after = _symbols(old), _symbols(new)
    removals = Removals.for_version(version_key(new.version))
    gone = {address for address in before if not _is_there(address, after, new)}
    fresh = {address for address in after if not _is_there(address, before, old)}
    beside: defaultdict[str, dict[str, _Symbol]] = defaultdict(dict)
    for address in fresh:
        beside[_owner(address)][address] = after[address]
    changes = [
        _removal(address, before[address], beside[_owner(address)], removals)
        for address in gone
        if _owner(address) not in gone
    ]
    changes += [SymbolChange(kind="added", address=address) for address in fresh if _owner(address) not in fresh]
    changes += _changes_within(old, new, before, after)
    return sorted(changes, key=lambda change: (KINDS.index(change.kind), change.address))


def _symbols(manifest: Manifest) -> dict[str, _Symbol]:
    """Every symbol by its address."""
    symbols: dict[str, _Symbol] = {}
    for name, rna in manifest.types.items():
        address = f"bpy.types.{name}"
        symbols[address] = rna
        for members in (rna.properties, rna.functions):
            symbols.update({f"{address}.{name}": member for name, member in members.items()})
        symbols.update({f"{address}.{name}": member.kind for name, member in rna.python.items() if name[0] != "_"})
    symbols.update({f"bpy.ops.{name}": operator for name, operator in manifest.operators.items()})
    for name, module in manifest.modules.items():
        symbols[name] = "module"
        symbols.update({f"{name}.{leaf}": member.kind for leaf, member in module.members.items() if leaf[0] != "_"})
    return symbols


def _is_there(address: str, symbols: Collection[str], manifest: Manifest) -> bool:
    """True if a symbol exists, even if only inherited."""
    if address in symbols:
        return True
    owner, _, member = address.removeprefix("bpy.types.").partition(".")
    return bool(address.startswith("bpy.types.") and member and manifest.find(owner, member))


def _owner(address: str) -> str:
    return address.rpartition(".")[0]


def _removal(address: str, symbol: _Symbol, beside: Mapping[str, _Symbol], removals: Removals) -> SymbolChange:
    """The change of a symbol that is gone: removed or renamed. `beside` are new symbols of the same owner."""
    known = removals.entry(address)
    if known:
        hint = known.hint or ""
        says = [f"{known.message}. {hint}".strip()]
        # Words that continue "Use" name a replacement; a sentence of its own explains the removal.
        new = removals.successor(address)
        kind: Kind = "renamed" if new or hint.startswith("Use ") else "removed"
        return SymbolChange(kind=kind, address=address, new_address=new, says=says)
    likely = _most_like(address, symbol, beside)
    if likely:
        return SymbolChange(kind="renamed", address=address, new_address=likely, guess=True)
    return SymbolChange(kind="removed", address=address)


def _most_like(address: str, symbol: _Symbol, beside: Mapping[str, _Symbol]) -> str | None:
    """The new symbol that may be the same: similar in name and in description."""
    name = address.rpartition(".")[2]
    scores = {
        other: _likeness(name, symbol, other.rpartition(".")[2], candidate)
        for other, candidate in beside.items()
        if type(candidate) is type(symbol)
    }
    best = max(scores, key=lambda other: (scores[other], other), default=None)
    return best if best and scores[best] >= _ALIKE else None


def _likeness(name: str, symbol: _Symbol, other_name: str, other: _Symbol) -> float:
    texts = _texts(symbol), _texts(other)
    same_label, same_words = (bool(mine) and mine == theirs for mine, theirs in zip(*texts, strict=True))
    # Comparing letters takes long, and names of the same thing share a word.
    if not same_label and not _words(name) & _words(other_name):
        return 0.0
    likeness = difflib.SequenceMatcher(None, name.lower(), other_name.lower()).ratio()
    match symbol, other:
        case Property(), Property():
            same_type = (symbol.type, symbol.of) == (other.type, other.of)
            return likeness + 0.35 * same_label + 0.25 * same_words if same_type else 0.0
        case RnaType(), RnaType():
            shared = len(symbol.properties.keys() & other.properties.keys())
            every = len(symbol.properties.keys() | other.properties.keys()) or 1
            return (likeness + shared / every) / 2 + 0.25 * same_label
        case _:
            return likeness + 0.15 * same_words


def _texts(symbol: _Symbol) -> tuple[str, str]:
    """Its label and its description, if it has them."""
    if isinstance(symbol, str):
        return "", ""
    return "" if isinstance(symbol, RnaFunction) else symbol.label, symbol.description


@functools.cache
def _words(name: str) -> frozenset[str]:
    """The words of a name, such as `use_bloom` or `TextSequence`."""
    return frozenset(word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name))


# --- symbols of both Blenders -----------------------------------------------------------------------------


def _changes_within(
    old: Manifest, new: Manifest, before: Mapping[str, _Symbol], after: Mapping[str, _Symbol]
) -> Iterator[SymbolChange]:
    for address, symbol in before.items():
        other = after.get(address)
        says: list[str] = []
        match symbol, other:
            case Property(), Property():
                says = list(_property_changes(symbol, other))
            case RnaFunction(), RnaFunction():
                says = list(_argument_changes(symbol.parameters, other.parameters))
            case Operator(), Operator():
                says = list(_argument_changes(symbol.arguments, other.arguments))
            case RnaType(), RnaType():
                says = list(_type_changes(symbol, other, old, new))
            case _:
                pass
        if says:
            yield SymbolChange(kind="changed", address=address, says=says)


def _type_changes(before: RnaType, after: RnaType, old: Manifest, new: Manifest) -> Iterator[str]:
    if before.base != after.base:
        yield f"base: {before.base or 'none'} -> {after.base or 'none'}"
    node, now = old.nodes.get(before.name), new.nodes.get(after.name)
    if node and now:
        yield from _socket_changes("input", _names(node, "inputs"), _names(now, "inputs"))
        yield from _socket_changes("output", _names(node, "outputs"), _names(now, "outputs"))


def _names(node: NodeType, side: Literal["inputs", "outputs"]) -> list[str]:
    return list(dict.fromkeys(socket.name for socket in (node.inputs if side == "inputs" else node.outputs)))


def _socket_changes(kind: str, before: list[str], after: list[str]) -> Iterator[str]:
    for word, names in (("removed", _without(before, after)), ("added", _without(after, before))):
        if names:
            yield f"{kind}{'s' if len(names) > 1 else ''} {word}: {_names_line(names)}"


def _property_changes(before: Property, after: Property) -> Iterator[str]:
    if (before.type, before.of) != (after.type, after.of):
        yield f"type: {_type_of(before)} -> {_type_of(after)}"
        return
    if (before.array, before.dynamic_array) != (after.array, after.dynamic_array):
        yield f"size: {_size(before)} -> {_size(after)}"
    if before.type == "ENUM" and not (before.open or after.open):
        items, now = [item.identifier for item in before.items], [item.identifier for item in after.items]
        for word, names in (("removed", _without(items, now)), ("added", _without(now, items))):
            if names:
                yield f"items {word}: {_names_line(names)}"
    if before.type != "COLLECTION" and not _same(before.default, after.default):
        yield f"default: {before.default!r} -> {after.default!r}"
    if (before.min, before.max) != (after.min, after.max):
        yield f"range: {_range(before)} -> {_range(after)}"
    if before.readonly != after.readonly:
        yield "is read-only now" if after.readonly else "can be set now"
    if after.deprecated and not before.deprecated:
        yield f"deprecated: {after.deprecated}"


def _argument_changes(before: _Signature, after: _Signature) -> Iterator[str]:
    for name in _without(before, after):
        yield f"argument removed: {name}"
    for name in _without(after, before):
        yield f"argument added: {name}{' (required)' if after[name].required else ''}"
    for name, argument in before.items():
        if name in after:
            for said in _property_changes(argument, after[name]):
                yield f"argument {name}: {said}"


def _same(before: Any, after: Any) -> bool:
    """True if two defaults are the same except for rounding."""
    match before, after:
        case float(), float():
            return math.isclose(before, after, rel_tol=1e-5, abs_tol=1e-5)
        case [*parts], [*other_parts]:
            return len(parts) == len(other_parts) and all(map(_same, parts, other_parts))
        case _:
            return bool(before == after)


def _without(names: Iterable[str], others: Collection[str]) -> list[str]:
    return [name for name in names if name not in others]


def _names_line(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _type_of(prop: Property) -> str:
    return f"{prop.type} of {prop.of}" if prop.of else prop.type


def _size(prop: Property) -> str:
    return "any" if prop.dynamic_array else " x ".join(str(size) for size in prop.array) or "a single value"


def _range(prop: Property) -> str:
    low, high = (f"{value:g}" if value is not None else "any" for value in (prop.min, prop.max))
    return f"{low} to {high}"
