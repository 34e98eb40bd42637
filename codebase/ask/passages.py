"""Material for a model that answers a question: passages of files with line numbers, and the structure around them.

room ─┬─ a share for the structure
      ├─ files that the question names, whole or up to a share each
            └─ the units that were found, the best first, until the room is full
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from codebase.ask.finding import JUDGED, JUDGED_PER_FILE, Freshness, UnitHit
from codebase.ask.lists import written_files
from codebase.ask.question import read_question
from codebase.ask.source import FurtherSource
from codebase.ask.sources import find_everywhere
from codebase.ask.structure import BUDGET, structure
from codebase.ask.warm import load_warm
from codebase.index.store import Store, open_index

STRUCTURE_SHARE: Final = 8
"""The structure gets one part of this many."""
PASSAGE_SHARE: Final = 4
"""A passage gets at most one part of this many."""
FILE_SHARE: Final = 2
"""All passages of a file together get at most one part of this many."""
NAMED_FILES: Final = 3
LINE_CHARACTERS: Final = 400
"""The rest of a longer line is not shown."""
FEWEST_LINES: Final = 5
"""A passage is never cut shorter than this."""
AROUND_BYTES: Final = 120
"""About the size of the text around a passage."""


@dataclasses.dataclass(frozen=True)
class Passage:
    """Lines of a file. `sha256` is that of the whole file; `source` is its origin, if not the repository."""

    path: str
    first: int
    last: int
    sha256: str
    name: str
    kind: str
    source: str
    reasons: tuple[str, ...]
    text: str

    @property
    def citation(self) -> str:
        return f"{self.path}:{self.first}-{self.last}"


@dataclasses.dataclass(frozen=True)
class PassageSelection:
    """The passages for a question, as far as there was room; `left_out` passages did not fit."""

    passages: list[Passage]
    structure: str
    left_out: int
    freshness: Freshness


def read_for(
    root: Path,
    folder: Path,
    sources: Sequence[FurtherSource],
    question: str,
    most: int,
    room_bytes: int,
    wanted: Collection[str] = (),
    first: Sequence[str] = (),
) -> PassageSelection:
    """Select the material for a question within a room; of the hits, the citations in `first` come first.

    Raises what `find` raises.
    """
    # Twice as many, because some hits lie in files that are shown whole.
    depth, per_file = (max(JUDGED, 2 * most), JUDGED_PER_FILE) if first else (2 * most, None)
    result = find_everywhere(root, folder, sources, question, depth, wanted, per_file=per_file)
    place = {citation: number for number, citation in enumerate(first)}
    hits = sorted(result.hits, key=lambda hit: place.get(hit.citation, len(place)))
    shape = structure(load_warm(folder), min(BUDGET, room_bytes // STRUCTURE_SHARE))
    filling = _Filling(room_bytes - len(shape.encode()))
    with open_index(folder) as store:
        hashes = {entry.path: entry.sha256 for entry in load_warm(folder).entries}
        for path in named_files(folder, question):
            lines = numbered_lines(store.text(path) or "")
            filling.add(
                Passage(path, 1, len(lines), hashes[path], path, "file", "", ("named in the question",), ""), lines
            )
    most += len(filling.passages)
    for hit in hits:
        if len(filling.passages) < most:
            filling.add(*passage_of(hit, folder, sources))
    return PassageSelection(filling.passages, shape, filling.left_out, result.freshness)


def passages_at(folder: Path, places: Sequence[tuple[str, str]], room_bytes: int) -> list[Passage]:
    """The lines of citations, each with a reason, as far as there is room; earlier ones first."""
    filling = _Filling(room_bytes)
    with open_index(folder) as store:
        for citation, reason in places:
            path, _, span = citation.rpartition(":")
            first, _, last = span.partition("-")
            lines = numbered_lines(store.text(path) or "")[int(first) - 1 : int(last or first)]
            if lines:
                end = int(first) + len(lines) - 1
                passage = Passage(path, int(first), end, store.sha256(path), "", "lines", "", (reason,), "")
                filling.add(passage, lines)
    return filling.passages


def named_files(folder: Path, question: str) -> Iterator[str]:
    """The files whose path is written in the question, outside a traceback."""
    snapshot = load_warm(folder)
    scores = written_files(snapshot, read_question(question))
    yield from (snapshot.paths[int(place)] for place in scores.nonzero()[0][:NAMED_FILES])


def numbered_lines(text: str) -> list[str]:
    """The lines of a text, without an empty last line."""
    lines = text.split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def passage_of(hit: UnitHit, folder: Path, sources: Sequence[FurtherSource]) -> tuple[Passage, list[str]]:
    """A hit as a passage without its text, and its lines."""
    path, _, span = hit.citation.rpartition(":")
    first, last = map(int, span.split("-"))
    index, inner = home_of(path, folder, sources)
    with open_index(index) as store:
        sha256 = store.sha256(inner)
    return Passage(path, first, last, sha256, hit.name, hit.kind, hit.source, hit.reasons, ""), hit.text.split("\n")


def home_of(path: str, folder: Path, sources: Sequence[FurtherSource]) -> tuple[Path, str]:
    """The index that holds the path of a citation, and the path in that index."""
    for source in sources:
        start = f"@{source.name}/"
        if path.startswith(start):
            return source.folder, path.removeprefix(start)
    return folder, path


class _Filling:
    """A room that is filled with passages, in the order of their arrival."""

    def __init__(self, room_bytes: int) -> None:
        self._room = room_bytes
        self._passage_room = room_bytes // PASSAGE_SHARE
        self._file_room: dict[str, int] = defaultdict(lambda: room_bytes // FILE_SHARE)
        self.passages: list[Passage] = []
        self.left_out = 0

    def add(self, passage: Passage, lines: Sequence[str]) -> None:
        """Take as many lines of a passage as there is room for, or count it as left out."""
        if any(self._holds(earlier, passage) for earlier in self.passages):
            return
        kept: list[str] = []
        around = AROUND_BYTES + len(passage.path.encode())
        room = min(self._room, self._passage_room, self._file_room[passage.path]) - around
        for number, line in enumerate(lines, passage.first):
            written = f"{number}| {line[:LINE_CHARACTERS]}"
            room -= len(written.encode()) + 1
            if room < 0:
                break
            kept.append(written)
        if len(kept) < min(FEWEST_LINES, len(lines)):
            self.left_out += 1
            return
        text = "\n".join(kept)
        self._room -= len(text.encode()) + around
        self._file_room[passage.path] -= len(text.encode()) + around
        self.passages.append(dataclasses.replace(passage, last=passage.first + len(kept) - 1, text=text))

    def _holds(self, outer: Passage, inner: Passage) -> bool:
        return outer.path == inner.path and outer.first <= inner.first and inner.last <= outer.last


def length_of(folder: Path, sources: Sequence[FurtherSource], path: str) -> int | None:
    """The number of lines of a cited file; None if there is no such file."""
    index, inner = home_of(path, folder, sources)
    with open_index(index) as store:
        return lines_in(store, inner)


def lines_in(store: Store, path: str) -> int | None:
    text = store.text(path)
    return None if text is None else len(numbered_lines(text))
