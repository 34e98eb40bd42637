"""Answers with citations over the files of any repository, half of them wrong by a little."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping
from typing import Final

from codebase.ask.citations import ShownLines

FORMS: Final = ("It is in [{}].", "`{}` does that.", "See {} and the caller.", "({})")


@dataclasses.dataclass(frozen=True)
class Case:
    """An answer with one citation, what its author was shown, and whether the citation holds."""

    answer: str
    shown: list[ShownLines]
    holds: bool


def generated(files: Mapping[str, int], number: int) -> Iterator[Case]:
    """Cases over files with their numbers of lines, right and wrong in turn."""
    rng = random.Random(28)
    paths = sorted(path for path, lines in files.items() if lines >= 4 and " " not in path)
    for place in range(number):
        path, other = rng.choice(paths), rng.choice(paths)
        first = rng.randint(2, files[path] - 2)
        last = rng.randint(first, files[path] - 1)
        shown = [ShownLines(path, first, last, "")]
        begin = rng.randint(first, last)
        right = f"{path}:{begin}-{rng.randint(begin, last)}"
        wrong = (
            f"{path}:{first - 1}-{last}",
            f"{path}:{first}-{last + 1}",
            f"{path}:{first}-{files[path] + 1}",
            f"{path}:{last + 1}",
            f"{path.rpartition('.')[0]}_gone.py:{first}-{last}",
            f"{other}:{first}-{last}" if other != path else f"{path}:0-{last}",
            f"{path}:{last}-{first}" if last > first else f"{path}:{last + 1}-{first}",
        )
        holds = place % 2 == 0
        yield Case(rng.choice(FORMS).format(right if holds else rng.choice(wrong)), shown, holds)
