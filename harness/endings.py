"""The endings of executions: every end becomes one Outcome, with a reason and, if there is one, a hint.

The launcher's measurements decide first; claims only add detail.
"""

from __future__ import annotations

import dataclasses
import difflib
import errno
import json
import re
import signal
from pathlib import Path
from typing import Any, Final, cast

from harness.claims import ClaimedException, ExecutionClaims, has_finished, is_in_order, items
from harness.folders import Folders
from harness.launcher import KEEPER_LOST, HarnessFault, ProcessEnd, ProcessLimits, escaped
from harness.order import Order
from harness.protocol import AFTER, AGAIN, EVIDENCE, EVIDENCE_LIMIT_BYTES, START, EventName, Outcome, RunPart
from harness.triage import Need

STOPPED: Final = {
    "time": Outcome.TIMED_OUT,
    "memory": Outcome.OUT_OF_MEMORY,
    "output": Outcome.OUTPUT_LIMIT,
    "disk": Outcome.DISK_LIMIT,
    "processes": Outcome.PROCESS_LIMIT,
}


SHOWN_NAMES: Final = 12
SHOWN_LINE: Final = 100
MORE_TIME: Final = "A request may ask for more time with `time_limit`, in seconds."
REMEDIES: Final = (
    (r"render|bake", "Render or bake less here: the harness takes the picture itself."),
    (r"subdivi|levels|remesh|voxel|decimate|boolean|modifier_apply", "Use fewer levels or faces here."),
    (r"bpy\.ops\.", "An operator in a loop looks at the whole scene each time: make the data with bpy.data or bmesh."),
    (r"\bwhile\b", "Give the loop a condition that becomes false, or a `break`."),
    (r"sleep|join\(|wait|input\(", "Do not wait here: nothing happens in Blender meanwhile."),
    (r"", "Do less here: fewer rounds, or the same with numpy or `foreach_set`."),
)
"""Advice if the time ran out on a line like this; the first that fits counts."""

REFUSED_HINT: Final = (
    "The sandbox refuses this: a snippet can read and write its own folder, but start no process and use no network."
)


MADE_BY_HAND: Final = (".from_pydata(", ".loops.", ".polygons.add(", ".edges.add(")
"""The calls of a snippet that makes a mesh of indices."""
MESH_HINT: Final = (
    "A face or edge that names a vertex which is not there crashes Blender: call `mesh.validate()` at once."
)
STRIP_HINT: Final = (
    "`modifiers.new` of a strip crashes Blender 5.0.1, whatever its type, but neither 4.5 nor 5.2: name one of them as "
    "`blender`, or leave the modifier out."
)
TOO_BIG_HINT: Final = "Make less geometry: fewer subdivisions or copies, or modifiers that are not applied."
TOO_MUCH_HINT: Final = (
    "Make fewer objects, modifiers, nodes and materials, with shorter names: instances instead of copies, one material "
    "for many objects."
)
LIMIT_HINTS: Final = {
    "memory": "Make less at a time: smaller images, fewer vertices, arrays of float32 that are dropped after use. The "
    "operator may allow more: `BLENDPROOF_MEMORY_MIB`.",
    "disk": "Write fewer or smaller files, and remove those that only serve the snippet itself.",
    "output": "Print less: a summary instead of each thing.",
}
"""Advice about a limit, by its name; advice about time depends on the line."""
MEBIBYTE: Final = 1 << 20


@dataclasses.dataclass(frozen=True)
class Ending:
    """The ending of an execution, or of its repetition: the outcome and one sentence on the reason."""

    outcome: Outcome
    reason: str
    hint: str | None = None


LEAVE: Final = "Let the snippet run to its end; do not leave through os._exit or a similar call."
PASSED: Final = Ending(Outcome.PASSED, "it ran to its end")


