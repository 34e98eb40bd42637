"""Finds damage among the artifacts, and repairs it.

A record, a contact sheet and vectors are computed again. An artifact whose files of record are damaged is
moved to <data>/damaged, never deleted. The index is dropped, and made again from the files at the next start.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.artifacts.pictures import open_own
from app.artifacts.search.index import ArtifactIndex, IndexLost
from app.artifacts.store import receipts, scenes
from app.artifacts.store.artifact import ARTIFACT_ID, Artifact, Receipt, Sighting, imported_id
from app.artifacts.store.embeddings import damaged_vectors
from app.artifacts.store.record import PICTURE, RECEIPT, RECORD, REPORT, SNIPPET, file_hash, make_record
from app.artifacts.store.record_files import SCENE_FOLDER, SEEN, UNFINISHED
from app.artifacts.store.sealed import unsealed
from app.artifacts.store.store import ArtifactStore, write_computed
from app.errors import ArtifactNotFound


@dataclass(frozen=True)
class Damage:
    """One problem, with the repair that was made; None if none was made yet."""

    where: str
    problem: str
    repaired: str | None


def examine(folder: Path, index_folder: Path, repair: bool, alone: bool) -> Iterator[Damage]:
    """Check every artifact in `folder` and the index; with `repair` also repair all that can be.

    Every file is read. `alone` says that the caller holds the data folder; otherwise artifacts that the service is
    publishing are not checked, and nothing is repaired.
    """
    assert alone or not repair
    for part in sorted(folder.glob(f".*{UNFINISHED}")) if alone else ():
        if repair:
            shutil.rmtree(part)
        yield Damage(part.name, "was left half-written", "removed" if repair else None)
    store = ArtifactStore(folder) if repair else None
    ids = sorted(path.name for path in folder.iterdir() if ARTIFACT_ID.fullmatch(path.name))
    for artifact_id in ids:
        yield from examine_artifact(folder / artifact_id, store)
    if alone:
        there = {artifact_id for artifact_id in ids if (folder / artifact_id).is_dir()}
        yield from examine_index(index_folder, there, repair)


def examine_artifact(folder: Path, store: ArtifactStore | None) -> Iterator[Damage]:
    """Check one artifact, and repair it if there is a store to do it with."""
    for rest in sorted(folder.rglob(f".*{UNFINISHED}")):
        if store:
            rest.unlink()
        yield Damage(f"{folder.name}/{rest.name}", "was left half-written", "removed" if store else None)
    try:
        receipt = receipts.read_receipt(folder)
        report = check_files(folder, receipt)
        with open_own(folder / PICTURE) as picture:
            picture.load()
    except (ArtifactNotFound, OSError) as error:
        problem = error.message if isinstance(error, ArtifactNotFound) else f"{PICTURE} cannot be read: {error}"
        repaired = f"moved to {store.set_aside(folder.name)}; {replayable(folder)}" if store else None
        yield Damage(folder.name, problem, repaired)
        return
    computed = problem_of_record(folder, receipt, report)
    if computed:
        if store:
            write_computed(folder, folder.name, receipt, report)
        yield Damage(folder.name, computed, f"{RECORD} was computed again" if store else None)
    yield from examine_others(folder, store is not None)


def examine_others(folder: Path, repair: bool) -> Iterator[Damage]:
    """Check the files that nothing depends on: vectors, which are computed again, a kept scene, and sightings."""
    for file in damaged_vectors(folder):
        if repair:
            file.unlink()
        yield Damage(f"{folder.name}/{file.name}", "was changed", "removed, to be computed again" if repair else None)
    for scene in scenes.damaged(folder):
        if repair:
            scene.unlink()
        yield Damage(f"{folder.name}/{SCENE_FOLDER}/{scene.name}", "was changed", "removed" if repair else None)
    for file in sorted((folder / SEEN).glob("*.json")):
        try:
            unsealed(Sighting, file.read_bytes())
        except (OSError, ValueError, RecursionError):
            if repair:
                file.unlink()
            yield Damage(f"{folder.name}/{SEEN}/{file.name}", "was changed", "removed" if repair else None)


def replayable(folder: Path) -> str:
    return f"{RECEIPT} says how to make it again" if (folder / RECEIPT).is_file() else "its receipt is missing too"


def check_files(folder: Path, receipt: Receipt) -> dict[str, Any]:
    """The report of an artifact, after each file of record was compared with the receipt.

    Raises ArtifactNotFound, which names the first file that differs.
    """
    if missing := {SNIPPET, PICTURE, REPORT} - receipt.sha256.keys():
        raise ArtifactNotFound(f"{RECEIPT} has no hash of {min(missing)}.")
    for name, wanted in receipt.sha256.items():
        path = folder / name
        if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
            raise ArtifactNotFound(f"{name} is missing.")
        if file_hash(path) != wanted:
            raise ArtifactNotFound(f"{name} is not what was published: its SHA-256 differs.")
    try:
        report: dict[str, Any] = json.loads((folder / REPORT).read_bytes())
    except (OSError, ValueError) as error:
        raise ArtifactNotFound(f"{REPORT} cannot be read.") from error
    with contextlib.suppress(OSError, ValueError, RecursionError):
        record, has_seal = unsealed(Artifact, (folder / RECORD).read_bytes())
        # A changed record says nothing about the receipt, and is computed again.
        if has_seal and record.sha256.get(RECEIPT) != file_hash(folder / RECEIPT):
            raise ArtifactNotFound(f"{RECEIPT} is not what was published: its SHA-256 differs.")
    if folder.name not in (receipt.artifact, imported_id(receipt.artifact)):
        raise ArtifactNotFound(f"{RECEIPT} is of {receipt.artifact}.")
    return report


def problem_of_record(folder: Path, receipt: Receipt, report: dict[str, Any]) -> str | None:
    """The first fault of the computed files, which are the record and those that it names; None if there is none."""
    try:
        record, _ = unsealed(Artifact, (folder / RECORD).read_bytes())
    except (OSError, ValueError, RecursionError):
        return f"{RECORD} is missing, was changed, or cannot be read"
    if record != make_record(folder.name, receipt, report, record.sha256):
        return f"{RECORD} is not what its report and receipt give"
    for name, wanted in record.sha256.items():
        if not (folder / name).is_file() or file_hash(folder / name) != wanted:
            return f"{name} is missing or differs from {RECORD}"
    return None


def examine_index(folder: Path, there: set[str], repair: bool) -> Iterator[Damage]:
    """Check the index; if it is lost or names other artifacts, it is dropped, and made again at the next start."""
    index = ArtifactIndex(folder)
    try:
        index.open()
        known = index.ids()
        problem = "" if known == there else f"names {len(known - there)} that are gone, lacks {len(there - known)}"
    except IndexLost as lost:
        # A missing index is no problem: the service makes it when it starts.
        problem = f"cannot be read: {lost}" if folder.exists() else ""
    if not problem:
        return
    if repair:
        shutil.rmtree(folder, ignore_errors=True)
    yield Damage(
        "index", problem, "dropped; the service makes it again from the files when it starts" if repair else None
    )
