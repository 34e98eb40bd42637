"""Tests that citations are judged right: generated from the index of any repository, half of them wrong by a little.

    python -m bench.citations PATH [--number 1000]

A right one names lines that were shown. Its near twin names a line more, another file, a file that is not there, lines
beyond the end, or the lines of another passage.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from codebase.ask.citations import judge
from codebase.ask.finding import fresh_snapshot
from codebase.ask.passages import lines_in
from codebase.index.store import open_index
from tests.codebase.generated_citations import generated


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