def end_of_run(
    run: ProcessEnd,
    claims: ExecutionClaims,
    order: Order,
    folders: Folders,
    need: Need | None = None,
    series: str = "",
) -> Ending:
    """The ending of the snippet's own process. It passed only if it also left by itself, with status 0, in time.

    `need` is a thing that it lacked, from its text; `series` that of its Blender, such as `5.0`.

    Raises HarnessFault if it ended before the snippet and no setup is to blame.
    """
    if folders.kept_file(START) is None:
        return end_before_snippet(run, order)
    # Listening ends at the first line that is no event. If the harness goes on, it then writes to a closed pipe.
    if not is_in_order(run.events) or run.signal == signal.SIGPIPE:
        return Ending(Outcome.NO_RESULT, "something posed as the harness, so nothing it said is believed")
    if folders.kept_file(AFTER) and has_finished(run, RunPart.FIRST):
        return PASSED
    forced = forced_end(run, order.run_limits)
    if claims.exception and run.stopped_by is None:
        ending = end_by_exception(claims.exception, order, need)
        if ending.outcome is Outcome.OUT_OF_MEMORY:
            return dataclasses.replace(ending, reason=ending.reason + claimed_sizes(claims))
        return ending
    if folders.kept_file(AFTER):
        return end_without_leaving(forced, run)
    if forced and claims.ended:
        return not_saved(forced, claims, order)
    if forced:
        return at_line(crashed_for_want(forced, run, order, need, series), claims, order)
    if claims.ended:
        return Ending(Outcome.NO_RESULT, "it reported that it ended, but left no scene that can be examined")
    return Ending(
        Outcome.EXITED_EARLY, f"it ended its process (exit code {run.exit_code}) before the scene could be saved", LEAVE
    )


def end_without_leaving(forced: Ending | None, run: ProcessEnd) -> Ending:
    """The ending of a process that saved the scene, and then did not leave as after an ended snippet."""
    said = "its process said that it had ended and saved the scene, but "
    if forced:
        return Ending(forced.outcome, said + forced.reason, LEAVE)
    return Ending(
        Outcome.EXITED_EARLY, f"{said}left by itself before it had finished (exit code {run.exit_code})", LEAVE
    )


def not_saved(forced: Ending, claims: ExecutionClaims, order: Order) -> Ending:
    """The ending of a snippet that ran to its end and left a scene that cannot be saved."""
    said = {
        Outcome.DISK_LIMIT: "the scene it left is too big to save: a snippet may write "
        f"{order.run_limits.disk_bytes // MEBIBYTE} MiB, its scene included",
        Outcome.OUT_OF_MEMORY: "there was not enough memory to save the scene it left: "
        f"a process may use {order.run_limits.memory_bytes // MEBIBYTE} MiB",
        Outcome.TIMED_OUT: f"the scene it left was not saved within {order.run_limits.wall_s:g} s",
    }.get(forced.outcome, f"saving the scene it left failed: {forced.reason}")
    return Ending(forced.outcome, f"it ran to its end, but {said}{claimed_sizes(claims)}", TOO_BIG_HINT)


def claimed_sizes(claims: ExecutionClaims) -> str:
    """The largest meshes, from the report of the process that ran the snippet."""
    return f"; it said of itself that {sizes(claims.largest)}" if claims.largest else ""


def sizes(largest: list[dict[str, Any]]) -> str:
    """The largest meshes in words."""
    each = [f'"{mesh["mesh"]}" has {mesh["vertices"]:,} vertices and {mesh["faces"]:,} faces' for mesh in largest]
    return "mesh " + ", ".join(each)


def end_of_setup(setup: ProcessEnd, order: Order) -> Ending | None:
    """The failure of the process of the setup snippet; None if it saved a start and left by itself, in time."""
    return None if has_finished(setup, RunPart.SETUP) else end_before_snippet(setup, order)


def end_before_snippet(run: ProcessEnd, order: Order) -> Ending:
    """The ending of a process that did not reach the snippet: the setup's fault, or ours."""
    forced = forced_end(run, order.run_limits)
    if run.event(EventName.BOOTED) is None or not order.has_setup:
        why = forced.reason if forced else run.log or f"exit code {run.exit_code}"
        raise HarnessFault(f"Blender ended before the snippet was run: {why}")
    event = run.event(EventName.SETUP_FAILED)
    hint = "Fix the setup snippet or the .blend file of the request."
    if event:
        return Ending(Outcome.SETUP_FAILED, f"the setup raised {event.get('type')}: {event.get('message')}", hint)
    reason = forced.reason if forced else "it ended its process"
    return Ending(Outcome.SETUP_FAILED, f"the setup failed: {reason}", hint)


