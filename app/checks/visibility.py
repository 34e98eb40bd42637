"""Judges if the objects that the snippet made can be seen. Helpers of others, and moving ones, were left out before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from app.verdict.rules import Rules, weighed_findings
from app.verdict.verdict import Author, Finding

NAMES_SHOWN: Final = 5

SAID: Final[dict[str, tuple[str, str]]] = {
    "not-linked": (
        "in no collection of the scene, so nothing shows it and saving drops it",
        "Link it: `bpy.context.collection.objects.link(obj)`.",
    ),
    "hidden-from-render": ("hidden from renders", "Set `hide_render` to False, if it is to be seen."),
    "hidden-collection": (
        "in no collection that is rendered ({by})",
        "Link it to another collection, or include that one: `hide_render` and the view layer's `exclude`.",
    ),
    "hidden-from-camera": (
        "seen by no camera",
        "Set `visible_camera` to True and `is_holdout` to False, if it is to be seen.",
    ),
    "zero-scale": ("scaled to nothing", "Give it a scale other than 0, or a keyframe that does."),
    "transparent": ('wholly transparent by its material "{by}"', "Raise the alpha of the material."),
    "wholly-inside": (
        'wholly inside "{by}", so no one sees it',
        "Move or enlarge it, or make what is around it clear.",
    ),
    "outside-the-camera": ('wholly outside of what the camera "{by}" sees', "Turn the camera, or move it back."),
}
"""By code, the state of an object, and the advice."""

NEVER_MEANT: Final = frozenset({"not-linked", "zero-scale"})


def judge_visibility(report: dict[str, Any], author: Author, rules: Rules) -> list[Finding]:
    """The objects that the snippet made and no one can see, one finding for each reason."""
    unseen = unseen_objects(report)
    groups: dict[tuple[str, str], list[str]] = {}
    for name, reason in unseen.items():
        groups.setdefault((reason["code"], reason["by"] or ""), []).append(name)
    findings: list[Finding] = []
    for (code, by), names in sorted(groups.items()):
        what, hint = SAID[code]
        findings += weighed_findings(
            rules, author, "scene", code, f"{names_with_verb(names)} {what.format(by=by)}", hint=hint
        )
    if unseen and made_in_vain(report, unseen):
        message = f"nothing can be seen of what the snippet made: {names_with_verb(list(unseen))}"
        hint = next(SAID[reason["code"]][1] for reason in unseen.values())
        findings += weighed_findings(rules, author, "scene", "nothing-seen", message, hint=hint)
    return findings


def unseen_objects(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Objects that the witness found unseen, and those that no file keeps by the word of the snippet's process."""
    unlinked: dict[str, dict[str, Any]] = {
        name: {"code": "not-linked", "by": None} for name in report["claims"].get("unlinked_objects", [])
    }
    return {**unlinked, **(report["evidence"].get("unseen") or {})}


def made_in_vain(report: dict[str, Any], unseen: dict[str, dict[str, Any]]) -> bool:
    """True if the snippet did nothing but make objects that cannot be meant to be as they are."""
    evidence, changes = report["evidence"], report["evidence"]["changes"]
    if any(reason["code"] not in NEVER_MEANT for reason in unseen.values()):
        return False
    other = [name for name in changes["added"]["objects"] if name not in unseen]
    scene = set(changes["changed"]["scene"]) - {"active_object", "selected"}
    done = other or changes["removed"]["objects"] or changes["changed"]["objects"] or scene
    made: list[dict[str, Any]] = evidence.get("accept") or []
    accepted = any(answer["met"] and not answer.get("met_at_start", True) for answer in made)
    return not (done or accepted or report["claims"]["registered"] or evidence.get("files"))


def names_with_verb(names: Sequence[str]) -> str:
    """Names of objects with the verb that fits their number."""
    quoted = ", ".join(f'"{name}"' for name in names[:NAMES_SHOWN])
    if len(names) == 1:
        return f"object {quoted} is"
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return f"objects {quoted}{more} are"
