"""Finds the symbols that a query names, by their spelling in scripts, or by their names in the user interface.

"bpy.ops.mesh.primitive_uv_sphere_add", "mesh.primitive_uv_sphere_add", "SubsurfModifier", "SUBSURF"   spelling
"uv sphere", "subdivision surface", "subsurf", "Principled BSDF"                                       vocabulary
"""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ingest.naming import DROPPED, PREFIXES, SymbolNames, essence
from search.stems import WORD, singular

IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
LOOKS_WRITTEN: Final = re.compile(r"[._]|[a-z][A-Z]|^[A-Z][A-Z0-9]{3,}$")
ESSENCE: Final = 0.8
"""The weight of a name without its optional words."""
PHRASE_WORDS: Final = 4
PHRASE_SYMBOLS: Final = 6
"""A phrase that names more symbols than this counts as naming none."""
NEAR: Final = 0.75


class NameIndex:
    """Every name of a reference, indexed for look-up."""

    def __init__(self, symbols: Iterable[SymbolNames]) -> None:
        self._exact: dict[str, list[int]] = defaultdict(list)
        self._phrases: dict[str, list[int]] = defaultdict(list)
        self._addresses: list[str] = []
        self._short: dict[str, str] = {}
        for row, symbol in enumerate(symbols):
            self._addresses.append(symbol.address)
            for spelling in symbol.spellings:
                self._exact[spelling].append(row)
            for phrase in symbol.phrases:
                self._phrases[phrase].append(row)
            if symbol.phrases:
                self._short.update(dict.fromkeys(symbol.spellings, symbol.address))

    def by_spelling(self, query: str) -> dict[int, str]:
        """Rows of the symbols that the query spells out, each with its spelling."""
        spellings_by_row: dict[int, str] = {}
        for written in identifiers(query):
            rows = self._exact.get(written.lower(), [])
            if len(rows) <= PHRASE_SYMBOLS:
                spellings_by_row.update(dict.fromkeys(rows, written))
        return spellings_by_row

    def by_label(self, query: str) -> dict[int, tuple[str, float]]:
        """Rows of the symbols that the query names as in the user interface.

        Each with the name and the share of the query's words that it covers.
        """
        words = [singular(word) for word in WORD.findall(query.lower())]
        names: dict[int, tuple[str, float]] = {}
        for phrase, share in phrases_in(words):
            rows = self._phrases.get(phrase, [])
            for row in rows if len(rows) <= PHRASE_SYMBOLS else ():
                if row not in names or names[row][1] < share:
                    names[row] = (phrase, share)
        return names

    def row_of(self, address: str) -> int | None:
        """Row of the only symbol that scripts write exactly like this; None without such a symbol, or with several.

        `Object` is the class, although attributes are called `object`.
        """
        rows = self._exact.get(address.lower(), [])
        rows = [row for row in rows if self._addresses[row].endswith(address)] or rows
        rows = [row for row in rows if self._addresses[row] in {prefix + address for prefix in PREFIXES}] or rows
        return rows[0] if len(rows) == 1 else None

    def near(self, address: str, limit: int = 5) -> list[str]:
        """The addresses nearest to one that does not exist."""
        leaf = address.rpartition(".")[2].lower()
        same_leaf = [known for known in self._addresses if known.rpartition(".")[2].lower() == leaf]
        if same_leaf:
            return difflib.get_close_matches(address, same_leaf, limit, 0.0)
        if address.startswith(PREFIXES):
            return difflib.get_close_matches(address, self._addresses, limit, NEAR)
        # A class or an operator, written without the imported part.
        short = difflib.get_close_matches(address.lower(), self._short, limit, NEAR)
        return list(dict.fromkeys(self._short[spelling] for spelling in short))


def identifiers(query: str) -> Iterator[str]:
    """The parts of the query that are written as in a script, and the query itself if it is one word."""
    for match in IDENTIFIER.finditer(query):
        written = match.group()
        if LOOKS_WRITTEN.search(written) or written == query.strip():
            yield written


def phrases_in(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Every phrase of a few words, and its essence, with the share of all words that it covers."""
    essential = [word for word in words if word not in DROPPED]
    for length in range(1, min(PHRASE_WORDS, len(words)) + 1):
        for start in range(len(words) - length + 1):
            run = words[start : start + length]
            yield " ".join(run), length / len(words)
            if essential and (short := essence(run)):
                yield short, ESSENCE * len(short.split()) / len(essential)