def forced_end(end: ProcessEnd, limits: ProcessLimits) -> Ending | None:
    """The ending of a process that was stopped by a limit or killed by a signal; None if it ended by itself."""
    if end.stopped_by in STOPPED:
        return end_at_limit(end.stopped_by, limits)
    if end.stopped_by == KEEPER_LOST:
        return Ending(Outcome.CRASHED, "the process that watches over it was stopped or killed from inside")
    if end.signal is None:
        return None
    name = signal_name(end.signal)
    if end.signal == signal.SIGXFSZ:
        return end_at_limit("disk", limits)
    if end.peak_memory_bytes > 0.8 * limits.memory_bytes:
        reason = f"Blender crashed ({name}) close to its memory limit"
        return Ending(Outcome.OUT_OF_MEMORY, reason, LIMIT_HINTS["memory"])
    return Ending(Outcome.CRASHED, f"Blender was ended by the signal {name}")


def end_at_limit(limit: str, limits: ProcessLimits) -> Ending:
    """The ending at a limit."""
    return Ending(STOPPED[limit], limit_reason(limit, limits), LIMIT_HINTS.get(limit))


def limit_reason(limit: str, limits: ProcessLimits) -> str:
    return {
        "time": f"it was still running after {limits.wall_s:g} s",
        "memory": f"it used more than {limits.memory_bytes // MEBIBYTE} MiB of memory",
        "output": f"it printed more than {limits.output_bytes // MEBIBYTE} MiB",
        "disk": f"it wrote more than {limits.disk_bytes // MEBIBYTE} MiB or {limits.files} files, or hid what it wrote",
        "processes": f"it started more than {limits.processes} processes",
    }[limit]


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def end_by_exception(claimed: ClaimedException, order: Order, need: Need | None) -> Ending:
    """The ending of a snippet that raised: a limit it reached, something it lacks, or an ordinary exception."""
    if claimed.type == "MemoryError":
        return end_at_limit("memory", order.run_limits)
    if claimed.errno in (errno.EFBIG, errno.ENOSPC, errno.EDQUOT):
        return end_at_limit("disk", order.run_limits)
    there = names_there(claimed)
    if need:
        return Ending(Outcome(need.outcome), f"it needs {need.what}{there}", need.hint)
    refused = claimed.errno in (errno.EPERM, errno.EACCES, errno.EROFS)
    hint = REFUSED_HINT if refused else None
    said = f"{claimed.type}: {claimed.message}" if claimed.message else claimed.type
    return Ending(Outcome.RAISED, said + there, hint)


def names_there(claimed: ClaimedException) -> str:
    """`; there are: ...`: the names in the collection that lacks one, the nearest first; empty if none are known."""
    if claimed.names_there is None:
        return ""
    if not claimed.names_there:
        return "; there are none"
    missing = re.search(r'key "(.*?)" not found', claimed.message)
    near = difflib.get_close_matches(missing[1], claimed.names_there, SHOWN_NAMES, 0.4) if missing else []
    names = list(dict.fromkeys([*near, *claimed.names_there]))
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    shown = ", ".join(f'"{name}"' for name in names[:SHOWN_NAMES])
    return f"; there are: {shown}{more}"


def loop_around(lines: list[str], number: int) -> str:
    """The head of the innermost loop around a line (from 1), by indentation; empty if there is none."""
    depth = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    for line in reversed(lines[: number - 1]):
        inner = len(line) - len(line.lstrip())
        if line.strip() and inner < depth:
            if line.lstrip().startswith(("for ", "while ")):
                return line.strip()
            depth = inner
    return ""


def at_line(ending: Ending, claims: ExecutionClaims, order: Order) -> Ending:
    """The same ending with the line that ran when its time was up, and advice."""
    lines = order.snippet.splitlines()
    if ending.outcome is not Outcome.TIMED_OUT:
        return ending
    if claims.stopped_at is None or claims.stopped_at > len(lines):
        return dataclasses.replace(ending, hint=MORE_TIME)
    line = lines[claims.stopped_at - 1].strip()
    around = f"{loop_around(lines, claims.stopped_at)} {line}"
    remedy = next(said for pattern, said in REMEDIES if re.search(pattern, around))
    shown = line if len(line) <= SHOWN_LINE else line[:SHOWN_LINE] + "..."
    reason = f"{ending.reason}, at line {claims.stopped_at}: `{shown}`"
    return Ending(ending.outcome, reason, f"{remedy} {MORE_TIME}")


