"""Writes the symbols and exemplars for a request into a prompt: two sections within a budget, the best first.

addresses ─> shown.py ─> symbols, by class, with the names of this build
exemplars ─> near enough ─> technique.py, in a reader ─> names of this build ─> at most one
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.drafting.technique import technique
from app.llm.message import tokens_of
from app.prompting.exemplar import Exemplar
from app.prompting.shown import write_symbols
from harness.readers import Readers, ReadingFailed
from harness.versions import version_key
from ingest.manifest import Manifest
from ingest.ways import Ways
from search.clauses import parts_of

PROMPT_TOKENS: Final = 8_000
"""Tokens that a prompt may have, however large the window is."""
LEAST_ROOM: Final = 1_000
"""Room that is left for symbols if the request itself fills the prompt."""
MOST_SYMBOL_TOKENS: Final = 4_000
SYMBOL_TOKENS: Final = 300
SYMBOL_TOKENS_EACH: Final = 130
"""Tokens of symbols, and more for each part of a request."""
NEAR_ENOUGH: Final = 0.53
"""Nearness from which an exemplar helps; measured by `python -m bench.shown --exemplars`."""
NEEDED: Final = 100
"""An exemplar is cut to the code that uses this many first symbols."""
SOCKET: Final = re.compile(r"""\b(inputs|outputs)\[(["'])([^"'\n]{1,60})\2\]""")
NODE: Final = re.compile(r"""["']((?:Shader|Geometry|Compositor|Function|Texture)Node\w{1,60})["']""")


@dataclass(frozen=True)
class PromptMaterial:
    """The symbols and exemplars for a request, the best first; `ways` is None if the API of the target is not known."""

    addresses: Sequence[str]
    exemplars: Sequence[Exemplar]
    ways: Ways | None


@dataclass(frozen=True)
class Sections:
    """The two sections of a prompt, empty if there is nothing to show, and their contents in words."""

    symbols: str
    exemplars: str
    said: str


def room_beside(bare: int, window: int) -> int:
    """Tokens for symbols and exemplars in a prompt that has `bare` tokens without them, in a window."""
    return max(min(window - bare, max(PROMPT_TOKENS - bare, LEAST_ROOM)), 0)


def symbol_tokens(request: str) -> int:
    """Tokens of symbols that a request gets: more for one of many parts."""
    return min(SYMBOL_TOKENS + SYMBOL_TOKENS_EACH * len(parts_of(request)), MOST_SYMBOL_TOKENS)


async def write_material(readers: Readers, material: PromptMaterial, request: str, room: int) -> Sections:
    """The sections for a request within `room` tokens."""
    if material.ways is None:
        return Sections("", "", "shown 0 symbols and 0 recipes")
    symbols = write_symbols(material.addresses, request, material.ways, min(symbol_tokens(request), room))
    exemplar = await write_exemplar(readers, material, material.ways, room - tokens_of(str(symbols)))
    said = f"shown {len(symbols.addresses)} symbols and {int(bool(exemplar))} recipes"
    return Sections(str(symbols), exemplar, said)


async def write_exemplar(readers: Readers, material: PromptMaterial, ways: Ways, room: int) -> str:
    """The nearest exemplar that is near enough and fits, cut to its technique; empty if none is."""
    needed = [leaf for address in material.addresses[:NEEDED] if (leaf := address.rpartition(".")[2])]
    version = list(version_key(ways.manifest.version))
    for exemplar in material.exemplars:
        if exemplar.nearness < NEAR_ENOUGH:
            break
        try:
            code = await readers.ask(technique, exemplar.snippet, version, needed)
        except ReadingFailed:
            continue
        code = with_names_of(code, ways.manifest) if code else ""
        text = f"# {exemplar.title}\n```python\n{code}\n```"
        if code and tokens_of(text) <= room:
            return text
    return ""


def with_names_of(code: str, manifest: Manifest) -> str:
    """The code with the names that sockets have in this build; empty if it makes a node that this build lacks."""
    nodes, said = manifest.nodes, set(NODE.findall(code))
    if not said <= set(manifest.types):
        return ""
    used = said & set(nodes)
    sides = {side: [socket for name in used for socket in getattr(nodes[name], side)] for side in ("inputs", "outputs")}

    def with_name(match: re.Match[str]) -> str:
        side, quote, name = match.groups()
        if any(socket.name == name for socket in sides[side]):
            return match.group()
        target = next((socket.name for socket in sides[side] if socket.identifier == name), name)
        return f"{side}[{quote}{target}{quote}]"

    return SOCKET.sub(with_name, code)
