"""Judges if a scene is sound and was examined as a whole: a part of the stage `scene`."""

from __future__ import annotations

import itertools
from typing import Any, Final

from app.verdict.rules import Rules, weighed_findings
from app.verdict.verdict import Author, Finding

MOST_LISTED: Final = 20
"""Findings of one kind."""

Json = dict[str, Any]


def judge_soundness(report: Json, author: Author, rules: Rules) -> list[Finding]:
    """Findings on unsound parts of the scene, on crashes, and on parts that were not examined."""
    return [
        *unsound_meshes(report, author, rules),
        *unsound_objects(report, author, rules),
        *not_examined(report, author, rules),
    ]


def unsound_meshes(report: Json, author: Author, rules: Rules) -> list[Finding]:
    """Meshes that Blender crashes on."""
    scene = report["evidence"]["scene"]
    unsound = {mesh["mesh"]: mesh["problem"] for mesh in report["claims"].get("unsound_meshes", [])}
    unsound |= {mesh["mesh"]: mesh["problem"] for mesh in scene.get("unsound_meshes", [])}
    hint = "Correct the indices of its faces and edges; `mesh.validate()` removes those that are wrong."
    findings: list[Finding] = []
    for name, problem in sorted(unsound.items()):
        message = f'mesh "{name}" is not valid: {problem}'
        findings += weighed_findings(rules, author, "scene", "unsound-mesh", message, hint=hint)
    return findings


def unsound_objects(report: Json, author: Author, rules: Rules) -> list[Finding]:
    """Objects that the snippet made or changed with NaN or infinity, or without a vertex."""
    scene, changes = report["evidence"]["scene"], report["evidence"]["changes"]
    objects: dict[str, Json] = {
        name: scene["objects"][name]
        for name in [*changes["added"]["objects"], *changes["changed"]["objects"]]
        if name in scene["objects"]
    }
    endless = [name for name, facts in objects.items() if facts.get("finite") is False]
    empty = [name for name, facts in objects.items() if name not in endless and is_empty(facts)]
    findings: list[Finding] = []
    for name in endless[:MOST_LISTED]:
        message = f'object "{name}" has coordinates that are not finite numbers{more_than_listed(endless)}'
        hint = "Its location, rotation, scale, points or instances hold NaN or infinity: look for a division by zero."
        findings += weighed_findings(rules, author, "scene", "non-finite-coordinates", message, hint=hint)
    for name in empty[:MOST_LISTED]:
        message = f'mesh object "{name}" has no vertices{more_than_listed(empty)}'
        findings += weighed_findings(rules, author, "scene", "empty-mesh", message)
    return findings


def is_empty(facts: Json) -> bool:
    return bool(facts["type"] == "MESH" and facts.get("vertices") == 0 and not facts.get("has_instances"))


def more_than_listed(names: list[str]) -> str:
    """The number of names beyond those that are listed, in words."""
    return f" (and {len(names) - MOST_LISTED} more)" if len(names) > MOST_LISTED else ""


def not_examined(report: Json, author: Author, rules: Rules) -> list[Finding]:
    """Findings on parts that were not examined: a limit was reached, a crash did not come back, a fault is ours."""
    evidence = report["evidence"]
    scene = evidence["scene"]
    said: list[tuple[str, str, str | None]] = []
    if scene.get("objects_left_out"):
        seen = len(scene["objects"]) + scene.get("objects_untold", 0)
        message = f"the scene has {seen + scene['objects_left_out']:,} objects, and only {seen:,} are examined"
        said.append(("not-all-examined", message, "Make fewer objects: instances, or one mesh for many things."))
    for name in scene.get("meshes_not_read", []):
        message = f'mesh "{name}" has too many faces to be looked through for wrong indices'
        said.append(("not-all-examined", message, "Make less geometry, or modifiers that are not applied."))
    if scene.get("instances_left_out"):
        message = "the scene has more instances than are measured, so boxes around them may be too small"
        said.append(("not-all-measured", message, None))
    if evidence.get("crashed_once"):
        message = f"Blender crashed on the scene once, and not a second time: {evidence['examined_again']}"
        said.append(("examined-twice", message, None))
    for fault in scene.get("faults", []):
        message = f"a fault of ours: {fault['of']} cannot be examined ({fault['fault']})"
        said.append(("not-examined", message, "This says nothing about the snippet; the rest was examined."))
    findings = (weighed_findings(rules, author, "scene", code, message, hint=hint) for code, message, hint in said)
    return list(itertools.chain.from_iterable(findings))
