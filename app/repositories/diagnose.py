"""Diagnoses a log for a repository: what `codebase` finds in it, and what the API of the Blender in the log says."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.errors import InvalidRequest
from app.repositories.blender_side import ManifestOf, blender_said, nearest, renamed_said
from app.repositories.tasks import Problem, Project, issues_of, or_problem
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

    `blenders` are those whose API can be asked, the default first. Raises what `codebase.ask.finding.mended` does.
    """
    found = diagnose(project.root, project.folder, text, [*issues, *issues_of(project)])
    return with_blender(project.root, found, blenders, manifest_of)


def with_blender(root: Path, found: Diagnosis, blenders: Sequence[Blender], manifest_of: ManifestOf) -> Diagnosis:
    """A diagnosis with what the API says near its crash lines; unchanged without a Blender."""
    version = found.versions.get("blender")
    found = with_renamed(found)
    chosen = nearest(blenders, version)
    if chosen is None or not found.crashes:
        return found
    try:
        manifest = manifest_of(chosen)
    except BlenderNotAvailable as error:
        return dataclasses.replace(found, examined=[*found.examined, str(error)])
    more, symbols = blender_said(root, found.crashes, manifest)
    said = {one.says: one for one in (*found.drift, *more)}
    examined = [
        *found.examined,
        f"the API of Blender {manifest.version}" + (f", as near as there is to {version}" if version else ""),
    ]
    return dataclasses.replace(found, drift=list(said.values()), symbols=symbols, examined=examined)


def with_renamed(found: Diagnosis) -> Diagnosis:
    """A diagnosis with what is known of names that its messages miss, for the Blender that the log names."""
    version = found.versions.get("blender")
    errors = [Error(one.type, one.message, (), one.line) for one in found.errors]
    return dataclasses.replace(found, drift=list(renamed_said(errors, found.crashes, version)) if version else [])


def confirm(project: Project, name: str, diagnosis: str, citation: str, note: str) -> ConfirmedDiagnosis | Problem:
    """Remember where the fault of a diagnosis was; a task."""
    known = recent_diagnoses(project.folder).get(diagnosis)
    if known is None:
        return refused(
            f"There is no diagnosis {diagnosis} of {name} among the last two hundred: diagnose the log again."
        )

    def remembered() -> ConfirmedDiagnosis | Problem:
        listing = list_files(project.root)
        found = CITATION.fullmatch(citation)
        if not found or found["path"] not in listing.paths:
            return refused(f"{citation} names no file of {name}: write PATH:LINE, such as ops/export.py:120.")
        lines = len(Texts(project.root).lines(found["path"]))
        first, last = int(found["first"]), int(found["last"] or found["first"])
        if not 1 <= first <= last <= lines:
            return refused(f"{found['path']} has {lines} lines, so {citation} is not in it.")
        done = dataclasses.replace(known, fault=citation, note=note, commit=listing.commit or "")
        remember(project.folder, done)
        return done

    return or_problem(remembered)


def refused(message: str) -> Problem:
    return Problem(DiagnosisRefused.__name__, message)
