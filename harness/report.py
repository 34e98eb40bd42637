"""The report of one execution: claims of the process that ran the snippet, evidence from the others."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from harness.blenders import Blender
from harness.claims import ClaimedAddon, ExecutionClaims, is_in_order
from harness.compare import added_by_repeat, changed_by_repeat, compare, made_by_repeat
from harness.endings import Ending, end_of_repetition, forced_end, signal_name
from harness.folders import Folders
from harness.launcher import ProcessEnd, ProcessLimits
from harness.order import Order
from harness.packages import installed
from harness.protocol import EventName, Outcome, RunPart
from harness.sandbox.ladder import Sandbox
from harness.triage import Need
from harness.wording import bounded, changes_report, scene_report

FILES_LISTED: Final = 100


@dataclasses.dataclass
class Execution:
    """All that is known of one execution; parts that were not reached are null."""

    blender: Blender
    order: Order
    folders: Folders
    sandbox: Sandbox
    ending: Ending = dataclasses.field(default=Ending(Outcome.HARNESS_FAULT, "it was not started"))
    setup: ProcessEnd | None = None
    """The process of the setup snippet, if there is one; the next three run the snippet."""
    run: ProcessEnd | None = None
    second: ProcessEnd | None = None
    calls: ProcessEnd | None = None
    claims: ExecutionClaims | None = None
    needs: list[str | None] = dataclasses.field(default_factory=list[str | None])
    """The need behind each error that Blender swallowed."""
    lacks: Need | None = None
    """The window that the second execution needs, if it is answered as by a user's own Blender."""
    examined: ProcessEnd | None = None
    examined_again: str | None = None
    """The reason why the scene was examined a second time; null if it was not."""
    crashed_once: bool = False
    """True if that was a crash of Blender on the snippet's scene."""
    evidence: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    accepted: list[dict[str, Any]] | None = None
    window: bool = False
    """True if the snippet ran in a Blender with a window."""


def write_report(done: Execution) -> dict[str, Any]:
    """The report, a JSON object.

    `claims` are the words of the process that ran the snippet; `evidence` comes from the launcher and from the process
    that never ran it. Parts that were not reached are null.
    """
    run, claims, evidence = done.run, done.claims, done.evidence
    changes = compare(evidence["start"], evidence["after"]) if evidence else None
    clean = path_cleaner(done.blender, done.folders)
    return {
        "outcome": done.ending.outcome.value,
        "reason": clean(done.ending.reason),
        "hint": done.ending.hint,
        "blender": {
            "version": done.blender.version,
            "build_hash": done.blender.build_hash,
            "kind": done.blender.kind,
            "window": done.window,
            "python": done.blender.python,
            "packages": installed(done.blender) if done.blender.packages else {},
        },
        "claims": {
            "exception": dataclasses.asdict(claims.exception) if claims and claims.exception else None,
            "repeat_exception": (
                dataclasses.asdict(claims.again_exception) if claims and claims.again_exception else None
            ),
            "stopped_at": claims.stopped_at if claims else None,
            "exit_code": claims.exit_code if claims else None,
            "registered": claims.registered if claims else [],
            "unlinked_objects": claims.unlinked if claims else [],
            "unsound_meshes": claims.unsound if claims else [],
            "largest_meshes": claims.largest if claims else [],
            **provocation(done, claims),
            "stdout": {**run.stdout, "text": clean(run.stdout["text"])} if run else None,
            "stderr": {**run.stderr, "text": clean(run.stderr["text"])} if run else None,
        },
        "evidence": {
            "scene": scene_report(evidence["after"], changes) if changes else None,
            "changes": changes_report(changes) if changes else None,
            **repeated(done),
            "unseen": bounded(evidence.get("unseen")),
            "render": bounded(evidence.get("render")),
            "accept": done.accepted,
            "files": bounded(done.folders.left_files(done.order.brought_files())[0][:FILES_LISTED]),
            "examined_again": clean(done.examined_again) if done.examined_again else None,
            "crashed_once": done.crashed_once,
            "processes": {name: process_facts(end) if end else None for name, end in processes_of(done).items()},
            "timings": timings(processes_of(done).values()),
        },
        "isolation": done.sandbox.facts(),
    }


def processes_of(done: Execution) -> dict[str, ProcessEnd | None]:
    """The processes of an execution, in the order in which they ran; null for one that was not started."""
    return {
        "setup": done.setup,
        "run": done.run,
        "second": done.second,
        "calls": done.calls,
        "examine": done.examined,
    }


def provocation(done: Execution, claims: ExecutionClaims | None) -> dict[str, Any]:
    """Blender's calls, their errors, the registrations of an add-on, and the step at which that ended early.

    Each error has `needs`, the thing that this Blender cannot have, such as a window; null if that is no excuse.
    """
    errors = claims.swallowed if claims else []
    return {
        "swallowed": [
            {**dataclasses.asdict(error), "needs": need} for error, need in zip(errors, done.needs, strict=True)
        ],
        "hooks": [dataclasses.asdict(hook) for hook in claims.hooks] if claims else [],
        "addon": addon_facts(claims.addon) if claims and claims.addon else None,
        "cut_short": cut_short(done.calls, claims, done.order.run_limits) if done.calls and claims else None,
    }


