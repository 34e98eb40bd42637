"""Measures the quality and speed with which retrieval finds the symbols that a right answer needs.

    python -m bench.retrieval [QUESTIONS.jsonl] [--blender 5.0]

Each line of the file is one question: {"id": ..., "query": ..., "gold": [addresses]}. Prints hit@k (one of the gold
symbols is among the first k), recall@10 and the mean reciprocal rank of the first, each for plain BM25 over whole
entries and for the ranking with one leg after another switched on, and the latency of a warm query, embedding included.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from app.retrieval.directory import Directory
from app.retrieval.rank import LEGS, QUESTION_LEGS, rank
from app.retrieval.retriever import Retriever, open_retriever
from app.settings import read_settings
from ingest.chunks import in_words
from ingest.symbol import Symbol

QUESTIONS: Final = Path(__file__).with_name("questions.jsonl")
DEPTH: Final = 50

Question = dict[str, Any]
Ranker = Callable[[str], list[str]]


def main() -> None:
    """Print the table and the latencies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="?", type=Path, default=QUESTIONS)
    parser.add_argument("--blender", help="version, series or reference; default: the newest build")
    given = parser.parse_args()
    settings = read_settings()
    retriever = open_retriever(settings)
    questions = [json.loads(line) for line in given.questions.read_text().splitlines() if line.strip()]
    directory = retriever.directory(given.blender)
    known = set(directory.addresses)
    lost = sum(symbol not in known for question in questions for symbol in question["gold"])
    print(f"{len(questions)} questions of {given.questions.name}, reference {directory.reference.name}:", end=" ")
    print(f"{len(known)} symbols, {directory.reference.questions} questions; {lost} gold symbols that it lacks")
    print(f"{'':32} hit@1  hit@5 hit@10 recall@10  MRR")
    for name, ranker in rankers(retriever, directory, given.blender).items():
        print(f"{name:32} {'  '.join(f'{figure:5.3f}' for figure in judge(questions, ranker))}")
    latencies = [timed(retriever, question["query"], given.blender) for question in questions * 2]
    print(
        f"one warm query, embedding and entries included: p50 {statistics.median(latencies) * 1000:.1f} ms,"
        f" p95 {statistics.quantiles(latencies, n=20)[-1] * 1000:.1f} ms"
    )
    if settings.cross_encoder is None:
        print("no cross-encoder is configured (BLENDPROOF_CROSS_ENCODER); its row is left out", file=sys.stderr)


def rankers(retriever: Retriever, directory: Directory, blender: str | None) -> dict[str, Ranker]:
    """The rankings to compare, the plainest first."""
    structure = tuple(leg for leg in LEGS if leg not in QUESTION_LEGS)

    def with_legs(*legs: str) -> Ranker:
        def ranked(query: str) -> list[str]:
            vector = retriever.embed(query, directory)
            return [directory.addresses[row] for row, _, _ in rank(directory, query, vector, legs)[:DEPTH]]

        return ranked

    compared = {
        "plain BM25 over whole entries": plain_bm25(directory),
        "full text only": with_legs("written"),
        "dense only": with_legs("meant"),
        "fused": with_legs("written", "meant"),
        "fused + structure": with_legs(*structure),
        "questions only": with_legs(*QUESTION_LEGS),
        "fused + structure + questions": with_legs(*LEGS),
    }
    if retriever.has_cross_encoder:
        compared["... + cross-encoder"] = lambda query: [
            hit.symbol.address for hit in retriever.search(query, blender, DEPTH)
        ]
    return compared


def judge(questions: list[Question], ranker: Ranker) -> tuple[float, float, float, float, float]:
    """hit@1, hit@5, hit@10, recall@10 and mean reciprocal rank."""
    first: list[int | None] = []
    recalls: list[float] = []
    for question in questions:
        gold = set(question["gold"])
        ranked = ranker(question["query"])
        first.append(next((place for place, address in enumerate(ranked, 1) if address in gold), None))
        recalls.append(len(gold & set(ranked[:10])) / len(gold))
    hits = [statistics.fmean(place is not None and place <= depth for place in first) for depth in (1, 5, 10)]
    return hits[0], hits[1], hits[2], statistics.fmean(recalls), statistics.fmean(1 / p if p else 0.0 for p in first)


def plain_bm25(directory: Directory) -> Ranker:
    """Okapi BM25 with its usual constants, over every word of an entry, without stemming."""
    documents = [words_of(symbol) for symbol in directory.symbols(range(len(directory.addresses)))]
    lengths = [sum(document.values()) for document in documents]
    mean = statistics.fmean(lengths)
    postings: dict[str, list[int]] = {}
    for row, document in enumerate(documents):
        for word in document:
            postings.setdefault(word, []).append(row)

    def ranked(query: str) -> list[str]:
        scores: dict[int, float] = defaultdict(float)
        for word in words(query):
            rows = postings.get(word, [])
            rarity = math.log(1 + (len(documents) - len(rows) + 0.5) / (len(rows) + 0.5))
            for row in rows:
                count = documents[row][word]
                scores[row] += rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * lengths[row] / mean))
        return [directory.addresses[row] for row in sorted(scores, key=lambda row: -scores[row])[:DEPTH]]

    return ranked


def words_of(symbol: Symbol) -> Counter[str]:
    said = [symbol.address, in_words(symbol.address), symbol.label, symbol.signature, symbol.description, symbol.type]
    said += [f"{parameter.name} {parameter.description}" for parameter in symbol.parameters]
    said += [f"{item.identifier} {item.name} {item.description}" for item in symbol.items]
    return Counter(word for text in said for word in words(text))


def words(text: str) -> list[str]:
    return "".join(char.lower() if char.isalnum() else " " for char in text).split()


def timed(retriever: Retriever, query: str, blender: str | None) -> float:
    """Seconds of one search."""
    started = time.perf_counter()
    retriever.search(query, blender)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
