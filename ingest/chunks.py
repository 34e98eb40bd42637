"""Makes the chunk of each symbol: the text to embed, the text to search by words, and a digest."""

from __future__ import annotations

import dataclasses
import re
from typing import Final

from ingest.symbol import Symbol
from search.tables import text_digest

TEXT_LIMIT: Final = 1500
"""Characters of the text to embed; the model does not read more."""
ATTRIBUTE_LIMIT: Final = 320
"""Characters for an attribute: there are ten thousand of them, and the first sentence says enough."""
ITEMS_SHOWN: Final = 14
CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
SEPARATORS: Final = re.compile(r"[._\W]+")


@dataclasses.dataclass(frozen=True)
class Chunk:
    """One symbol in the form of the index."""

    symbol: Symbol
    text: str
    """The text to embed: plain words first, the address in words last."""
    terms: str
    """The text to search by words: the text above, the address whole and in parts, arguments and items."""

    @property
    def digest(self) -> str:
        """A digest that changes only with the text to embed."""
        return text_digest(self.text)


def chunk_of(symbol: Symbol) -> Chunk:
    """The chunk of one symbol."""
    return Chunk(symbol, embedded_text(symbol), searched_terms(symbol))


def embedded_text(symbol: Symbol) -> str:
    owner = in_words(symbol.owner.rpartition(".")[2])
    title = symbol.label or in_words(symbol.leaf)
    parts = [f"{owner}: {title}" if symbol.kind in {"attribute", "method", "operator", "function"} else title]
    if in_words(symbol.leaf).lower() != title.lower():
        parts.append(in_words(symbol.leaf))
    if symbol.description:
        parts.append(symbol.description)
    if symbol.items:
        parts.append(", ".join(item.name or in_words(item.identifier) for item in symbol.items[:ITEMS_SHOWN]))
    if symbol.kind in {"operator", "function", "method"} and symbol.parameters:
        parts.append(", ".join(in_words(parameter.name) for parameter in symbol.parameters[:10]))
    return ". ".join(parts)[: ATTRIBUTE_LIMIT if symbol.kind == "attribute" else TEXT_LIMIT]


def searched_terms(symbol: Symbol) -> str:
    said = [symbol.label, *symbol.aliases, in_words(symbol.address), symbol.leaf, symbol.description]
    said += [f"{item.identifier} {item.name}" for item in symbol.items]
    said += [in_words(parameter.name) for parameter in symbol.parameters]
    return " ".join(part for part in said if part)


def in_words(name: str) -> str:
    """`SubsurfModifier` and `primitive_uv_sphere_add` as words."""
    return " ".join(SEPARATORS.split(CAMEL.sub(" ", name))).strip()
