"""Diagnoses a log for a repository: the diagnosis of `codebase`, with facts of the API of the Blender in the log."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.errors import InvalidRequest
from app.repositories.blender_side import ManifestOf, blender_facts, nearest, rename_facts
from app.repositories.issue_tasks import issues_of
from app.repositories.project import Project, TaskProblem
from app.repositories.tasks import or_problem
from codebase.diagnosis.diagnose import diagnose
from codebase.diagnosis.issues import Issue
from codebase.diagnosis.known import ConfirmedDiagnosis, recent_diagnoses, remember
from codebase.diagnosis.shapes import Diagnosis
from codebase.diagnosis.texts import Texts
from codebase.index.files import list_files
from codebase.tracebacks.error import Error
from harness.blenders import Blender, BlenderNotAvailable

CITATION: Final = re.compile(r"(?P<path>.+?):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?$")


class DiagnosisRefused(InvalidRequest):
    code = "diagnosis_refused"
    hint = "See docs/diagnose.md for what can be diagnosed and confirmed."


def diagnose_log(
    project: Project,
    text: str,
    blenders: Sequence[Blender],
    manifest_of: ManifestOf,
    issues: Sequence[Issue] = (),
) -> Diagnosis:
    """Diagnose a log for a repository; `issues` are known errors besides those of its sources.

    `blenders` are those whose API can be asked, the default first. Raises what `fresh_snapshot`
    raises.
    """
    diagnosis = diagnose(project.root, project.folder, text, [*issues, *issues_of(project)])
    return with_blender(project.root, diagnosis, blenders, manifest_of)


def with_blender(root: Path, diagnosis: Diagnosis, blenders: Sequence[Blender], manifest_of: ManifestOf) -> Diagnosis:
    """A diagnosis with what the API says near its crash lines; unchanged without a Blender."""
    version = diagnosis.versions.get("blender")
    diagnosis = with_renames(diagnosis)
    chosen = nearest(blenders, version)
    if chosen is None or not diagnosis.crashes:
        return diagnosis
    try:
        manifest = manifest_of(chosen)
    except BlenderNotAvailable as error:
        return dataclasses.replace(diagnosis, examined=[*diagnosis.examined, str(error)])
    more, symbols = blender_facts(root, diagnosis.crashes, manifest)
    drift = {change.says: change for change in (*diagnosis.drift, *more)}
    examined = [
        *diagnosis.examined,
        f"the API of Blender {manifest.version}" + (f", as near as there is to {version}" if version else ""),
    ]
    return dataclasses.replace(diagnosis, drift=list(drift.values()), symbols=symbols, examined=examined)


def with_renames(diagnosis: Diagnosis) -> Diagnosis:
    """A diagnosis with known renames for the names that its messages miss, for the Blender that the log names."""
    version = diagnosis.versions.get("blender")
    errors = [Error(error.type, error.message, (), error.line) for error in diagnosis.errors]
    return dataclasses.replace(
        diagnosis, drift=list(rename_facts(errors, diagnosis.crashes, version)) if version else []
    )


def confirm(project: Project, name: str, diagnosis: str, citation: str, note: str) -> ConfirmedDiagnosis | TaskProblem:
    """Remember the fault of a diagnosis; a task."""
    known = recent_diagnoses(project.folder).get(diagnosis)
    if known is None:
        return refusal(
            f"There is no diagnosis {diagnosis} of {name} among the last two hundred: diagnose the log again."
        )

    def remembered() -> ConfirmedDiagnosis | TaskProblem:
        listing = list_files(project.root)
        place = CITATION.fullmatch(citation)
        if not place or place["path"] not in listing.paths:
            return refusal(f"{citation} names no file of {name}: write PATH:LINE, such as ops/export.py:120.")
        lines = len(Texts(project.root).lines(place["path"]))
        first, last = int(place["first"]), int(place["last"] or place["first"])
        if not 1 <= first <= last <= lines:
            return refusal(f"{place['path']} has {lines} lines, so {citation} is not in it.")
        done = dataclasses.replace(known, fault=citation, note=note, commit=listing.commit or "")
        remember(project.folder, done)
        return done

    return or_problem(remembered)


def refusal(message: str) -> TaskProblem:
    return TaskProblem(DiagnosisRefused.__name__, message)
