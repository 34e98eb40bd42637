"""The next places to look: the family of a class, siblings that share its words, and links in the prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from selectolax.lexbor import LexborNode

from ingest.article import Block, addresses_in, children, text_of

MAX_NEIGHBOURS: Final = 12
MAX_SIBLINGS: Final = 6

_FAMILY: Final = re.compile(r"(base class(es)?|subclasses) —|Class hierarchy:")


class Family:
    """The base classes of a class, its subclasses, and its users."""

    def __init__(self, name: str, page: LexborNode | None, description: LexborNode | None) -> None:
        self.bases: tuple[str, ...] = ()
        self.heirs: list[str] = []
        self.users: list[str] = []
        self.declared = False
        paragraphs = page.css("p") if page else []
        paragraphs += [child for child in children(description) if child.tag == "p"] if description else []
        for paragraph in paragraphs:
            self._read(name, paragraph)
        for section in page.css('[id^="references"]') if page else []:
            users = [user for table in section.css("table.hlist") for user in addresses_in(table)]
            self.users = [user for user in users if not user.startswith(f"{name}.")][:MAX_SIBLINGS]

    def _read(self, name: str, paragraph: LexborNode) -> None:
        told = _FAMILY.match(text_of(paragraph))
        if told is None:
            return
        relatives = [address for address in addresses_in(paragraph) if address != name]
        if told.group() == "subclasses —":
            self.heirs = relatives[:MAX_SIBLINGS]
            return
        self.bases = tuple(reversed(relatives))
        self.declared = True


class Siblings:
    """Finds members of the same class or module with similar names."""

    def __init__(self, addresses: Iterable[str]) -> None:
        self._by_word: dict[tuple[str, str], list[str]] = {}
        for address in addresses:
            for key in self._keys(address):
                self._by_word.setdefault(key, []).append(address)

    def of(self, address: str) -> list[str]:
        """The nearest first; a word that few share weighs more than one that many share."""
        scores: dict[str, float] = {}
        for key in self._keys(address):
            sharing = self._by_word.get(key, [])
            for sibling in sharing:
                scores[sibling] = scores.get(sibling, 0.0) + 1 / len(sharing)
        scores.pop(address, None)
        return sorted(scores, key=lambda sibling: -scores[sibling])[:MAX_SIBLINGS]

    @staticmethod
    def _keys(address: str) -> list[tuple[str, str]]:
        owner, _, leaf = address.rpartition(".")
        return [(owner, word) for word in dict.fromkeys(leaf.split("_")) if word]


def owner_of(address: str) -> str:
    """The class or module of an address; empty at the top."""
    return address.rpartition(".")[0]


def linked(field: LexborNode | None) -> list[str]:
    """The symbols that a field links to."""
    return addresses_in(field) if field else []


def mentions(description: LexborNode | None) -> list[str]:
    """The symbols that the prose links to, but not those in lists, which are long and seldom about the subject."""
    if description is None:
        return []
    told = [child for child in children(description) if child.tag in ("p", "div") and not _is_family(child)]
    return [address for child in told for address in addresses_in(child)]


def _is_family(node: LexborNode) -> bool:
    return _FAMILY.match(text_of(node)) is not None


def without_family(content: Iterable[Block]) -> Iterator[Block]:
    """The prose without the paragraphs on bases and subclasses."""
    return (block for block in content if not _FAMILY.match(block.text))
