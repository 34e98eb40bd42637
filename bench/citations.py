"""Whether citations are judged right: generated from the index of any repository, half of them wrong by a little.

    python -m bench.citations PATH [--number 1000]

A right one names lines that were shown. Its near twin names a line more, another file, a file that is not there, lines
beyond the end, or the lines of another passage.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from codebase.ask.citations import ShownLines, judge
from codebase.ask.finding import fresh_snapshot
from codebase.ask.passages import lines_in
from codebase.index.store import open_index

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


def main() -> None:
    """Print how many citations of a repository are judged right, and those that are not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--number", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        snapshot, _ = fresh_snapshot(given.path, Path(folder))
        with open_index(Path(folder)) as store:
            files = {path: lines_in(store, path) or 0 for path in snapshot.paths}
    cases = list(generated(files, given.number))
    wrong = [case for case in cases if bool(judge(case.answer, case.shown, files.get).citations) != case.holds]
    for case in wrong:
        print(f"wrong: {case}")
    print(f"{len(cases)} citations of {len(files)} files: {len(wrong)} judged wrong")


if __name__ == "__main__":
    main()