def addon_facts(addon: ClaimedAddon) -> dict[str, Any]:
    """The registrations of an add-on in a report, with those after `unregister` as `left`."""
    return {"registered": addon.registered, "left": addon.left_behind, "line": addon.line}


def cut_short(calls: ProcessEnd, claims: ExecutionClaims, limits: ProcessLimits) -> dict[str, Any] | None:
    """The step of the provocation at which the process ended, and its ending; None if it came to its end.

    It is `lasting` if the snippet is to blame, not a lack of time.
    """
    if not is_in_order(calls.events, RunPart.CALLS):
        return {"step": "all", "why": "something posed as the harness", "lasting": True}
    if claims.provoked:
        return None
    steps = [
        (moment, str(event.get("step"))) for moment, event in calls.events if event["event"] == EventName.PROVOKING
    ]
    moment, step = steps[-1] if steps else (0.0, "the snippet, run once more")
    forced = forced_end(calls, limits)
    if calls.stopped_by == "time":
        why = f"Blender had not come back after {calls.wall_s - moment:.0f} s"
    else:
        why = forced.reason if forced else f"it ended its process (exit code {calls.exit_code})"
    lasting = calls.stopped_by != "time" or (bool(steps) and calls.wall_s - moment > LONG_S)
    return {"step": step[:100], "why": why, "lasting": lasting}


LONG_S: Final = 10.0
"""A step of the provocation that lasts longer does not end; see the limits in `harness.inside.untrusted.provoke`."""


def path_cleaner(blender: Blender, folders: Folders) -> Callable[[str], str]:
    """A function that removes the paths of this machine from a text; the snippet's files keep their names."""
    python = blender.path.parent.parent if blender.kind == "module" else blender.path.parent
    work, run, place = map(folders.inside, (folders.work, folders.run, folders.place))
    replaced = {
        f"{work}{os.sep}": "",
        str(work): ".",
        f"{run}{os.sep}": "",
        f"{place}{os.sep}": "",
        f"{python}{os.sep}": "<blender>/" if blender.kind == "module" else f"{python}{os.sep}",
        f"{Path(__file__).parent}{os.sep}": "<harness>/",
        f"{blender.packages}{os.sep}": "<packages>/",
    }

    def clean(text: str) -> str:
        for path, shown in replaced.items():
            text = text.replace(path, shown)
        return text

    return clean


def repeated(done: Execution) -> dict[str, Any]:
    """The second execution: `elsewhere` if it was answered as by a user's own Blender, otherwise `repeat`."""
    told = bounded(repetition(done)) if done.evidence else None
    if told is None or not done.order.asks:
        return {"repeat": told, "elsewhere": None}
    return {"repeat": None, "elsewhere": {**told, "needs": done.lacks.what if done.lacks else None}}


def repetition(done: Execution) -> dict[str, Any]:
    """The ending of the second execution in the same scene, with its additions and changes."""
    assert done.run is not None and done.claims is not None
    again, differ = done.evidence["again"], done.evidence["differ"]
    ending = end_of_repetition(done.second, done.claims, done.order, again)
    made = made_by_repeat(done.evidence["holds"]) if again else []
    return {
        "outcome": ending.outcome.value,
        "reason": ending.reason,
        "made": made,
        "added": added_by_repeat(made),
        "changed": changed_by_repeat(differ["found"]) if differ else [],
        "unread": (differ["unread"] if differ else 1) if again else 0,
    }


def process_facts(end: ProcessEnd) -> dict[str, Any]:
    """The measurements of one process from outside."""
    return {
        "exit_code": end.exit_code,
        "signal": signal_name(end.signal) if end.signal is not None else None,
        "stopped_by": end.stopped_by,
        "wall_s": round(end.wall_s, 3),
        "cpu_s": round(end.cpu_s, 3),
        "peak_memory_bytes": end.peak_memory_bytes,
        "leftover_processes": end.leftovers,
    }


PHASES: Final = {
    EventName.BOOTED: "boot_s",
    EventName.SAVED: "save_s",
    EventName.SNIPPET_ENDED: "snippet_s",
    EventName.AGAIN_ENDED: "repeat_s",
    EventName.OPENING: "describe_s",
    EventName.OPENED: "describe_s",
    EventName.PROVOKED: "provoke_s",
    EventName.DESCRIBED: "describe_s",
    EventName.RENDERED: "render_s",
}
"""The phase that ends with an event."""


def timings(processes: Iterable[ProcessEnd | None]) -> dict[str, float]:
    """Seconds in each phase, on the launcher's clock; a phase that several processes have is the sum."""
    seconds: dict[str, float] = {}
    ended = [end for end in processes if end]
    for end in ended:
        before = 0.0
        for moment, event in end.events:
            phase = PHASES.get(event["event"])
            if phase:
                seconds[phase] = round(seconds.get(phase, 0.0) + moment - before, 4)
            before = moment
    seconds["total_s"] = round(sum(end.wall_s for end in ended), 4)
    return seconds
