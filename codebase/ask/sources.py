"""A repository together with further sources of truth: packages that it uses, documentation, solved issues.

Each has an index of its own. Its units are marked, begin their citation with `@name/`, and rank lower than those of
the repository itself, unless the question or the caller asks for the source.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from codebase.ask.finding import Judge, RepositoryHits, UnitHit, find, hits_in
from codebase.ask.ranking import MOST_UNITS
from codebase.ask.source import FurtherSource
from codebase.ask.warm import load_warm
from codebase.errors import RepositoryIndexUnusable

LOWERED: Final = 0.5
"""The best hit of a source that was not asked for has at most this part of the score of the repository's best."""
SHARE: Final = 4
"""One hit of this many goes to sources that were not asked for; these come last."""


def find_everywhere(
    root: Path,
    folder: Path,
    sources: Sequence[FurtherSource],
    question: str,
    most: int = MOST_UNITS,
    wanted: Collection[str] = (),
    judge: Judge | None = None,
    per_file: int | None = None,
) -> RepositoryHits:
    """The units of a repository and its sources for a question, at most `per_file` of one file.

    `wanted` are names of sources, and `judge` puts the first units of the repository in another order.

    Raises what `find` raises. The sources are searched as they were last indexed.
    """
    result = find(root, folder, question, most, judge, per_file)
    best = max((hit.score for hit in result.hits), default=1.0)
    first, last = list(result.hits), list[UnitHit]()
    for source in sources:
        is_asked = source.asked_for(question, wanted)
        (first if is_asked else last).extend(scale(hits_from(source, question, most, per_file), best))
    last = in_order(last)[: most // SHARE if first else most]
    first = in_order(first)[: most - len(last)]
    below = min(LOWERED * best, first[-1].score if first else best)
    return dataclasses.replace(result, hits=[*first, *scale(last, below)])


def in_order(hits: Iterable[UnitHit]) -> list[UnitHit]:
    """Hits by their scores."""
    return sorted(hits, key=lambda hit: -hit.score)


def scale(hits: Iterable[UnitHit], best: float) -> list[UnitHit]:
    """Hits of one index, scaled to this best score: scores of several indexes cannot be compared."""
    hits = list(hits)
    most = max((hit.score for hit in hits), default=1.0)
    return [dataclasses.replace(hit, score=hit.score / most * best) for hit in hits]


def hits_from(source: FurtherSource, question: str, most: int, per_file: int | None = None) -> Iterator[UnitHit]:
    """The hits of a source for a question; none if it is not indexed."""
    try:
        snapshot = load_warm(source.folder)
    except RepositoryIndexUnusable:
        return
    for hit in hits_in(snapshot, source.folder, question, most, per_file=per_file)[0]:
        yield dataclasses.replace(
            hit,
            citation=f"@{source.name}/{hit.citation}",
            reasons=(source.mark, *hit.reasons),
            source=source.mark,
        )
