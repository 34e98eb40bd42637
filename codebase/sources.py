"""A repository together with further sources of truth: packages that it uses, documentation, solved issues.

Each has an index of its own. What is found there is marked, begins its citation with `@name/`, and ranks lower than
what the repository says itself, unless the question or the caller asks for it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from codebase.errors import IndexUnusable
from codebase.finding import Found, Hit, Judge, find, hits_in
from codebase.ranking import MOST_UNITS
from codebase.warm import loaded

LOWERED: Final = 0.5
"""The factor of what is from a source that was not asked for."""
SHARE: Final = 4
"""Of so many hits, one at most is from sources that were not asked for."""


@dataclasses.dataclass(frozen=True)
class Source:
    """A further source of a repository: its name, what it is, and the folder of its index."""

    name: str
    mark: str
    folder: Path

    def asked_for(self, question: str, wanted: Collection[str]) -> bool:
        """Whether the caller or the question names it."""
        return self.name in wanted or re.search(rf"\b{re.escape(self.name)}\b", question, re.IGNORECASE) is not None


def find_everywhere(
    root: Path,
    folder: Path,
    sources: Sequence[Source],
    question: str,
    most: int = MOST_UNITS,
    wanted: Collection[str] = (),
    judge: Judge | None = None,
) -> Found:
    """The units of a repository and its sources that a question is about.

    `wanted` are names of sources, and `judge` puts the first of each in another order.

    Raises what `find` does. The sources are searched as they were indexed last.
    """
    found = find(root, folder, question, most, judge)
    asked, others = list(found.hits), list[Hit]()
    for source in sources:
        is_asked = source.asked_for(question, wanted)
        (asked if is_asked else others).extend(said_by(source, question, most, 1.0 if is_asked else LOWERED))
    others = sorted(others, key=lambda hit: -hit.score)[: most if not asked else most // SHARE]
    hits = sorted([*asked, *others], key=lambda hit: -hit.score)[:most]
    return dataclasses.replace(found, hits=hits)


def said_by(source: Source, question: str, most: int, factor: float) -> Iterator[Hit]:
    """What a source has on a question; nothing if it is not indexed."""
    try:
        snapshot = loaded(source.folder)
    except IndexUnusable:
        return
    for hit in hits_in(snapshot, source.folder, question, most)[0]:
        yield dataclasses.replace(
            hit,
            citation=f"@{source.name}/{hit.citation}",
            score=hit.score * factor,
            reasons=(source.mark, *hit.reasons),
            source=source.mark,
        )
