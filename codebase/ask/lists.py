"""The lists that a ranking is fused from: each scores every file, or every unit, by one kind of evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from codebase.ask.question import ParsedQuestion
from codebase.index.matrices import Numbers, Vector
from codebase.index.snapshot import Snapshot

DEPTH: Final = 200
"""Places of a list that count."""
SEEDS: Final = 20
"""Files from which imports and common changes are followed."""
COMMON: Final = 30
"""A name that more units than this define is ignored."""


def known_terms(terms: Mapping[str, float], ids: Mapping[str, int]) -> dict[int, float]:
    """The weights of the terms that the index has."""
    return {ids[term]: weight for term, weight in terms.items() if term in ids}


def best_per_file(snapshot: Snapshot, units: Vector) -> Vector:
    """The score of the best unit of each file."""
    best = np.zeros(len(snapshot.paths), dtype=np.float32)
    np.maximum.at(best, snapshot.unit_file, units)
    return best


def named_units(snapshot: Snapshot, question: ParsedQuestion) -> Vector:
    """Units whose name is in the question; a name with many definitions counts less for each."""
    scores = np.zeros(len(snapshot.units), dtype=np.float32)
    for name, weight in question.identifiers.items():
        places = snapshot.definitions.get(name, [])
        if 0 < len(places) <= COMMON:
            scores[places] += weight / len(places) ** 0.5
    return scores


def sought_units(snapshot: Snapshot, question: ParsedQuestion) -> Vector:
    """Units whose definition is asked for, by their name or the end of their qualified name."""
    scores = np.zeros(len(snapshot.units), dtype=np.float32)
    for name in question.sought:
        for place in snapshot.definitions.get(name.rpartition(".")[2], []):
            if f".{snapshot.units[place].name}".endswith(f".{name}"):
                scores[place] = 1.0
    return scores


def members(snapshot: Snapshot, question: ParsedQuestion, text: Vector) -> Vector:
    """Methods of the classes that the question names, those that share its words first."""
    scores = np.zeros(len(snapshot.units), dtype=np.float32)
    most = float(text.max(initial=0.0)) or 1.0
    for name, weight in question.identifiers.items():
        places = [place for place in snapshot.definitions.get(name, []) if snapshot.units[place].kind == "class"]
        for place in places if len(places) <= COMMON else []:
            start = f"{snapshot.units[place].name}."
            for member in snapshot.file_units[int(snapshot.unit_file[place])]:
                if snapshot.units[member].name.startswith(start):
                    scores[member] += weight / len(places) ** 0.5 * (1 + text[member] / most)
    return scores


def inside(snapshot: Snapshot, files: Vector, text: Vector) -> Vector:
    """Units of the files that score, with those that share words with the question first."""
    return np.asarray(files[snapshot.unit_file] * (1 + text / (float(text.max(initial=0.0)) or 1.0)), dtype=np.float32)


def named_files(snapshot: Snapshot, units: Vector) -> Vector:
    """Files by the names that they define: the sum over their units."""
    return np.bincount(snapshot.unit_file, weights=units, minlength=len(snapshot.paths)).astype(np.float32)


def path_words(snapshot: Snapshot, question: ParsedQuestion) -> Vector:
    """Files whose path holds words of the question."""
    ids, bm25 = snapshot.path_terms
    return bm25.scores(known_terms(question.terms, ids))


def written_files(snapshot: Snapshot, question: ParsedQuestion) -> Vector:
    """Files whose path is written in the question, outside a traceback."""
    scores = np.zeros(len(snapshot.paths), dtype=np.float32)
    in_frames = {frame.path for frame in question.frames}
    for path in question.paths:
        for place in files_at(snapshot, path) if not any(frame.endswith(path) for frame in in_frames) else []:
            scores[place] += 1.0
    return scores


def traced_files(snapshot: Snapshot, question: ParsedQuestion) -> Vector:
    """Files of the modules that dotted names begin with, and of the frames of a traceback, the last frame first."""
    scores = np.zeros(len(snapshot.paths), dtype=np.float32)
    for dotted in question.dotted:
        module = dotted_file(snapshot, dotted)
        if module is not None:
            scores[module] += 0.5
    frames = [place for frame in question.frames for place in files_at(snapshot, frame.path)[:1]]
    for depth, place in enumerate(frames, 1):
        scores[place] += depth / len(frames)
    return scores


def files_at(snapshot: Snapshot, path: str) -> list[int]:
    """The files that a path of any machine can mean: those that share most of its end, if they are few."""
    parts = path.strip("/").split("/")
    for start in range(len(parts)):
        end = "/".join(parts[start:])
        if end in snapshot.number:
            return [snapshot.number[end]]
    name = parts[-1]
    ends = snapshot.by_name.get(name, [])
    common = [(common_parts(snapshot.paths[place].split("/"), parts), place) for place in ends]
    most = max(common, default=(0, 0))[0]
    longest = [place for count, place in common if count == most]
    return longest if len(longest) <= 3 and (most > 1 or len(parts) == 1) else []


def common_parts(parts: list[str], other: list[str]) -> int:
    """The number of parts that two paths have in common at their ends."""
    pairs = zip(reversed(parts), reversed(other), strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), len(parts))


def dotted_file(snapshot: Snapshot, dotted: str) -> int | None:
    """The file of the longest module that a dotted name begins with."""
    parts = dotted.split(".")
    for end in range(len(parts), 1, -1):
        path = snapshot.modules.file_of(".".join(parts[:end]))
        if path is not None:
            return snapshot.number[path]
    return None


def framed_units(snapshot: Snapshot, question: ParsedQuestion) -> Vector:
    """Units that a traceback names, with the last frame first."""
    scores = np.zeros(len(snapshot.units), dtype=np.float32)
    for depth, frame in enumerate(question.frames, 1):
        for file in files_at(snapshot, frame.path)[:1]:
            for place in snapshot.file_units[file]:
                unit = snapshot.units[place]
                if frame.function and unit.name.rpartition(".")[2] == frame.function.rpartition(".")[2]:
                    scores[place] += depth
    return scores


def seeds_of(scores: Mapping[int, float], size: int) -> Vector:
    """The first files of a ranking, with shares that add up to one."""
    seeds = np.zeros(size, dtype=np.float32)
    first = list(scores.items())[:SEEDS]
    total = sum(score for _, score in first) or 1.0
    for place, score in first:
        seeds[place] = score / total
    return seeds


def near_files(snapshot: Snapshot, seeds: Vector) -> Vector:
    """One step of PageRank from the seeds, along imports in both directions."""
    imports = snapshot.imports
    onward = imports.turned @ (seeds / np.maximum(imports.sums, 1)).astype(np.float32)
    back = imports @ (seeds / np.maximum(imports.turned.sums, 1)).astype(np.float32)
    return np.asarray(seeds + onward + back, dtype=np.float32)


def changed_together(snapshot: Snapshot, seeds: Vector) -> Vector:
    """One step from the seeds to the other files of the same commits."""
    commits = snapshot.commits
    return np.asarray(commits.turned @ (commits @ seeds) * (seeds == 0), dtype=np.float32)


def package_files(snapshot: Snapshot, seeds: Vector) -> Vector:
    """Files of the folders that hold most of the seeds."""
    return seeds_by(snapshot.folders, seeds)


def seeds_by(groups: Numbers, seeds: Vector) -> Vector:
    sums = np.bincount(groups, weights=seeds)
    sizes = np.bincount(groups)
    return np.asarray((sums / np.sqrt(np.maximum(sizes, 1)))[groups], dtype=np.float32)


def best_places(scores: Vector, depth: int = DEPTH) -> list[int]:
    """The places of the best scores above zero, best first."""
    depth = min(depth, int(np.count_nonzero(scores > 0)))
    if not depth:
        return []
    first = np.argpartition(-scores, depth - 1)[:depth]
    return [int(place) for place in first[np.lexsort((first, -scores[first]))]]
