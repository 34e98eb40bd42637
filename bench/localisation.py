"""Measures how often the files and functions that an issue was solved in are found from its text alone.

    python -m bench.localisation ITEMS.jsonl CLONE [--part even|odd] [--indexes FOLDER] [--vectors]
                                [--by-model | --recorded ANSWERS.jsonl]

Each line of ITEMS is an issue: {"id", "base_commit", "issue", "gold_files", "patch"}. CLONE is the repository, with the
history up to each base commit; it is not written to. `--indexes` keeps the index of each item for the next run.
`--by-model` ranks with one call of the model that is set up, too; `--recorded` with answers that were recorded, such as
`bench/recorded/answers/places.jsonl`, and only the issues that have one.

Prints strict Acc@k (all that the patch changes is among the first k) of files and of functions, for three baselines,
for the ranking, and for the ranking without each of its lists; then seconds. Functions are those of the old version
whose lines the patch changes; an issue that was solved without changing one does not count for them.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from app.llm.models import Models
from app.settings import read_settings
from bench.patches import FUNCTIONS, changed_functions, hunks
from bench.rankers import COMPARED, Corpus, Ranker, RecordedModel, by_model, ours
from bench.recorded.records import read_records
from codebase.ask.ranking import FILE_WEIGHTS, UNIT_WEIGHTS, rank
from codebase.index.indexing import update
from codebase.index.meaning import EmbeddingModel, choose_model, embed_missing
from codebase.index.snapshot import Snapshot, load
from codebase.index.store import FILE, open_index

FILE_DEPTHS: Final = (1, 5, 10)
FUNCTION_DEPTHS: Final = (5, 10)
Found = tuple[list[str], list[str]]
"""Paths of files and names of functions as `path:name`, each best first."""


@dataclasses.dataclass
class Item:
    """An issue at its base commit."""

    facts: dict[str, Any]
    corpus: Corpus

    @property
    def snapshot(self) -> Snapshot:
        return self.corpus.snapshot

    def gold_functions(self) -> set[str]:
        found: set[str] = set()
        for hunk in hunks(self.facts["patch"]):
            if hunk.path in self.corpus.texts:
                units = self.snapshot.entries[self.snapshot.number[hunk.path]].parsed.units
                changed = changed_functions(units, hunk, self.corpus.texts[hunk.path].split("\n"))
                found |= {f"{hunk.path}:{name}" for name in changed}
        return found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("items", type=Path)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--part", choices=("even", "odd", "all"), default="all", help="items by their line, from 0")
    parser.add_argument("--indexes", type=Path, help="folder that keeps the index of each item")
    parser.add_argument("--vectors", action="store_true", help="embed units that have no vector, and rank by meaning")
    parser.add_argument("--by-model", action="store_true", help="rank with one call of a model too")
    parser.add_argument("--recorded", type=Path, help="answers to rank with, as of bench.recorded")
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.items.read_text().splitlines() if line.strip()]
    rows = {"even": rows[0::2], "odd": rows[1::2], "all": rows}[given.part]
    compared = rankers()
    if given.by_model:
        settings = read_settings()
        compared["by a model"] = by_model(lambda _question, _found: Models(settings.model_providers()))
    if given.recorded:
        records = {record.task: record for record in read_records(given.recorded)}
        rows = [row for row in rows if row["id"] in records]
        by_issue = {row["issue"]: records[row["id"]] for row in rows}
        compared["by a model"] = by_model(lambda question, found: RecordedModel(by_issue[question], found))
    hits: dict[str, list[list[bool]]] = {}
    seconds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as work:
        for number, facts in enumerate(rows, 1):
            print(f"{number}/{len(rows)} {facts['id']}", file=sys.stderr)
            item = prepared(
                facts, given.clone, Path(work), given.indexes, seconds, packaged() if given.vectors else None
            )
            gold = item.gold_functions()
            for name, ranker in compared.items():
                began = time.perf_counter()
                ranked = ranker(item.corpus, facts["issue"])
                seconds.setdefault(f"query: {name}", []).append(time.perf_counter() - began)
                found = paths_of(item, ranked[0]), functions_of(item, ranked[1])
                hits.setdefault(name, []).append(judged(found, facts["gold_files"], gold))
    show(hits, seconds)


def prepared(
    facts: dict[str, Any],
    clone: Path,
    work: Path,
    indexes: Path | None,
    seconds: dict[str, list[float]],
    model: EmbeddingModel | None,
) -> Item:
    """The index of the repository at the base commit of an item, in memory."""
    folder = (indexes or work) / (facts["id"] if indexes else "index")
    if not indexes or not (folder / FILE).exists():
        indexed = index_at(facts["base_commit"], clone, work)
        seconds.setdefault(f"index: {'first' if 'index: first' not in seconds else 'next commit'}", []).append(indexed)
        if indexes:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(work / "index" / FILE, folder / FILE)
    if model:
        began = time.perf_counter()
        with open_index(folder, to_write=True) as store:
            choose_model(store, model)
            embed_missing(store, model, None, lambda said: print(said, file=sys.stderr))
        seconds.setdefault("embed", []).append(time.perf_counter() - began)
    began = time.perf_counter()
    snapshot = load(folder)
    seconds.setdefault("load", []).append(time.perf_counter() - began)
    with open_index(folder) as store:
        texts = {path: store.text(path) or "" for path in snapshot.paths}
    rank(snapshot, "warm")
    return Item(facts, Corpus(snapshot, texts))


def packaged() -> EmbeddingModel:
    """The embedding model of the settings."""
    settings = read_settings()
    return EmbeddingModel(settings.embedding_model, str(settings.home))


def index_at(commit: str, clone: Path, work: Path) -> float:
    """Check a commit out and bring the index up to date with it; returns the seconds of the latter."""
    tree = work / "tree"
    if not tree.exists():
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(clone), str(tree)], check=True)
    subprocess.run(["git", "-C", str(tree), "checkout", "-qf", commit], check=True)
    return update(tree, work / "index").seconds


def rankers() -> dict[str, Ranker]:
    """The rankings to compare, then that of the project without each of its lists."""
    names = [name for name in (*FILE_WEIGHTS, *UNIT_WEIGHTS) if name != "its file"]
    return COMPARED | {f"- {name}": ours(name) for name in dict.fromkeys(names)}


def paths_of(item: Item, files: Iterable[int]) -> list[str]:
    return [item.snapshot.paths[place] for place in files]


def functions_of(item: Item, units: Iterable[int]) -> list[str]:
    """The functions among units as `path:name`; an inner function stands for the outer one, and each is named once."""
    return list(dict.fromkeys(outermost(item.snapshot, units)))


def outermost(snapshot: Snapshot, units: Iterable[int]) -> Iterator[str]:
    for place in units:
        unit, file = snapshot.units[place], int(snapshot.unit_file[place])
        if unit.kind in FUNCTIONS:
            around = [
                snapshot.units[one]
                for one in snapshot.file_units[file]
                if snapshot.units[one].kind in FUNCTIONS
                and snapshot.units[one].first <= unit.first
                and unit.last <= snapshot.units[one].last
            ]
            yield f"{snapshot.paths[file]}:{min(around, key=lambda one: (one.first, -one.last)).name}"


def judged(found: Found, files: Sequence[str], functions: set[str]) -> list[bool]:
    """True per depth if all is among the first; functions are left out if the patch changes none."""
    hits = [set(files) <= set(found[0][:depth]) for depth in FILE_DEPTHS]
    return hits + ([functions <= set(found[1][:depth]) for depth in FUNCTION_DEPTHS] if functions else [])


def show(hits: Mapping[str, Sequence[Sequence[bool]]], seconds: Mapping[str, Sequence[float]]) -> None:
    columns = [*(f"file@{depth}" for depth in FILE_DEPTHS), *(f"func@{depth}" for depth in FUNCTION_DEPTHS)]
    print(f"{'':32}" + "".join(f"{column:>9}" for column in columns))
    for name, rows in hits.items():
        shares = [[row[column] for row in rows if len(row) > column] for column in range(len(columns))]
        print(f"{name:32}" + "".join(f"{100 * statistics.mean(share or [0]):9.1f}" for share in shares))
    first = next(iter(hits.values()))
    print(f"{len(first)} issues, {sum(len(row) > len(FILE_DEPTHS) for row in first)} with changed functions")
    for name, times in seconds.items():
        if not name.startswith("query: -"):
            slow = sorted(times)[int(0.95 * (len(times) - 1))]
            print(f"{name:40} p50 {statistics.median(times):8.4f} s   p95 {slow:8.4f} s   n {len(times)}")


if __name__ == "__main__":
    main()
