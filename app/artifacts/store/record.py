"""Computes the record of an artifact from its files of record: its contents, its title, its search terms."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from app.artifacts.store.artifact import Artifact, Receipt, is_imported
from app.jobs.run import ArtifactLinks

Json = dict[str, Any]

RECORD: Final = "artifact.json"
RECEIPT: Final = "receipt.json"
REPORT: Final = "report.json"
SNIPPET: Final = "snippet.py"
PICTURE: Final = "picture.png"
CONTACT_SHEET: Final = "contact-sheet.png"

TITLE_LENGTH: Final = 200
LIGHTS: Final = {"SUN": "sun light", "AREA": "area light", "SPOT": "spot light", "POINT": "point light"}
NODES: Final = {
    "ShaderNodeTexImage": "image texture",
    "ShaderNodeTexNoise": "noise texture",
    "ShaderNodeTexVoronoi": "voronoi texture",
    "ShaderNodeEmission": "emission",
    "ShaderNodeBsdfGlass": "glass",
    "ShaderNodeVolumePrincipled": "volume",
    "ShaderNodeMixShader": "mixed shaders",
    "ShaderNodeValToRGB": "colour ramp",
}


def make_record(artifact_id: str, receipt: Receipt, report: dict[str, Any], sha256: dict[str, str]) -> Artifact:
    """The record of an artifact; `sha256` has the hashes of its files by name."""
    evidence = report["execution"]["evidence"]
    scene, render = evidence["scene"], evidence["render"]
    names = touched_objects(evidence)
    base = f"/artifacts/{artifact_id}"
    views = sorted(Path(name).stem for name in sha256 if name.startswith("views/"))
    return Artifact(
        id=artifact_id,
        proven="elsewhere" if is_imported(artifact_id) else "here",
        run=receipt.run,
        kind=receipt.kind,
        title=receipt.title,
        request=receipt.request,
        author=receipt.provenance.author,
        blender=receipt.blender,
        engine=render.get("engine_of_scene") or render.get("engine_used") or "",
        created_at=receipt.created_at,
        links=ArtifactLinks.of(artifact_id),
        views={view: f"{base}/views/{view}.png" for view in views},
        contact_sheet=f"{base}/{CONTACT_SHEET}" if CONTACT_SHEET in sha256 else None,
        receipt=f"{base}/{RECEIPT}",
        size_px=render["size_px"],
        object_types=sorted({scene["objects"][name]["type"] for name in names}),
        objects=names,
        symbols=receipt.symbols,
        tags=tags_of(scene, names),
        looks=receipt.looks,
        geometry=receipt.geometry,
        sha256=sha256,
        quoted=None if is_imported(artifact_id) else receipt.quoted,
    )


def touched_objects(evidence: dict[str, Any]) -> list[str]:
    """Names of the objects that the snippet made or changed; if there are none, of those that are shown."""
    changes: Json | None = evidence.get("changes")
    names: set[str] = set()
    if changes:
        names = {*changes["added"]["objects"], *changes["changed"]["objects"]}
    shown: list[str] = evidence["render"].get("subject", [])
    there: Json = evidence["scene"]["objects"]
    return sorted(name for name in names or shown if name in there)


def tags_of(scene: dict[str, Any], names: Iterable[str]) -> list[str]:
    """The contents of the scene in words: kinds of objects, modifiers, constraints, materials, lights, movement."""
    tags: set[str] = set()
    for name in names:
        facts: Json = scene["objects"][name]
        settings: list[Json] = [*facts.get("modifiers", ()), *facts.get("constraints", ())]
        materials: list[str | None] = facts.get("materials", [])
        tags.add(facts["type"].lower().replace("_", " "))
        tags |= {words(setting["type"]) for setting in settings}
        if facts.get("light"):
            tags.add(LIGHTS.get(facts["light"]["type"], "light"))
        if facts.get("animation"):
            tags.add("animated" if facts["animation"].get("keyframes") else "driven")
        if facts.get("has_instances"):
            tags.add("instances")
        if facts.get("parent"):
            tags.add("parented")
        if facts.get("faces") and facts.get("smooth_faces") == facts["faces"]:
            tags.add("smooth")
        for material in materials:
            tags |= material_tags(scene["materials"].get(material))
    return sorted(tags)


def material_tags(material: Json | None) -> set[str]:
    if material is None:
        return set()
    tags = {"material"}
    if (material.get("metallic") or 0) > 0.5:
        tags.add("metallic")
    nodes: Json | None = material.get("nodes")
    types: list[str] = nodes["types"] if nodes else []
    return tags | {NODES[kind] for kind in types if kind in NODES}


def words(identifier: str) -> str:
    """An identifier of Blender in words: `ARMATURE_DEFORM` as `armature deform`."""
    return identifier.lower().replace("_", " ")


def title_of(request: str | None, snippet: str, evidence: dict[str, Any]) -> str:
    """The request, otherwise the snippet's own description, otherwise the objects that it made."""
    said = request or docstring(snippet) or first_comment(snippet)
    if not said:
        names = touched_objects(evidence)
        kinds = tags_of(evidence["scene"], names)
        said = f"{', '.join(names[:3])}: {', '.join(kinds[:4])}" if kinds else "An empty scene"
    line = " ".join(said.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"


_DOCSTRING: Final = re.compile(r"(?:\s|#[^\n]*\n)*[rRuU]?(\"\"\"|'''|\"|')(?P<said>.*?)\1", re.DOTALL)
_COMMENT: Final = re.compile(r"^[ \t]*#(?P<said>.*)$", re.MULTILINE)
_LOOKED_THROUGH: Final = 8000
"""The number of characters of a snippet in which its description is looked for."""


def docstring(snippet: str) -> str | None:
    """The first line of the description at the head of a snippet."""
    match = _DOCSTRING.match(snippet[:_LOOKED_THROUGH])
    said = match["said"].strip() if match else ""
    return said.splitlines()[0] if said else None


def first_comment(snippet: str) -> str | None:
    """The first comment with words in it that has a line to itself."""
    comments = (match["said"].strip("#-= ") for match in _COMMENT.finditer(snippet[:_LOOKED_THROUGH]))
    return next((said for said in comments if len(said) > 8 and not said.startswith("!")), None)


def file_hash(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
