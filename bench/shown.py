"""Measures the share of the symbols of right snippets that a model was shown, in the prompt and in exemplars.

    python -m bench.shown [ANSWERS.jsonl ...] [--fit] [--exemplars] [--show ID] [--blender 5.0]

Each line of a file has a request and what a right answer uses: {"request": ..., "snippet": ...}, {"query": ..., "gold":
[addresses]}, or {"task": id, "snippet": ...} with the id of a task in `bench/tasks*.jsonl`. Without a file the two sets
of the repository are measured: `answers-fresh.jsonl`, on which the weights were fitted, and `answers-unseen.jsonl`.

    shown    the share of the particular symbols that were in the prompt; those that more than one snippet in eight of
             the file uses are left out, because they say nothing about a request
    tokens   the mean size of the section, counted as three characters a token
    plain    the same share for the first twelve symbols of a search for the whole request

`--fit` prints weights for `app/retrieval/gather.py` that a logistic regression finds on the first file. `--exemplars`
prints for each nearness the share of the particular symbols that the nearest exemplar uses.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.blenders.manifests import Manifests
from app.blenders.preparation import blenders_of
from app.drafting.material import NEAR_ENOUGH, symbol_tokens
from app.llm.message import tokens_of
from app.pipeline.nodes import SYMBOLS
from app.prompting.shown import write_symbols
from app.reading import addresses_used
from app.retrieval.gather import WEIGHTS, candidates_for
from app.retrieval.retriever import Retriever, open_retriever
from app.settings import read_settings
from harness.blenders import choose
from ingest.manifest import Manifest
from ingest.ways import ways_of
from search.clauses import parts_of

HERE: Final = Path(__file__).parent
ANSWERS: Final = (HERE / "answers-fresh.jsonl", HERE / "answers-unseen.jsonl")
PLAIN: Final = 12
COMMON: Final = 1 / 8
STEPS: Final = 3000
STEP: Final = 0.5
NEARLY_NOTHING: Final = 0.1
BINS: Final = (0.0, 0.4, 0.45, 0.5, NEAR_ENOUGH, 0.6, 0.7, 1.01)


@dataclass(frozen=True)
class Answer:
    """A request, and the particular symbols that a right snippet uses."""

    name: str
    request: str
    used: frozenset[str]


def main() -> None:
    """Print the figures of each file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("answers", nargs="*", type=Path)
    parser.add_argument("--fit", action="store_true", help="fit the weights on the first file")
    parser.add_argument("--exemplars", action="store_true", help="what the nearest exemplar uses")
    parser.add_argument("--show", default="", help="print the section of this task, and what is missing")
    parser.add_argument("--blender", help="version, series or label; default: the default Blender")
    given = parser.parse_args()
    settings = read_settings()
    manifest = Manifests(settings.home).of(choose(blenders_of(settings), given.blender))
    retriever = open_retriever(settings)
    files = given.answers or ANSWERS
    sets = {file.name: read_answers(file, manifest) for file in files}
    if given.fit:
        print({sign: round(weight, 2) for sign, weight in fitted(sets[files[0].name], retriever, manifest).items()})
    for name, answers in sets.items():
        print(f"{name}, Blender {manifest.version}: {measure(answers, retriever, manifest, given.show)}")
        if given.exemplars:
            print("\n".join(by_nearness(answers, retriever, manifest)))


def read_answers(file: Path, manifest: Manifest) -> list[Answer]:
    """The answers of a file, without the symbols that many of them use."""
    requests = {task["id"]: task["request"] for tasks in HERE.glob("tasks*.jsonl") for task in lines_of(tasks)}
    told: list[tuple[str, str, frozenset[str]]] = []
    for one in lines_of(file):
        request = one.get("request") or one.get("query") or requests.get(one.get("task"))
        if request is None:
            raise SystemExit(f"{file}: {one.get('task') or one} is no task of bench/tasks*.jsonl, and has no request.")
        used = one["gold"] if "gold" in one else addresses_used(one["snippet"], manifest)
        told.append((one.get("task") or one.get("id", ""), request, frozenset(used)))
    counts = Counter(address for _, _, used in told for address in used)
    common = {address for address, count in counts.items() if count > len(told) * COMMON}
    return [Answer(name, request, used - common) for name, request, used in told]


