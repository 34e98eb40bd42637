"""What a model is shown for a question: passages of files with their line numbers, and the structure around them.

room ─┬─ a share for the structure
      ├─ files that the question names, whole or up to a share each
      └─ the units that were found, the best first, until nothing fits
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from codebase.ask.finding import JUDGED, JUDGED_PER_FILE, Freshness, Hit
from codebase.ask.lists import written_files
from codebase.ask.question import read_question
from codebase.ask.source import Source
from codebase.ask.sources import find_everywhere
from codebase.ask.structure import BUDGET, structure
from codebase.ask.warm import loaded
from codebase.index.store import Store, opened

STRUCTURE_SHARE: Final = 8
"""One part of so many is for the structure."""
PASSAGE_SHARE: Final = 4
"""One passage gets one part of so many at most."""
FILE_SHARE: Final = 2
"""The same for all passages of one file."""
NAMED_FILES: Final = 3
LINE_CHARACTERS: Final = 400
"""The rest of a longer line is not shown."""
FEWEST_LINES: Final = 5
"""A passage is not cut shorter than this."""
AROUND_BYTES: Final = 120
"""About what stands around a passage."""


@dataclasses.dataclass(frozen=True)
class Passage:
    """Lines of a file. `sha256` is that of the whole file; `source` is what it is from, if not the repository."""

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
class Reading:
    """What was found for a question, as far as there was room; `left_out` passages did not fit."""

    passages: list[Passage]
    structure: str
    left_out: int
    freshness: Freshness


def read_for(
    root: Path,
    folder: Path,
    sources: Sequence[Source],
    question: str,
    most: int,
    room_bytes: int,
    wanted: Collection[str] = (),
    first: Sequence[str] = (),
) -> Reading:
    """What to show for a question within a room; of what a judge may order, the citations in `first` come first.

    Raises what `find` does.
    """
    # Some of what is found lies in files that are shown whole.
    depth, per_file = (max(JUDGED, 2 * most), JUDGED_PER_FILE) if first else (2 * most, None)
    found = find_everywhere(root, folder, sources, question, depth, wanted, per_file=per_file)
    place = {citation: number for number, citation in enumerate(first)}
    hits = sorted(found.hits, key=lambda hit: place.get(hit.citation, len(place)))
    shape = structure(loaded(folder), min(BUDGET, room_bytes // STRUCTURE_SHARE))
    filling = _Filling(room_bytes - len(shape.encode()))
    with opened(folder) as store:
        hashes = {entry.path: entry.sha256 for entry in loaded(folder).entries}
        for path in named_files(folder, question):
            lines = numbered_lines(store.text(path) or "")
            filling.add(
                Passage(path, 1, len(lines), hashes[path], path, "file", "", ("named in the question",), ""), lines
            )
    most += len(filling.passages)
    for hit in hits:
        if len(filling.passages) < most:
            filling.add(*passage_of(hit, folder, sources))
    return Reading(filling.passages, shape, filling.left_out, found.freshness)


def passages_at(folder: Path, places: Sequence[tuple[str, str]], room_bytes: int) -> list[Passage]:
    """The lines of citations, each with a reason, as far as there is room; the first come first."""
    filling = _Filling(room_bytes)
    with opened(folder) as store:
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
    """The files whose path the question writes, outside a traceback."""
    snapshot = loaded(folder)
    scores = written_files(snapshot, read_question(question))
    yield from (snapshot.paths[int(place)] for place in scores.nonzero()[0][:NAMED_FILES])


def numbered_lines(text: str) -> list[str]:
    """The lines of a text; an empty last one is none."""
    lines = text.split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def passage_of(hit: Hit, folder: Path, sources: Sequence[Source]) -> tuple[Passage, list[str]]:
    """A hit as a passage without its text, and its lines."""
    path, _, span = hit.citation.rpartition(":")
    first, last = map(int, span.split("-"))
    index, inner = home_of(path, folder, sources)
    with opened(index) as store:
        sha256 = store.sha256(inner)
    return Passage(path, first, last, sha256, hit.name, hit.kind, hit.source, hit.reasons, ""), hit.text.split("\n")


def home_of(path: str, folder: Path, sources: Sequence[Source]) -> tuple[Path, str]:
    """The index that the path of a citation is in, and the path in there."""
    for source in sources:
        start = f"@{source.name}/"
        if path.startswith(start):
            return source.folder, path.removeprefix(start)
    return folder, path


class _Filling:
    """A room that is filled with passages, the first come first."""

    def __init__(self, room_bytes: int) -> None:
        self._room = room_bytes
        self._passage_room = room_bytes // PASSAGE_SHARE
        self._file_room: dict[str, int] = defaultdict(lambda: room_bytes // FILE_SHARE)
        self.passages: list[Passage] = []
        self.left_out = 0

    def add(self, passage: Passage, lines: Sequence[str]) -> None:
        """Take as many of the lines of a passage as there is room for, or count it as left out."""
        if any(self._holds(one, passage) for one in self.passages):
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

    def _holds(self, one: Passage, other: Passage) -> bool:
        return one.path == other.path and one.first <= other.first and other.last <= one.last


def length_of(folder: Path, sources: Sequence[Source], path: str) -> int | None:
    """How many lines the file of a citation has; None if there is no such file."""
    index, inner = home_of(path, folder, sources)
    with opened(index) as store:
        return lines_in(store, inner)


def lines_in(store: Store, path: str) -> int | None:
    text = store.text(path)
    return None if text is None else len(numbered_lines(text))
