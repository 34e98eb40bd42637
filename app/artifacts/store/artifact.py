"""The facts of an artifact: the record next to its files, its receipt, and its sightings.

The receipt and the report are written once; the record is computed from them and the pictures (`record.py`), so that it
can be made again if it is lost.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from typing import Any, Final, Literal

from pydantic import BaseModel

from app.artifacts.pictures import Looks
from app.jobs.kinds import RunKind
from app.jobs.run import ArtifactLinks
from app.verdict.verdict import Author
from harness.order import DEFAULT_RENDER, Order

ARTIFACT_ID: Final = re.compile(r"[ai]-[0-9a-f]{16}")
"""`a-` names an artifact proven here, `i-` one from an archive; the digits are those of the content."""
BUILD: Final = ("version", "build_hash", "kind")
"""The facts of a Blender that name its build; reports say more of it, and later ones more than earlier ones."""
IMPORTED: Final = "i-"
RECEIPT_SCHEMA: Final = 1
"""Version of the format of a receipt."""

Origin = Literal["run", "import", "replay"]


class Provenance(BaseModel):
    """The tools that drafted and judged an artifact: versions of the checks, of the index, of model and prompts."""

    blendproof: str
    author: Author
    checks: dict[str, str]
    index: dict[str, str]
    """The reference that was searched and its fingerprint, and the embedding model; empty without an index."""
    model: str | None
    prompts: dict[str, str]
    holds_on: dict[str, str] = {}
    """Build hash of each further Blender on which the run proved the snippet, by version."""


class Quotation(BaseModel):
    """The statements of an archive about itself. None of it was observed here."""

    artifact: str
    """The imported artifact."""
    run: str
    title: str
    request: str | None
    author: Author
    model: str | None
    created_at: str


class Receipt(BaseModel):
    """The instructions to make the artifact again. Paths are within its folder, hashes SHA-256 in hex, limits bytes and
    seconds.
    """

    format: int
    artifact: str
    run: str
    kind: RunKind
    title: str
    request: str | None
    """The request in words; null if the caller sent the snippet."""
    created_at: str
    blender: dict[str, Any]
    arguments: list[str]
    setup: str | None
    files: dict[str, str]
    """Path of each file that the caller sent, by its name in the work folder."""
    render: dict[str, Any]
    limits: dict[str, float]
    seeds: dict[str, int | str]
    symbols: list[str]
    provenance: Provenance
    geometry: str
    """Signature of the scene; see `geometry.py`."""
    looks: Looks
    sha256: dict[str, str]
    """Hash of each other file of record, by its path."""
    quoted: Quotation | None = None
    """The words of the import that a replay proved here; null for the artifact of a run."""


class Artifact(BaseModel):
    """The facts of an artifact, known without opening its files. Hashes are SHA-256 in hex."""

    id: str
    proven: Literal["here", "elsewhere"] = "here"
    """`elsewhere` if an archive brought it: title, request, author, run and verdict are then its words."""
    run: str
    """The run or replay that made it first."""
    kind: RunKind
    title: str
    request: str | None
    author: Author
    blender: dict[str, Any]
    engine: str
    """The engine that the scene is set to; `report.json` says which one rendered the picture."""
    created_at: str
    links: ArtifactLinks
    views: dict[str, str]
    """Path of each further picture on this service, by view or frame."""
    contact_sheet: str | None
    """Path of the contact sheet of all pictures, if there are several."""
    receipt: str
    size_px: int
    object_types: list[str]
    objects: list[str]
    """Names of the objects that the snippet made or changed."""
    symbols: list[str]
    tags: list[str]
    looks: Looks
    geometry: str
    sha256: dict[str, str]
    """Hash of each file, by name."""
    quoted: Quotation | None = None
    """The words of the import that a replay proved here; null for the artifact of a run."""


class Sighting(BaseModel):
    """One time that an artifact was seen: made by a run, imported from an archive, or made again by a replay."""

    run: str
    """The run; an import or a replay has a name of its own."""
    origin: Origin
    title: str
    request: str | None
    at: str
    holds_on: list[str] = []
    """Versions of the further Blenders on which the run proved the snippet."""


class ArtifactDetails(Artifact):
    """An artifact and every time it was seen, in order."""

    sightings: list[Sighting]
    scene: str | None = None
    """Path of the scene as a .blend on this service; null if nobody asked to keep it, or it was too large."""
    glb: str | None = None
    """Path of the same scene as glTF; null likewise, or if Blender could not export it within the limits."""


def is_imported(artifact_id: str) -> bool:
    """True if an archive brought the artifact; then nothing of it was proven here."""
    return artifact_id.startswith(IMPORTED)


def imported_id(artifact_id: str) -> str:
    """The name under which an import of this content is kept."""
    return IMPORTED + artifact_id[len(IMPORTED) :]


def is_same_build(blender: dict[str, Any], other: dict[str, Any]) -> bool:
    """True if two reports are of one build of Blender."""
    return all(blender.get(name) == other.get(name) for name in BUILD)


def content_id(order: Order, blender: dict[str, Any]) -> str:
    """The id for this order on this build: one snippet, run and rendered the same way, is one artifact."""
    digest = hashlib.sha256()

    def add(name: str, value: bytes | str) -> None:
        data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        digest.update(f"{name}:{len(data)}:".encode())
        digest.update(data)

    add("snippet", order.snippet)
    for name in BUILD:
        add(name, str(blender.get(name)))
    for argument in order.arguments:
        add("argument", argument)
    for name, content in sorted(order.files):
        add(name, content)
    if order.setup_snippet is not None:
        add("setup.py", order.setup_snippet)
    if order.setup_blend is not None:
        add("setup.blend", order.setup_blend)
    # Only differences from the default, so that a new option changes no id.
    usual = dataclasses.asdict(DEFAULT_RENDER)
    for name, value in dataclasses.asdict(order.render).items():
        if value != usual[name]:
            add(name, repr(value))
    return f"a-{digest.hexdigest()[:16]}"
