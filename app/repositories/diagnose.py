"""Diagnoses a log for a repository: what `codebase` finds in it, and what the API of the Blender in the log says."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.errors import InvalidRequest
from app.repositories.blender_side import ManifestOf, blender_said, nearest, renamed_said
from app.repositories.repositories import Repository
from codebase.diagnosis.diagnose import diagnose
from codebase.diagnosis.issues import Issue
from codebase.diagnosis.known import Confirmed, diagnosed, remember
from codebase.diagnosis.shapes import Diagnosis
from codebase.diagnosis.texts import Texts
from codebase.files import list_files
from codebase.tracebacks.error import Error
from harness.blenders import Blender, BlenderNotAvailable

CITATION: Final = re.compile(r"(?P<path>.+?):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?$")


class DiagnosisRefused(InvalidRequest):
    code = "diagnosis_refused"
    hint = "See docs/diagnose.md for what can be diagnosed and confirmed."


def diagnose_log(
    repository: Repository,
    folder: Path,
    text: str,
    blenders: Sequence[Blender],
    manifest_of: ManifestOf,
    issues: Sequence[Issue] = (),
) -> Diagnosis:
    """Diagnose a log for a repository with its index in `folder`.

    `blenders` are those whose API can be asked, the default first. Raises what `codebase.finding.mended` does.
    """
    found = diagnose(repository.root, folder, text, issues)
    return with_blender(repository.root, found, blenders, manifest_of)


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


def confirm(repository: Repository, folder: Path, diagnosis: str, citation: str, note: str) -> Confirmed:
    """Remember where the fault of a diagnosis was. Raises DiagnosisRefused and IndexingFailed."""
    known = diagnosed(folder).get(diagnosis)
    if known is None:
        raise DiagnosisRefused(
            f"There is no diagnosis {diagnosis} of {repository.name}.",
            "Diagnose the log again: the id is in its last line, and the last two hundred are kept.",
        )
    listing = list_files(repository.root)
    found = CITATION.fullmatch(citation)
    if not found or found["path"] not in listing.paths:
        raise DiagnosisRefused(
            f"{citation} names no file of {repository.name}.", "Write PATH:LINE, such as ops/export.py:120."
        )
    lines = len(Texts(repository.root).lines(found["path"]))
    first, last = int(found["first"]), int(found["last"] or found["first"])
    if not 1 <= first <= last <= lines:
        raise DiagnosisRefused(f"{found['path']} has {lines} lines, so {citation} is not in it.")
    done = dataclasses.replace(known, fault=citation, note=note, commit=listing.commit or "")
    remember(folder, done)
    return done
