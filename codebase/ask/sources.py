"""A repository together with further sources of truth: packages that it uses, documentation, solved issues.

Each has an index of its own. What is found there is marked, begins its citation with `@name/`, and ranks lower than
what the repository says itself, unless the question or the caller asks for it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from codebase.ask.finding import Found, Hit, Judge, find, hits_in
from codebase.ask.ranking import MOST_UNITS
from codebase.ask.source import Source
from codebase.ask.warm import loaded
from codebase.errors import IndexUnusable

LOWERED: Final = 0.5
"""The best of a source that was not asked for has this part of the score of the best of the repository, or less."""
SHARE: Final = 4
"""Of so many hits, one is left to sources that were not asked for; they come last."""


def find_everywhere(
    root: Path,
    folder: Path,
    sources: Sequence[Source],
    question: str,
    most: int = MOST_UNITS,
    wanted: Collection[str] = (),
    judge: Judge | None = None,
    per_file: int | None = None,
) -> Found:
    """The units of a repository and its sources that a question is about, at most so many of one file.

    `wanted` are names of sources, and `judge` puts the first units of the repository in another order.

    Raises what `find` does. The sources are searched as they were indexed last.
    """
    found = find(root, folder, question, most, judge, per_file)
    best = max((hit.score for hit in found.hits), default=1.0)
    first, last = list(found.hits), list[Hit]()
    for source in sources:
        is_asked = source.asked_for(question, wanted)
        (first if is_asked else last).extend(scaled(said_by(source, question, most, per_file), best))
    last = in_order(last)[: most // SHARE if first else most]
    first = in_order(first)[: most - len(last)]
    below = min(LOWERED * best, first[-1].score if first else best)
    return dataclasses.replace(found, hits=[*first, *scaled(last, below)])


def in_order(hits: Iterable[Hit]) -> list[Hit]:
    """Hits by their scores."""
    return sorted(hits, key=lambda hit: -hit.score)


def scaled(hits: Iterable[Hit], best: float) -> list[Hit]:
    """Hits of one index so that the best has this score: scores of several indexes are not to be compared."""
    hits = list(hits)
    most = max((hit.score for hit in hits), default=1.0)
    return [dataclasses.replace(hit, score=hit.score / most * best) for hit in hits]


def said_by(source: Source, question: str, most: int, per_file: int | None = None) -> Iterator[Hit]:
    """What a source has on a question; nothing if it is not indexed."""
    try:
        snapshot = loaded(source.folder)
    except IndexUnusable:
        return
    for hit in hits_in(snapshot, source.folder, question, most, per_file=per_file)[0]:
        yield dataclasses.replace(
            hit,
            citation=f"@{source.name}/{hit.citation}",
            reasons=(source.mark, *hit.reasons),
            source=source.mark,
        )