def crashed_for_want(forced: Ending, run: ProcessEnd, order: Order, need: Need | None, series: str) -> Ending:
    """The same ending, unless Blender crashed because the snippet opens a menu or popup and there is no window."""
    if forced.outcome is not Outcome.CRASHED or run.signal is None:
        return forced
    if need is None:
        return dataclasses.replace(forced, hint=crash_hint(order.snippet, series) or forced.hint)
    return Ending(Outcome(need.outcome), f"{forced.reason}: it needs {need.what}", need.hint)


def crash_hint(snippet: str, series: str) -> str | None:
    """The cause in a snippet of a crash of this Blender, if it is known."""
    if any(name in snippet for name in MADE_BY_HAND):
        return MESH_HINT
    strips = snippet.find("sequence_editor")
    crashes = series == "5.0" and strips >= 0 and ".modifiers.new(" in snippet[strips:]
    return STRIP_HINT if crashes else None


def end_of_examination(examined: ProcessEnd, order: Order, folders: Folders) -> tuple[Ending, dict[str, Any]]:
    """The ending of the examination by the witness, and its evidence. Raises HarnessFault after a fault of ours.

    A failure of Blender on the scene counts against the scene; an error of our own code, or a crash on a file that is
    not the snippet's, does not.
    """
    unreadable = examined.event(EventName.UNREADABLE)
    forced = forced_end(examined, order.examine_limits)
    if unreadable and unreadable.get("name") == AFTER:
        return Ending(Outcome.NO_RESULT, f"the scene it left cannot be opened: {unreadable.get('message')}"), {}
    if forced and is_early(forced, examined, order):
        raise HarnessFault(f"Blender was ended while it examined the scene before the snippet: {forced.reason}")
    if told := examined.event(EventName.NOT_RENDERED):
        return Ending(Outcome.EXAMINATION_FAILED, f"rendering the scene it left failed: {told.get('message')}"), {}
    if told := examined.event(EventName.TOO_MUCH_TO_TELL):
        return too_much_evidence(told), {}
    if forced or examined.event(EventName.TOO_LARGE):
        return too_much(examined, forced.reason if forced else "there was not enough memory"), {}
    if examined.event(EventName.FINISHED) is None:
        failed = examined.event(EventName.NOT_EXAMINED) or unreadable
        raise HarnessFault(f"the examination of the scene failed: {failed.get('message') if failed else examined.log}")
    return PASSED, read_json(folders.examine / "out" / EVIDENCE, EVIDENCE_LIMIT_BYTES)


def too_much_evidence(event: dict[str, Any]) -> Ending:
    """The ending of an examination with more facts than are read."""
    amount, most = (bytes_ / MEBIBYTE for bytes_ in (event.get("bytes", 0), EVIDENCE_LIMIT_BYTES))
    reason = f"there is too much to tell of its scene: {amount:.0f} MiB, and {most:.0f} MiB are read"
    return Ending(Outcome.EXAMINATION_FAILED, reason, TOO_MUCH_HINT)


def too_much(examined: ProcessEnd, reason: str) -> Ending:
    """The ending of an examination because of the scene itself."""
    during = "rendering" if examined.event(EventName.DESCRIBED) else "describing"
    where = "the scene it left" if opened_last(examined) == AFTER else "the scene before the snippet"
    opened = [
        event for _, event in examined.events if event["event"] == EventName.OPENED and event.get("name") == AFTER
    ]
    sizes_told: list[list[Any]] = opened[-1].get("largest", []) if opened else []
    largest = [
        f'"{name}" has {vertices:,} vertices and {faces:,} faces{before(modifiers)}'
        for name, vertices, faces, modifiers in sizes_told
    ]
    said = f"; it has {opened[-1].get('objects'):,} objects" if opened else ""
    said += f", the largest: {', '.join(largest)}" if largest else ""
    return Ending(Outcome.EXAMINATION_FAILED, f"{during} {where} failed: {reason}{said}", TOO_BIG_HINT)


