"""The stages that need an execution, judged by its report: execute, repeat, scene."""

from __future__ import annotations

from typing import Any

from app.checks.rules import Rules, weighed
from app.checks.swallowed import judge_swallowed
from app.checks.verdict import Author, Finding, Stage, judged, skipped
from app.checks.visibility import judge_visibility
from harness.protocol import Outcome

Report = dict[str, Any]


def judge_execution(report: Report, author: Author, rules: Rules) -> Stage:
    """Whether the snippet ran to its end, Blender swallowed no error, and a scene that can be examined was left."""
    outcome: str = report["outcome"]
    seconds: float = report["evidence"]["timings"]["total_s"]
    swallowed = judge_swallowed(report, author, rules)
    if outcome == Outcome.PASSED:
        return judged("execute", swallowed, seconds, f"it ran on Blender {report['blender']['version']}")
    exception = report["claims"]["exception"]
    line: int | None = exception["line"] if exception else report["claims"].get("stopped_at")
    findings = weighed(rules, author, "execute", outcome, report["reason"], line, report["hint"])
    return judged("execute", [*findings, *swallowed], seconds)


def judge_repeat(report: Report, author: Author, rules: Rules) -> Stage:
    """Whether a second execution in the same scene works and duplicates nothing."""
    repeat = report["evidence"]["repeat"]
    if repeat is None:
        return skipped("repeat", "the first execution did not end well")
    if repeat["outcome"] == Outcome.TIMED_OUT:
        return skipped("repeat", "a second execution did not end in the time left by the first one")
    findings: list[Finding] = []
    if repeat["outcome"] != Outcome.PASSED:
        message = f"a second execution ended differently: {repeat['reason']}"
        told = report["claims"]["repeat_exception"]
        findings += weighed(rules, author, "repeat", "second-run-raises", message, told["line"] if told else None)
    if repeat["added"]:
        message = f"a second execution adds {', '.join(repeat['added'][:5])}"
        hint = "Look each thing up by name first, and make it only if it is missing."
        findings += weighed(rules, author, "repeat", "adds-again", message, hint=hint)
    if repeat["changed"]:
        message = f"a second execution changes the scene: {'; '.join(repeat['changed'][:5])}"
        findings += weighed(rules, author, "repeat", "changes-again", message)
    if unread := repeat.get("unread"):
        message = f"{unread} data blocks were not compared after a second execution: there was not enough time"
        findings += weighed(rules, author, "repeat", "not-compared", message)
    return judged("repeat", findings, note="a second execution adds and changes nothing")


def judge_scene(report: Report, author: Author, rules: Rules) -> Stage:
    """Whether the scene that the snippet left is sound, and whether one can see what it made."""
    scene, changes = report["evidence"]["scene"], report["evidence"]["changes"]
    if scene is None:
        return skipped("scene", "the execution left no scene to examine")
    findings = judge_soundness(report, author, rules) + judge_visibility(report, author, rules)
    accepted: list[dict[str, Any]] = report["evidence"].get("accept") or []
    made_true = any(one["met"] and not one.get("met_at_start", True) for one in accepted)
    if not report["claims"]["registered"] and not made_true and changes_nothing(changes):
        message = "the snippet changed none of what is compared: objects, materials, collections, settings"
        findings += weighed(rules, author, "scene", "changes-nothing", message)
    if later := report["evidence"].get("later"):
        message = f"what it leaves runs code later: {'; '.join(later[:5])}"
        hint = "Leave the result instead, or tell the user what will run."
        findings += weighed(rules, author, "scene", "runs-later", message, hint=hint)
    for name in [*changes["added"]["objects"], *changes["changed"]["objects"]]:
        facts = scene["objects"][name]
        if facts.get("finite") is False:
            message = f'object "{name}" has coordinates that are not finite numbers'
            findings += weighed(rules, author, "scene", "non-finite-coordinates", message)
        elif facts["type"] == "MESH" and facts.get("vertices") == 0 and not facts.get("has_instances"):
            message = f'mesh object "{name}" has no vertices'
            findings += weighed(rules, author, "scene", "empty-mesh", message)
    return judged("scene", findings, note=f"{len(scene['objects'])} objects, all sound")


def judge_soundness(report: Report, author: Author, rules: Rules) -> list[Finding]:
    """Meshes that Blender crashes on, a scene that it crashed on once, and what of it could not be examined."""
    scene = report["evidence"]["scene"]
    findings: list[Finding] = []
    unsound = {one["mesh"]: one["problem"] for one in report["claims"].get("unsound_meshes", [])}
    unsound |= {one["mesh"]: one["problem"] for one in scene.get("unsound_meshes", [])}
    for name, problem in sorted(unsound.items()):
        message = f'mesh "{name}" is not valid: {problem}'
        hint = "Correct the indices of its faces and edges; `mesh.validate()` removes those that are wrong."
        findings += weighed(rules, author, "scene", "unsound-mesh", message, hint=hint)
    if report["evidence"].get("crashed_once"):
        message = f"Blender crashed on the scene once, and not a second time: {report['evidence']['examined_again']}"
        findings += weighed(rules, author, "scene", "examined-twice", message)
    for fault in scene.get("faults", []):
        message = f"a fault of ours: {fault['of']} cannot be examined ({fault['fault']})"
        hint = "This says nothing about the snippet; the rest was examined."
        findings += weighed(rules, author, "scene", "not-examined", message, hint=hint)
    return findings


def changes_nothing(changes: Report) -> bool:
    """Whether a comparison of two scenes found no difference."""
    groups = [*changes["added"].values(), *changes["removed"].values(), *changes["changed"].values()]
    return not any(groups) and not changes["counts"]
