"""Checks the statements of an archive about an artifact: its files against its receipt, and both against the report.

All of it comes from strangers, so a reader does it: receipt and report are parsed there, and every picture decoded.
"""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from app.artifacts import geometry
from app.artifacts.pictures import open_upload
from app.artifacts.store import receipts
from app.artifacts.store.artifact import Receipt, content_id
from app.artifacts.store.record import PICTURE, RECEIPT, REPORT, TITLE_LENGTH
from app.artifacts.store.reported import read_report
from app.errors import ArchiveRefused, ArtifactNotFound, PictureRefused
from app.jobs.earlier import LONGEST_REQUEST
from app.verdict.verdict import EXECUTED, StageState, Verdict
from harness.protocol import Outcome
from harness.readers import Readers, ReadingFailed

LONGEST_FACT: Final = 100
LONGEST_PROVENANCE: Final = 8 << 10
WRONG_VALUES: Final = (KeyError, TypeError, ValueError, AttributeError, RecursionError, OSError)
"""The exceptions of reading values of other kinds than a service writes."""


@dataclass(frozen=True)
class CheckedArtifact:
    """The receipt and the report of an artifact, which agree with its files."""

    receipt: Receipt
    report: dict[str, Any]


def checked_by(readers: Readers | None, artifact_id: str, files: dict[str, bytes]) -> CheckedArtifact:
    """The contents of the files of an artifact, checked in a reader if there are readers. Raises ArchiveRefused."""
    try:
        answer = readers.read(check, artifact_id, files) if readers else check(artifact_id, files)
    except ReadingFailed as error:
        raise ArchiveRefused(f"{artifact_id} cannot be read: {error}.") from error
    if isinstance(answer, str):
        raise ArchiveRefused(answer)
    return answer


def check(artifact_id: str, files: dict[str, bytes]) -> CheckedArtifact | str:
    """The checked receipt and report of an artifact, or the reason why it is refused."""
    try:
        receipt = receipts.parse_receipt(artifact_id, files[RECEIPT])
        check_hashes(artifact_id, receipt, files)
        order = receipts.order_of(receipt, files.__getitem__)
        report = read_report(files[REPORT])
        check_words(artifact_id, receipt)
        check_report(artifact_id, receipt, report)
        for path in [PICTURE, *(name for name in receipt.sha256 if name.startswith("views/"))]:
            open_upload(files[path])
        if content_id(order, receipt.blender) != artifact_id:
            raise ArchiveRefused(f"{artifact_id} is not the id of its content.")
        if receipt.artifact != artifact_id:
            raise ArchiveRefused(f"The receipt of {artifact_id} is for {receipt.artifact[:40]}.")
        return CheckedArtifact(receipt, report)
    except ArchiveRefused as error:
        return error.message
    except (ArtifactNotFound, PictureRefused) as error:
        return f"{artifact_id}: {error.message}"
    except WRONG_VALUES as error:
        return in_another_format(artifact_id, error)


def in_another_format(artifact_id: str, error: Exception) -> str:
    """The refusal of a report with other values than a service writes."""
    return f"{artifact_id} has a report in another format: {' '.join(str(error).split())[:300]}."


def check_hashes(artifact_id: str, receipt: Receipt, files: dict[str, bytes]) -> None:
    """Check that the receipt has the hash of every file, and of no other. Raises ArchiveRefused."""
    there = {name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != RECEIPT}
    if wrong := sorted(name for name, _ in there.items() ^ receipt.sha256.items()):
        raise ArchiveRefused(f"{artifact_id}: {wrong[0][:200]} is not what was published: its SHA-256 differs.")


def check_words(artifact_id: str, receipt: Receipt) -> None:
    """Check that the shown words of the artifact have the form that a service writes. Raises ArchiveRefused."""
    facts = [receipt.blender.get(name) for name in ("version", "build_hash", "kind")]
    if not all(isinstance(fact, str) and 0 < len(fact) <= LONGEST_FACT for fact in facts):
        raise ArchiveRefused(f"The receipt of {artifact_id} does not name its Blender.")
    if len(receipt.title) > TITLE_LENGTH or len(receipt.request or "") > LONGEST_REQUEST:
        raise ArchiveRefused(f"The receipt of {artifact_id} has a title or a request that is too long.")
    if len(receipt.provenance.model_dump_json()) > LONGEST_PROVENANCE:
        raise ArchiveRefused(f"The receipt of {artifact_id} says too much of where it comes from.")
    if len(receipt.run) > LONGEST_FACT:
        raise ArchiveRefused(f"The receipt of {artifact_id} names a run in {len(receipt.run)} characters.")
    made = None
    with contextlib.suppress(ValueError, OverflowError):
        made = datetime.fromisoformat(receipt.created_at).astimezone(UTC)
    # Times are sorted as text, so only one format is accepted.
    if made is None or made.isoformat(timespec="milliseconds") != receipt.created_at:
        raise ArchiveRefused(f"The receipt of {artifact_id} has {receipt.created_at[:40]!r}, which is not a UTC time.")


def check_report(artifact_id: str, receipt: Receipt, report: dict[str, Any]) -> None:
    """Check that the report agrees with the receipt and proves the artifact. Raises ArchiveRefused, KeyError, ..."""
    execution = report["execution"]
    signature = geometry.signature(execution["evidence"]["scene"])
    if execution["blender"] != receipt.blender or signature != receipt.geometry:
        raise ArchiveRefused(f"The receipt and the report of {artifact_id} are about different things.")
    verdict = Verdict.model_validate(report["verdict"])
    states = {stage.name: stage.state for stage in verdict.stages}
    proven = verdict.passed and StageState.FAILED not in states.values() and states["execute"] in EXECUTED
    if execution["outcome"] != Outcome.PASSED or not proven:
        raise ArchiveRefused(f"{artifact_id} is not proven, according to its own report.")