def before(modifiers: list[str]) -> str:
    """The modifiers that enlarge the meshes, in words."""
    return f" before its modifiers {', '.join(modifiers[:5])}" if modifiers else ""


def opened_last(examined: ProcessEnd) -> str | None:
    """The name of the last file that the witness began to open."""
    names = [event.get("name") for _, event in examined.events if event["event"] == EventName.OPENING]
    return names[-1] if names else None


def is_early(forced: Ending, examined: ProcessEnd, order: Order) -> bool:
    """True if the witness was ended before it came to the snippet's scene, and not by a large scene of the caller."""
    return opened_last(examined) != AFTER and (forced.outcome is Outcome.CRASHED or not order.has_setup)


def try_again(examined: ProcessEnd, order: Order) -> str | None:
    """The reason for a second try of the examination, None if there is none.

    There is one if it crashed, did not come to the snippet's scene, or failed by a fault of ours.
    """
    forced = forced_end(examined, order.examine_limits)
    if forced:
        early = is_early(forced, examined, order) or died_on_repetition(examined)
        return forced.reason if early or forced.outcome is Outcome.CRASHED else None
    told = (EventName.FINISHED, EventName.NOT_RENDERED, EventName.TOO_LARGE, EventName.TOO_MUCH_TO_TELL)
    unreadable = examined.event(EventName.UNREADABLE)
    if any(examined.event(name) for name in told) or (unreadable and unreadable.get("name") == AFTER):
        return None
    failed = examined.event(EventName.NOT_EXAMINED)
    return str(failed.get("message")) if failed else "it ended its process"


def crashed_on_result(examined: ProcessEnd) -> bool:
    """True if a signal ended the witness while it had the snippet's scene open."""
    return examined.signal is not None and examined.stopped_by is None and opened_last(examined) == AFTER


def died_on_repetition(examined: ProcessEnd) -> bool:
    """True if the scene of the second execution ended the witness, which proves nothing."""
    return opened_last(examined) == AGAIN


def end_of_repetition(second: ProcessEnd | None, claims: ExecutionClaims, order: Order, left_scene: bool) -> Ending:
    """The ending of the second execution, in a process of its own; it was not begun if no time remained for it."""
    if second is None:
        return Ending(STOPPED["time"], limit_reason("time", order.run_limits))
    if not is_in_order(second.events, RunPart.SECOND):
        return Ending(Outcome.NO_RESULT, "something posed as the harness, so nothing it said is believed")
    if claims.again_exception:
        told = claims.again_exception
        return Ending(Outcome.RAISED, f"{told.type}: {told.message}" if told.message else told.type)
    if left_scene and has_finished(second, RunPart.SECOND):
        return PASSED
    ended = Ending(Outcome.NO_RESULT, "it left no scene that can be examined")
    return forced_end(second, order.run_limits) or ended


def read_json(path: Path, limit_bytes: int) -> dict[str, Any]:
    """A JSON object from a file of bounded size. Raises HarnessFault."""
    try:
        if path.stat().st_size > limit_bytes:
            raise HarnessFault(f"{path.name} has more than {limit_bytes} bytes")
        raw = path.read_bytes()
        value = json.loads(raw)
    except (OSError, ValueError) as error:
        raise HarnessFault(f"{path.name} cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise HarnessFault(f"{path.name} holds no JSON object")
    # Names in a .blend may be invalid text; they arrive as lone surrogates, which no other file format accepts.
    facts = cast("dict[str, Any]", value)
    return without_surrogates(facts) if SURROGATE.search(raw) else facts


SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


def without_surrogates(value: Any) -> Any:
    """The same JSON value with every text printable, and every `\\` in it doubled, so that no two names become one."""
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, list):
        return [without_surrogates(item) for item in items(value)]
    if isinstance(value, dict):
        facts = cast("dict[str, Any]", value)
        return {without_surrogates(name): without_surrogates(item) for name, item in facts.items()}
    return value


def last_error_line(message: str) -> str:
    """The last line with an exception, if Blender put a whole traceback into the message."""
    lines = [line for line in message.splitlines() if line.strip() and not line.startswith("Location:")]
    return lines[-1] if len(lines) > 1 and "Traceback" in lines[0] else message
