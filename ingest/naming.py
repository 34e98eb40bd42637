"""The names of each symbol: its spellings in scripts, and its names in the user interface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ingest.chunks import in_words
from ingest.symbol import Symbol
from search.stems import WORD, singular

PREFIXES: Final = ("bpy.types.", "bpy.ops.", "bpy.", "bmesh.types.", "bmesh.ops.", "mathutils.")
DROPPED: Final = frozenset({
    "a", "add", "an", "clear", "compositor", "constraint", "create", "delete", "function", "geometry", "make",
    "modifier", "new", "node", "object", "of", "remove", "set", "setting", "shader", "strip", "texture", "the",
    "to", "toggle",
})  # fmt: skip
"""Words that one name has and another leaves out: the Subdivision Surface Modifier is the subdivision surface."""
NAMED_KINDS: Final = frozenset({"class", "operator", "function"})
"""Kinds that requests call by a name; any word may be the name of an attribute."""


class SymbolNames(NamedTuple):
    """The names of one symbol, in lower case. Only those of NAMED_KINDS have phrases."""

    address: str
    spellings: Sequence[str]
    phrases: Sequence[str]


def names_of(symbol: Symbol) -> SymbolNames:
    """The names of a symbol."""
    called = phrases(symbol) if symbol.kind in NAMED_KINDS else ()
    return SymbolNames(symbol.address, list(dict.fromkeys(spellings(symbol))), sorted(called))


def spellings(symbol: Symbol) -> Iterator[str]:
    """The spellings of a symbol in scripts: the address, without its imported part, the class or operator alone."""
    address = symbol.address.lower()
    yield address
    for prefix in PREFIXES:
        if address.startswith(prefix):
            yield address.removeprefix(prefix)
    if symbol.kind != "module":
        yield symbol.leaf.lower()
    yield from (alias.lower() for alias in symbol.aliases if alias.isupper())


def phrases(symbol: Symbol) -> set[str]:
    """The names of a symbol in words, whole and without optional words."""
    names = [WORD.findall(name.lower()) for name in (symbol.label, *symbol.aliases, in_words(symbol.leaf))]
    singulars = [[singular(word) for word in words] for words in names]
    return {phrase for words in singulars for phrase in (" ".join(words), essence(words)) if phrase}


def essence(words: Iterable[str]) -> str:
    """The words without the optional ones: "add uv sphere" is "uv sphere"."""
    return " ".join(word for word in words if word not in DROPPED)
