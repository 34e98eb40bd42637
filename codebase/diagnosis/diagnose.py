"""Diagnoses a log: from its errors to crash lines, definitions used there, known errors, and suspects with reasons.

log -> errors -> frames -> places -> crash lines -> definitions, values, callers, changes -> evidence -> suspects
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from codebase.ask.finding import Freshness, fresh_snapshot
from codebase.ask.ranking import Ranking, rank
from codebase.diagnosis.crash import AROUND, Trace, TraceScene, scenes_of, traces
from codebase.diagnosis.hints import hint_of, meaning_of, meaning_of_request
from codebase.diagnosis.issues import Issue
from codebase.diagnosis.known import KnownError, alike, confirmations_in, fitting, identity, note_diagnosis
from codebase.diagnosis.places import FramePlaces
from codebase.diagnosis.recent_commits import changes_of, newest_lines
from codebase.diagnosis.requests import answering
from codebase.diagnosis.shapes import (
    CallerReport,
    Crash,
    DefinitionReport,
    Diagnosis,
    ErrorReport,
    FrameReport,
    RequestReport,
)
from codebase.diagnosis.texts import Texts
from codebase.diagnosis.uses import Definition, Definitions, callers
from codebase.diagnosis.weighing import FRAMES, Weighing
from codebase.graph.edge import KINDS, Edge
from codebase.graph.graph import UnitGraph
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
    """The basis of a diagnosis: the index, the files, the edges, and solved issues."""

    snapshot: Snapshot
    texts: Texts
    graph: UnitGraph
    folder: Path
    freshness: Freshness
    issues: Sequence[Issue] = ()


def diagnose(root: Path, folder: Path, text: str, issues: Sequence[Issue] = ()) -> Diagnosis:
    """Diagnose a log for the repository below `root` with its index in `folder`, so that it can be confirmed later.

    Raises what `fresh_snapshot` raises.
    """
    return diagnosis_of(basis_of(root, folder, issues), text)


def basis_of(root: Path, folder: Path, issues: Sequence[Issue] = ()) -> Basis:
    """The basis for a repository, as its files are now. Raises what `fresh_snapshot` raises."""
    snapshot, freshness = fresh_snapshot(root, folder)
    return Basis(snapshot, Texts(root), snapshot.graph, folder, freshness, issues)


def diagnosis_of(basis: Basis, text: str) -> Diagnosis:
    """Diagnose a log on a basis in memory."""
    log = read_log(text)
    failures = traces(log.errors, FramePlaces(basis.snapshot, basis.texts))
    definitions = Definitions(basis.snapshot, basis.texts, basis.graph)
    scenes = [scenes_of(trace, basis.texts, definitions, FRAMES) for trace in failures]
    first = main_error(failures)
    known = known_for(basis, failures[first] if failures else None)
    weighing, found = weighing_of(basis, definitions, failures, scenes, text)
    weighing.weigh_known(known)
    routes = {request.path: answering(basis.snapshot, basis.texts, request.path) for request in log.requests}
    weighing.routes([edge for edges in routes.values() for edge in edges], alone=not failures)
    is_lost = not (known or any(routes.values()) or any(trace.inside for trace in failures))
    facts = signature(basis.snapshot, failures[first] if failures else None)
    if failures:
        note_diagnosis(basis.folder, identity(*facts), *facts)
    return Diagnosis(
        id=identity(*facts),
        errors=[error_report(trace) for trace in failures],
        crashes=crashes_of(basis, failures, scenes),
        requests=[request_report(basis, request, routes[request.path]) for request in log.requests],
        known=known,
        drift=[],
        symbols=[],
        suspects=weighing.evidence.suspects(SUSPECTS, found, is_lost),
        examined=extent_of(basis, log, failures),
        stopped=None if any(routes.values()) else stop_reason(basis, log, failures),
        versions=log.versions,
        left_out=log.left_out,
        freshness=basis.freshness,
    )


def weighing_of(
    basis: Basis, definitions: Definitions, failures: Sequence[Trace], scenes: Sequence[Sequence[TraceScene]], text: str
) -> tuple[Weighing, Ranking]:
    """The evidence of all errors, of the words of the log, and of the history of the suspects; and what words found."""
    weighing = Weighing(basis.snapshot, basis.texts, basis.graph, definitions)
    for trace, its_scenes, factor in zip(failures, scenes, factors(failures, scenes), strict=True):
        weighing.trace(trace, its_scenes, hint_of(trace.error), factor)
    titles = "\n".join(trace.error.title for trace in reversed(failures) if trace.error.type)
    weighing.words(rank(basis.snapshot, titles[:QUESTION]))
    found = rank(basis.snapshot, text[-QUESTION:])
    weighing.words(found)
    weighing.lately(*ages(basis, weighing.evidence.in_order()[: SUSPECTS * 2]))
    return weighing, found


def factors(failures: Sequence[Trace], scenes: Sequence[Sequence[TraceScene]]) -> list[float]:
    """The weight of each error: most in the last chain of errors, and there for the first error."""
    weights: list[float] = []
    chain_starts = [n for n, trace in enumerate(failures) if not trace.error.relation]
    last = chain_starts[-1] if chain_starts else 0
    for n, trace in enumerate(failures):
        following = failures[n + 1].error.relation if n + 1 < len(failures) else ""
        reading = scenes[n][0].reading if scenes[n] else None
        wraps = trace.error.relation in ("cause", "context") and reading is not None and reading.is_raise
        reports = following in ("inside", "part")
        weights.append((1.0 if n >= last else 0.5) * (0.6 if wraps else 0.35 if reports else 1.0))
    return weights


def main_error(failures: Sequence[Trace]) -> int:
    """The error that identifies a diagnosis: the last one that was raised in the repository."""
    return next((n for n in range(len(failures) - 1, -1, -1) if failures[n].inside), len(failures) - 1)


def signature(snapshot: Snapshot, trace: Trace | None) -> tuple[str, str, str, str]:
    """Type, message, and the file and function where it was raised."""
    if trace is None:
        return "", "", "", ""
    place = trace.inside[0] if trace.inside else None
    name = snapshot.units[place.unit].name if place and place.unit is not None else ""
    return trace.error.type, trace.error.message, place.path if place else "", name


def error_report(trace: Trace) -> ErrorReport:
    error = trace.error
    frames = [
        FrameReport(
            frame.path,
            frame.line,
            frame.function,
            f"{place.path}:{place.line}" if place else None,
            place.says if place else "not in this repository" if frame.is_in_file else "not in a file",
        )
        for frame, place in zip(error.frames, trace.places, strict=True)
    ]
    facts = (error.title, error.type, error.message, error.relation, error.language, error.line)
    return ErrorReport(*facts, frames, meaning_of(error))


def crashes_of(basis: Basis, failures: Sequence[Trace], scenes: Sequence[Sequence[TraceScene]]) -> list[Crash]:
    """The innermost line of each error in the repository, the last error first, each line once."""
    crashes: dict[str, Crash] = {}
    for trace, its_scenes in zip(reversed(failures), reversed(scenes), strict=True):
        if its_scenes and len(crashes) < CRASHES:
            place = its_scenes[0].place
            if f"{place.path}:{place.line}" not in crashes:
                crashes[f"{place.path}:{place.line}"] = crash_of(basis, trace.error, its_scenes[0])
    return list(crashes.values())


def crash_of(basis: Basis, error: Error, scene: TraceScene) -> Crash:
    place, texts = scene.place, basis.texts
    first, around = texts.around(place.path, place.line, AROUND)
    unit = basis.snapshot.units[place.unit] if place.unit is not None else None
    begin, end = (scene.reading.first, scene.reading.last) if scene.reading else (place.line, place.line)
    changes, missing = changes_of(texts.root, place.path, texts.lines(place.path), begin, end)
    calling, frameworks = connections_of(basis, place.unit)
    return Crash(
        citation=f"{place.path}:{place.line}",
        function=unit.name if unit else "",
        signature=unit.signature if unit else "",
        error=error.title,
        says=place.says,
        around=around,
        around_citation=f"{place.path}:{first}-{first + around.count(chr(10))}",
        definitions=[definition_report(definition) for definition in scene.definitions if definition.used.depth == 0][
            :DEFINITIONS
        ],
        values=[definition_report(definition) for definition in scene.definitions if definition.used.depth][
            :DEFINITIONS
        ],
        parameters=list(scene.reading.parameters) if scene.reading else [],
        callers=calling,
        frameworks=frameworks,
        changes=changes,
        changes_missing=missing,
    )


def definition_report(definition: Definition) -> DefinitionReport:
    used = definition.used
    reach = (definition.certainty, used.text, used.depth)
    return DefinitionReport(definition.citation, definition.name, definition.kind, definition.signature, *reach)


def connections_of(basis: Basis, unit: int | None) -> tuple[list[CallerReport], list[CallerReport]]:
    """The callers of a unit, and the units that a framework connects with it."""
    if unit is None:
        return [], []
    calling = [caller_report(basis, edge.source, edge) for edge in callers(basis.graph, unit) if edge.kind in KINDS]
    links = [(edge.target, edge) for edge in basis.graph.edges_from(unit)]
    links += [(edge.source, edge) for edge in basis.graph.edges_to(unit)]
    frameworks = [caller_report(basis, other, edge) for other, edge in links if edge.kind not in KINDS]
    return calling[:CALLERS], frameworks[:CALLERS]


def caller_report(basis: Basis, unit: int, edge: Edge) -> CallerReport:
    """A unit at the other end of an edge; cited by the line of the edge if that is inside it, otherwise by its own."""
    snapshot = basis.snapshot
    other, path = snapshot.units[unit], snapshot.paths[int(snapshot.unit_file[unit])]
    line = edge.line if unit == edge.source else other.first
    return CallerReport(f"{path}:{line}", other.name or path, edge.kind, edge.certainty)


def request_report(basis: Basis, request: Request, routes: Sequence[Edge]) -> RequestReport:
    facts = (request.method, request.path, request.status, request.line)
    views = [caller_report(basis, edge.target, edge) for edge in routes]
    return RequestReport(*facts, views, meaning_of_request(request))


def known_for(basis: Basis, trace: Trace | None) -> list[KnownError]:
    """Confirmed diagnoses and solved issues that fit the error."""
    if trace is None:
        return []
    name, message, path, function = signature(basis.snapshot, trace)
    confirmations = fitting(confirmations_in(basis.folder), name, message, path, function)
    return confirmations[:5] + alike(basis.issues, name, message, "solved issue")


def ages(basis: Basis, units: Sequence[int]) -> tuple[Sequence[int], dict[int, float]]:
    """The age of the last change of some units, from 0 (oldest) to 1 (newest); empty if all are of one age."""
    snapshot = basis.snapshot
    times: dict[int, int] = {}
    lines: dict[str, dict[int, int]] = {}
    for unit in units:
        path = snapshot.paths[int(snapshot.unit_file[unit])]
        if path not in lines and snapshot.commit and len(lines) < CRASHES:
            lines[path] = newest_lines(basis.texts.root, path, basis.texts.lines(path))
        owner = snapshot.units[unit]
        times[unit] = max(
            (when for line, when in lines.get(path, {}).items() if owner.first <= line <= owner.last), default=0
        )
    known = [when for when in times.values() if when]
    oldest, newest = min(known, default=0), max(known, default=0)
    if newest == oldest:
        return units, {}
    return units, {unit: (when - oldest) / (newest - oldest) for unit, when in times.items() if when}


def extent_of(basis: Basis, log: Log, failures: Sequence[Trace]) -> list[str]:
    """The extent of the examination, in words."""
    frames = sum(len(trace.places) for trace in failures)
    inside = sum(len(trace.inside) for trace in failures)
    lines = [f"{len(log.errors)} errors with {frames} frames, {inside} of them in this repository"]
    lines.append(f"{len(log.requests)} failed requests")
    lines.append(f"{len(basis.snapshot.paths)} files and {len(basis.snapshot.units)} units of the index")
    lines.append(f"{len(confirmations_in(basis.folder))} confirmed diagnoses and {len(basis.issues)} solved issues")
    if log.left_out:
        lines.append(f"the first {log.left_out} characters of the log were not read")
    return lines


def stop_reason(basis: Basis, log: Log, failures: Sequence[Trace]) -> str | None:
    """The reason why no frame leads anywhere; None if one does."""
    if any(trace.inside for trace in failures):
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
    left_out = "".join(f" {path} was left out: {reason}." for path, reason in files_left_out(basis, paths))
    verb = "is in this repository" if len(paths) > 1 else "is not in this repository"
    return f"{of} that the log names {verb} ({', '.join(paths[-3:])}): the suspects rest on its words.{left_out}"


def files_left_out(basis: Basis, paths: Sequence[str]) -> list[tuple[str, str]]:
    """The first files of these names that are in the repository and not in the index, each with the reason."""
    names = {path.rpartition("/")[2] for path in paths}
    with open_index(basis.folder) as store:
        skipped = store.skipped()
    return [(path, reason) for path, reason in skipped.items() if path.rpartition("/")[2] in names][:LEFT_OUT]
