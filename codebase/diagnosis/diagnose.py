"""Diagnoses a log: from its errors to crash lines, what is used there, what is known, and suspects with reasons.

log -> errors -> frames -> places -> crash lines -> definitions, values, callers, changes -> evidence -> suspects
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from codebase.ask.finding import Freshness, fresh_snapshot
from codebase.ask.ranking import rank
from codebase.diagnosis.crash import AROUND, Scene, Trace, scenes_of, traces
from codebase.diagnosis.hints import hint_of, meaning_of, meaning_of_request
from codebase.diagnosis.issues import Issue
from codebase.diagnosis.known import Known, alike, confirmed_in, fitting, identity, note_diagnosed
from codebase.diagnosis.places import Places
from codebase.diagnosis.recent_commits import changes_of, newest_lines
from codebase.diagnosis.requests import answering
from codebase.diagnosis.shapes import CallerSaid, Crash, DefinitionSaid, Diagnosis, ErrorSaid, FrameSaid, RequestSaid
from codebase.diagnosis.texts import Texts
from codebase.diagnosis.uses import Definition, Definitions, callers
from codebase.diagnosis.weighing import FRAMES, Weighing
from codebase.graph.edge import KINDS, Edge
from codebase.graph.graph import Graph
from codebase.index.snapshot import Snapshot
from codebase.index.store import open_index
from codebase.tracebacks.error import Error, Log, Request
from codebase.tracebacks.log import read_log

SUSPECTS: Final = 10
LEFT_OUT: Final = 3
CRASHES: Final = 5
CALLERS: Final = 10
DEFINITIONS: Final = 30
QUESTION: Final = 4000
"""Characters of a log that are searched for as words."""


@dataclasses.dataclass(frozen=True)
class Basis:
    """What a diagnosis is made from: the index, the files, the edges, and what is known."""

    snapshot: Snapshot
    texts: Texts
    graph: Graph
    folder: Path
    freshness: Freshness
    issues: Sequence[Issue] = ()


def diagnose(root: Path, folder: Path, text: str, issues: Sequence[Issue] = ()) -> Diagnosis:
    """Diagnose a log for the repository below `root` with its index in `folder`, so that it can be confirmed later.

    Raises what `fresh_snapshot` does.
    """
    return diagnosis_of(basis_of(root, folder, issues), text)


def basis_of(root: Path, folder: Path, issues: Sequence[Issue] = ()) -> Basis:
    """What a diagnosis of a repository is made from, as its files are now. Raises what `fresh_snapshot` does."""
    snapshot, freshness = fresh_snapshot(root, folder)
    return Basis(snapshot, Texts(root), snapshot.graph, folder, freshness, issues)


def diagnosis_of(basis: Basis, text: str) -> Diagnosis:
    """Diagnose a log for what is in memory."""
    log = read_log(text)
    found = traces(log.errors, Places(basis.snapshot, basis.texts))
    definitions = Definitions(basis.snapshot, basis.texts, basis.graph)
    scenes = [scenes_of(trace, basis.texts, definitions, FRAMES) for trace in found]
    first = main_error(found)
    known = known_for(basis, found[first] if found else None)
    weighing = weighed(basis, definitions, found, scenes, text)
    weighing.known(known)
    routes = {one.path: answering(basis.snapshot, basis.texts, one.path) for one in log.requests}
    weighing.routes([edge for edges in routes.values() for edge in edges], alone=not found)
    facts = signature(basis.snapshot, found[first] if found else None)
    if found:
        note_diagnosed(basis.folder, identity(*facts), *facts)
    return Diagnosis(
        id=identity(*facts),
        errors=[error_said(trace) for trace in found],
        crashes=crashes_of(basis, found, scenes),
        requests=[request_said(basis, one, routes[one.path]) for one in log.requests],
        known=known,
        drift=[],
        symbols=[],
        suspects=weighing.evidence.suspects(SUSPECTS),
        examined=examined(basis, log, found),
        stopped=None if any(routes.values()) else why_stopped(basis, log, found),
        versions=log.versions,
        left_out=log.left_out,
        freshness=basis.freshness,
    )


def weighed(
    basis: Basis, definitions: Definitions, found: Sequence[Trace], scenes: Sequence[Sequence[Scene]], text: str
) -> Weighing:
    """The evidence of all errors, of the words of the log, and of the history of what is suspected."""
    weighing = Weighing(basis.snapshot, basis.texts, basis.graph, definitions)
    for trace, its_scenes, factor in zip(found, scenes, factors(found, scenes), strict=True):
        weighing.trace(trace, its_scenes, hint_of(trace.error), factor)
    said = "\n".join(trace.error.title for trace in reversed(found))
    weighing.words(rank(basis.snapshot, said[:QUESTION] or text[-QUESTION:]))
    weighing.lately(*ages(basis, weighing.evidence.ranked()[: SUSPECTS * 2]))
    return weighing


def factors(found: Sequence[Trace], scenes: Sequence[Sequence[Scene]]) -> list[float]:
    """How much each error counts: most in the last chain of errors, and there the one that began it."""
    weights: list[float] = []
    chain_starts = [n for n, trace in enumerate(found) if not trace.error.relation]
    last = chain_starts[-1] if chain_starts else 0
    for n, trace in enumerate(found):
        following = found[n + 1].error.relation if n + 1 < len(found) else ""
        reading = scenes[n][0].reading if scenes[n] else None
        wraps = trace.error.relation in ("cause", "context") and reading is not None and reading.is_raise
        reports = following in ("inside", "part")
        weights.append((1.0 if n >= last else 0.5) * (0.6 if wraps else 0.35 if reports else 1.0))
    return weights


def main_error(found: Sequence[Trace]) -> int:
    """The error that a diagnosis is known by: the last one that broke in the repository."""
    return next((n for n in range(len(found) - 1, -1, -1) if found[n].inside), len(found) - 1)


def signature(snapshot: Snapshot, trace: Trace | None) -> tuple[str, str, str, str]:
    """Type, message, and file and function where it broke."""
    if trace is None:
        return "", "", "", ""
    place = trace.inside[0] if trace.inside else None
    name = snapshot.units[place.unit].name if place and place.unit is not None else ""
    return trace.error.type, trace.error.message, place.path if place else "", name


def error_said(trace: Trace) -> ErrorSaid:
    error = trace.error
    frames = [
        FrameSaid(
            frame.path,
            frame.line,
            frame.function,
            f"{place.path}:{place.line}" if place else None,
            place.says if place else "not in this repository" if frame.is_in_file else "not in a file",
        )
        for frame, place in zip(error.frames, trace.places, strict=True)
    ]
    facts = (error.title, error.type, error.message, error.relation, error.language, error.line)
    return ErrorSaid(*facts, frames, meaning_of(error))


def crashes_of(basis: Basis, found: Sequence[Trace], scenes: Sequence[Sequence[Scene]]) -> list[Crash]:
    """The innermost line of each error in the repository, the last error first, each line once."""
    crashes: dict[str, Crash] = {}
    for trace, its_scenes in zip(reversed(found), reversed(scenes), strict=True):
        if its_scenes and len(crashes) < CRASHES:
            place = its_scenes[0].place
            if f"{place.path}:{place.line}" not in crashes:
                crashes[f"{place.path}:{place.line}"] = crash_of(basis, trace.error, its_scenes[0])
    return list(crashes.values())


def crash_of(basis: Basis, error: Error, scene: Scene) -> Crash:
    place, texts = scene.place, basis.texts
    first, around = texts.around(place.path, place.line, AROUND)
    unit = basis.snapshot.units[place.unit] if place.unit is not None else None
    begin, end = (scene.reading.first, scene.reading.last) if scene.reading else (place.line, place.line)
    changes, missing = changes_of(texts.root, place.path, texts.lines(place.path), begin, end)
    calling, frameworks = connected(basis, place.unit)
    return Crash(
        citation=f"{place.path}:{place.line}",
        function=unit.name if unit else "",
        signature=unit.signature if unit else "",
        error=error.title,
        says=place.says,
        around=around,
        around_citation=f"{place.path}:{first}-{first + around.count(chr(10))}",
        definitions=[definition_said(one) for one in scene.definitions if one.used.depth == 0][:DEFINITIONS],
        values=[definition_said(one) for one in scene.definitions if one.used.depth][:DEFINITIONS],
        parameters=list(scene.reading.parameters) if scene.reading else [],
        callers=calling,
        frameworks=frameworks,
        changes=changes,
        changes_missing=missing,
    )


def definition_said(one: Definition) -> DefinitionSaid:
    used = one.used
    return DefinitionSaid(one.citation, one.name, one.kind, one.signature, one.certainty, used.text, used.depth)


def connected(basis: Basis, unit: int | None) -> tuple[list[CallerSaid], list[CallerSaid]]:
    """The callers of a unit, and what a framework connects with it."""
    if unit is None:
        return [], []
    calling = [caller_said(basis, edge.source, edge) for edge in callers(basis.graph, unit) if edge.kind in KINDS]
    links = [(edge.target, edge) for edge in basis.graph.edges_from(unit)]
    links += [(edge.source, edge) for edge in basis.graph.edges_to(unit)]
    frameworks = [caller_said(basis, other, edge) for other, edge in links if edge.kind not in KINDS]
    return calling[:CALLERS], frameworks[:CALLERS]


def caller_said(basis: Basis, unit: int, edge: Edge) -> CallerSaid:
    """A unit at the other end of an edge; cited by the line of the edge if that is in it, otherwise by its own."""
    snapshot = basis.snapshot
    one, path = snapshot.units[unit], snapshot.paths[int(snapshot.unit_file[unit])]
    line = edge.line if unit == edge.source else one.first
    return CallerSaid(f"{path}:{line}", one.name or path, edge.kind, edge.certainty)


def request_said(basis: Basis, request: Request, routes: Sequence[Edge]) -> RequestSaid:
    facts = (request.method, request.path, request.status, request.line)
    views = [caller_said(basis, edge.target, edge) for edge in routes]
    return RequestSaid(*facts, views, meaning_of_request(request))


def known_for(basis: Basis, trace: Trace | None) -> list[Known]:
    """Confirmed diagnoses and solved issues that fit the error."""
    if trace is None:
        return []
    name, message, path, function = signature(basis.snapshot, trace)
    found = fitting(confirmed_in(basis.folder), name, message, path, function)
    return found[:5] + alike(basis.issues, name, message, "solved issue")


def ages(basis: Basis, units: Sequence[int]) -> tuple[Sequence[int], dict[int, float]]:
    """How lately the lines of some units were changed, from 0 to 1; empty if all are as old."""
    snapshot = basis.snapshot
    times: dict[int, int] = {}
    lines: dict[str, dict[int, int]] = {}
    for unit in units:
        path = snapshot.paths[int(snapshot.unit_file[unit])]
        if path not in lines and snapshot.commit and len(lines) < CRASHES:
            lines[path] = newest_lines(basis.texts.root, path, basis.texts.lines(path))
        one = snapshot.units[unit]
        times[unit] = max(
            (when for line, when in lines.get(path, {}).items() if one.first <= line <= one.last), default=0
        )
    known = [when for when in times.values() if when]
    oldest, newest = min(known, default=0), max(known, default=0)
    if newest == oldest:
        return units, {}
    return units, {unit: (when - oldest) / (newest - oldest) for unit, when in times.items() if when}


def examined(basis: Basis, log: Log, found: Sequence[Trace]) -> list[str]:
    """What was looked at, in words."""
    frames = sum(len(trace.places) for trace in found)
    inside = sum(len(trace.inside) for trace in found)
    said = [f"{len(log.errors)} errors with {frames} frames, {inside} of them in this repository"]
    said.append(f"{len(log.requests)} failed requests")
    said.append(f"{len(basis.snapshot.paths)} files and {len(basis.snapshot.units)} units of the index")
    said.append(f"{len(confirmed_in(basis.folder))} confirmed diagnoses and {len(basis.issues)} solved issues")
    if log.left_out:
        said.append(f"the first {log.left_out} characters of the log were not read")
    return said


def why_stopped(basis: Basis, log: Log, found: Sequence[Trace]) -> str | None:
    """Why no frame leads anywhere; None if one does."""
    if any(trace.inside for trace in found):
        return None
    if not log.errors and not log.requests:
        return "The log holds no error that is known here: no traceback, no stack, no failed request."
    paths = list(dict.fromkeys(frame.path for frame in log.frames if frame.is_in_file))
    if not paths and log.requests:
        return (
            "No route here leads to a request that failed, and the log names no file: the suspects rest on its words."
        )
    if not paths:
        return "The log names no file: the suspects rest on its words alone."
    of = f"None of the {len(paths)} files" if len(paths) > 1 else "The file"
    left_out = "".join(f" {path} was left out: {why}." for path, why in files_left_out(basis, paths))
    verb = "is in this repository" if len(paths) > 1 else "is not in this repository"
    return f"{of} that the log names {verb} ({', '.join(paths[-3:])}): the suspects rest on its words.{left_out}"


def files_left_out(basis: Basis, paths: Sequence[str]) -> list[tuple[str, str]]:
    """The first files of these names that are in the repository and not in the index, each with the reason."""
    names = {path.rpartition("/")[2] for path in paths}
    with open_index(basis.folder) as store:
        skipped = store.skipped()
    return [(path, why) for path, why in skipped.items() if path.rpartition("/")[2] in names][:LEFT_OUT]
