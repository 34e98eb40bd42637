"""The stages that need an execution, judged by its report: execute, repeat, scene."""

from __future__ import annotations

from typing import Any, Final

from app.checks.one_scene import judge_one_scene
from app.checks.soundness import judge_soundness
from app.checks.swallowed import judge_swallowed
from app.checks.visibility import judge_visibility
from app.verdict.of_blender import NOTHING, ONLY_RAN, uses_blender
from app.verdict.rules import Rules, weighed_findings
from app.verdict.verdict import Author, Finding, Stage, judged, skipped
from harness.protocol import Outcome

Report = dict[str, Any]
CHANGES_NOTHING: Final = "the snippet changed none of what is compared: objects, materials, collections, settings"


def judge_execution(report: Report, author: Author, rules: Rules) -> Stage:
    """The stage `execute`: did the snippet run to its end, without a swallowed error, and leave a scene to examine?"""
    outcome: str = report["outcome"]
    seconds: float = report["evidence"]["timings"]["total_s"]
    swallowed = judge_swallowed(report, author, rules)
    if outcome == Outcome.PASSED:
        where = ", in a window with the mouse over the 3D View" if report["blender"].get("window") else ""
        return judged("execute", swallowed, seconds, f"it ran on Blender {report['blender']['version']}{where}")
    exception = report["claims"]["exception"]
    line: int | None = exception["line"] if exception else report["claims"].get("stopped_at")
    findings = weighed_findings(rules, author, "execute", outcome, report["reason"], line, report["hint"])
    return judged("execute", [*findings, *swallowed], seconds)


def judge_repeat(report: Report, author: Author, rules: Rules) -> Stage:
    """The stage `repeat`: does a second execution in the same scene work and duplicate nothing?"""
    if elsewhere := report["evidence"].get("elsewhere"):
        return judge_elsewhere(report, elsewhere, author, rules)
    repeat = report["evidence"]["repeat"]
    if repeat is None:
        return skipped("repeat", "the first execution did not end well")
    if repeat["outcome"] == Outcome.TIMED_OUT:
        return skipped("repeat", "a second execution did not end in the time left by the first one")
    findings: list[Finding] = []
    if repeat["outcome"] != Outcome.PASSED:
        message = f"a second execution ended differently: {repeat['reason']}"
        exception = report["claims"]["repeat_exception"]
        line: int | None = exception["line"] if exception else None
        findings += weighed_findings(rules, author, "repeat", "second-run-raises", message, line)
    if repeat["added"]:
        message = f"a second execution adds {', '.join(repeat['added'][:5])}"
        hint = "Look each thing up by name first, and make it only if it is missing."
        findings += weighed_findings(rules, author, "repeat", "adds-again", message, hint=hint)
    if repeat["changed"]:
        message = f"a second execution changes the scene: {'; '.join(repeat['changed'][:5])}"
        findings += weighed_findings(rules, author, "repeat", "changes-again", message)
    if unread := repeat.get("unread"):
        message = f"{unread} data blocks were not compared after a second execution: there was not enough time"
        findings += weighed_findings(rules, author, "repeat", "not-compared", message)
    return judged("repeat", findings, note="a second execution adds and changes nothing")


def judge_elsewhere(report: Report, elsewhere: Report, author: Author, rules: Rules) -> Stage:
    """The stage `repeat` of a snippet that asks where it runs: does it leave the same in a user's own Blender?"""
    others = [*(f"adds {one}" for one in elsewhere["added"]), *elsewhere["changed"]]
    if elsewhere["outcome"] == Outcome.TIMED_OUT:
        others = ["it did not end in the time left by the first execution"]
    elif elsewhere["outcome"] != Outcome.PASSED:
        others = [f"it ends differently: {elsewhere['reason']}"]
    elif elsewhere["unread"]:
        others.append(f"{elsewhere['unread']} data blocks could not be compared")
    exception = report["claims"]["repeat_exception"]
    line: int | None = exception["line"] if exception else None
    hint = "Do the same everywhere, or do not ask, and seed what is random: only what is done here is proven."
    if not others:
        code, hint = "not-compared", "Do not ask where it runs: then it is run again in the same scene."
        said = ", and does the same in a user's own Blender; what it adds anew is not seen"
    elif elsewhere.get("needs"):
        code, said = "elsewhere-not-judged", f"; what it does in a user's own Blender needs {elsewhere['needs']}"
    else:
        code, said = "other-elsewhere", f"; as in a user's own Blender, the same was not seen: {'; '.join(others[:5])}"
    message = f"it asks where it runs{said}"
    return judged("repeat", weighed_findings(rules, author, "repeat", code, message, line, hint))


def judge_scene(report: Report, author: Author, rules: Rules, snippet: str | None = None) -> Stage:
    """The stage `scene`: is the scene sound, wholly examined, all to be seen, and without code?

    With the snippet, one that has nothing of Blender in it is told from one that changes nothing.
    """
    scene, changes = report["evidence"]["scene"], report["evidence"]["changes"]
    if scene is None:
        return skipped("scene", "the execution left no scene to examine")
    findings = judge_soundness(report, author, rules) + judge_visibility(report, author, rules)
    findings += judge_one_scene(report, author, rules)
    accepted: list[dict[str, Any]] = report["evidence"].get("accept") or []
    made_true = any(answer["met"] and not answer.get("met_at_start", True) for answer in accepted)
    if not report["claims"]["registered"] and not made_true and changes_nothing(changes):
        code, message = "changes-nothing", CHANGES_NOTHING
        if snippet is not None and not uses_blender(snippet):
            code, message = NOTHING, f"the snippet {ONLY_RAN}, so nothing is proven"
        findings += weighed_findings(rules, author, "scene", code, message)
    count = len(scene["objects"]) + scene.get("objects_untold", 0)
    return judged("scene", findings, note=f"{count} objects, all sound")


def changes_nothing(changes: Report) -> bool:
    """True if a comparison of two scenes found no difference."""
    groups = [*changes["added"].values(), *changes["removed"].values(), *changes["changed"].values()]
    return not any(groups) and not changes["counts"]
