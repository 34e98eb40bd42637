"""Judges if a scene is what its picture shows, and if it holds code that runs later: part of `scene`."""

from __future__ import annotations

from typing import Any, Final

from app.verdict.rules import Rules, weighed_findings
from app.verdict.verdict import Author, Finding

NAMES_SHOWN: Final = 5

CODE: Final[dict[str, str]] = {
    "registered-text": "runs when the file is opened, if the user lets scripts run by themselves",
    "text-with-handlers": "has itself called by Blender later, once it was run",
    "python-driver": "runs Python at each evaluation, if the user lets scripts run by themselves",
    "script-camera": "makes its picture by a shader of its own",
    "script-node": "is a shader of its own",
    "line-style-script": "runs Python when the scene is rendered with Freestyle",
    "script-constraint": "runs Python at each evaluation, on Blenders that know such constraints",
}
"""By kind, the effect of code that was left in the scene; see `harness.inside.scene.code`."""
DISARMED: Final = {"script-camera", "script-node", "line-style-script"}
"""Kinds without which the picture is taken."""
LINK_IT: Final = "Link what is to be seen to this scene; only one scene is examined and pictured."


def judge_one_scene(report: dict[str, Any], author: Author, rules: Rules) -> list[Finding]:
    """Findings on parts of the scene that the picture does not show, and on code that the snippet left in it."""
    evidence = report["evidence"]
    scene, changes = evidence["scene"], evidence["changes"]
    changed: list[str] = changes["changed"]["scene"]
    facts: dict[str, Any] = scene.get("scene") or {}
    findings: list[Finding] = []
    if facts.get("background"):
        code = "background-scene" if "background" in changed else "background-scene-before"
        message = f'scene "{facts["background"]}" is the background of this one; it is not examined, nor pictured'
        findings += weighed_findings(rules, author, "scene", code, message, hint=LINK_IT)
    for name in facts.get("overrides", []):
        message = f"the view layer has a {name}, without which the picture was taken"
        findings += weighed_findings(rules, author, "scene", "overridden", message)
    return findings + other_in_viewport(evidence, author, rules) + left_code(scene, author, rules)


def other_in_viewport(evidence: dict[str, Any], author: Author, rules: Rules) -> list[Finding]:
    """Objects that the snippet made or changed and that a viewport shows otherwise than a render."""
    objects: dict[str, Any] = evidence["scene"]["objects"]
    ours = [*evidence["changes"]["added"]["objects"], *evidence["changes"]["changed"]["objects"]]
    other = {name: objects[name]["in_viewport"] for name in ours if objects.get(name, {}).get("in_viewport")}
    said = [f'object "{name}" {what}' for name, what in other.items()]
    if not said:
        return []
    more = f"; and {len(said) - NAMES_SHOWN} more" if len(said) > NAMES_SHOWN else ""
    message = f"a viewport shows something else than renders and the picture: {'; '.join(said[:NAMES_SHOWN])}{more}"
    return weighed_findings(rules, author, "scene", "viewport-differs", message)


def left_code(scene: dict[str, Any], author: Author, rules: Rules) -> list[Finding]:
    """The code that the snippet left in the scene, one finding for each kind."""
    findings: list[Finding] = []
    for row in scene.get("code", []):
        kind, shown = row["kind"], ", ".join(row["of"][:NAMES_SHOWN])
        more = f" and {row['count'] - NAMES_SHOWN} more" if row["count"] > NAMES_SHOWN else ""
        without = "; the picture was taken without it" if kind in DISARMED else ""
        message = f"the snippet leaves code in the scene: {shown}{more} {CODE[kind]}{without}"
        findings += weighed_findings(rules, author, "scene", kind, message)
    return findings