def lines_of(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def measure(answers: Sequence[Answer], retriever: Retriever, manifest: Manifest, show: str) -> str:
    """The shares, the size of the section, and the milliseconds of a request."""
    shown = plain = 0
    tokens: list[int] = []
    counts: list[int] = []
    took: list[float] = []
    for one in answers:
        started = time.perf_counter()
        found = [hit.address for hit in retriever.gather(one.request, manifest, SYMBOLS)]
        section = write_symbols(found, one.request, ways_of(manifest), symbol_tokens(one.request))
        took.append(time.perf_counter() - started)
        hits = {hit.symbol.address for hit in retriever.search(one.request, manifest.version, PLAIN)}
        shown += len(one.used & set(section.addresses))
        plain += len(one.used & hits)
        tokens.append(tokens_of(str(section)))
        counts.append(len(section.addresses))
        if show and one.name == show:
            print(f"{one.request}\n\n{section}\n\nmissing: {sorted(one.used - set(section.addresses))}\n")
    needed = sum(len(one.used) for one in answers)
    return (
        f"{len(answers)} answers, {needed} particular symbols: shown {shown / needed:.3f}, plain {plain / needed:.3f};"
        f" {statistics.fmean(counts):.0f} symbols in {statistics.fmean(tokens):.0f} tokens (at most {max(tokens)});"
        f" p50 {statistics.median(took) * 1000:.0f} ms, p95 {statistics.quantiles(took, n=20)[-1] * 1000:.0f} ms"
    )


def fitted(answers: Sequence[Answer], retriever: Retriever, manifest: Manifest) -> dict[str, float]:
    """The weights of a logistic regression: which candidates are used, from what speaks for them."""
    directory, ways = retriever.directory(manifest.version), ways_of(manifest)
    rows: list[list[float]] = []
    used: list[bool] = []
    for one in answers:
        vectors = retriever.embed_all(parts_of(one.request), directory)
        for address, signs in candidates_for(directory, one.request, vectors, ways).signs.items():
            rows.append([*(signs.get(sign, 0.0) for sign in WEIGHTS), 1.0])
            used.append(address in one.used)
    told, wanted = np.array(rows), np.array(used, dtype=float)
    share = float(wanted.mean())
    worth = np.where(wanted > 0, 1 / share, 1 / (1 - share)) / 2
    weights = np.zeros(told.shape[1])
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-told @ weights))
        weights -= STEP * (told.T @ ((said - wanted) * worth) + weights) / len(wanted)
    return dict(zip(WEIGHTS, weights.tolist(), strict=False))


def by_nearness(answers: Sequence[Answer], retriever: Retriever, manifest: Manifest) -> Iterator[str]:
    """For each range of nearness, what the nearest exemplars use of the particular symbols."""
    found: list[tuple[float, float]] = []
    for one in answers:
        for exemplar in retriever.exemplars(one.request, manifest.version, 1):
            uses = one.used & set(addresses_used(exemplar.snippet, manifest))
            found.append((exemplar.nearness, len(uses) / len(one.used) if one.used else math.nan))
    for low, high in itertools.pairwise(BINS):
        shares = [share for near, share in found if low <= near < high and not math.isnan(share)]
        if shares:
            nothing = sum(share < NEARLY_NOTHING for share in shares)
            mean = statistics.fmean(shares)
            yield f"  {low:.2f} to {high:.2f}: {len(shares)} exemplars use {mean:.2f} of it; {nothing} nearly nothing"


if __name__ == "__main__":
    main()
