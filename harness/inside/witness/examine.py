"""Process two: opens the saved files, then describes, frames, lights and renders them. Never runs the snippet.

Its report is the evidence.
"""

from __future__ import annotations

import contextlib
import json
import os
import traceback
from collections.abc import Generator
from typing import Any

import bpy

from harness.inside.channel import Channel
from harness.inside.scene.code import disarm, new_code
from harness.inside.scene.contents import contents
from harness.inside.scene.describe import describe
from harness.inside.scene.inventory import inventory
from harness.inside.scene.meshes import largest_objects, too_large_to_read, validate_meshes
from harness.inside.scene.rendered import as_rendered
from harness.inside.witness.accept import look_at
from harness.inside.witness.differences import Contents, Key, differences
from harness.inside.witness.picture import take_pictures
from harness.inside.witness.visibility import find_unseen
from harness.protocol import AFTER, AGAIN, EVIDENCE, EVIDENCE_LIMIT_BYTES, START, EventName, ExamineJob

MESSAGE_LIMIT = 600
SCENES = ("start", "after", "again")
INVENTORY = "the inventory"
NO_INVENTORY: dict[str, Any] = {"blocks": {}, "parts": {}}


class UnreadableFile(Exception):
    """A saved file, of this `name`, is not a .blend file that this Blender can open."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def examine(job: ExamineJob) -> None:
    """Examine the saved files, and report success or failure."""
    channel = Channel(job.channel_fd)
    channel.send(EventName.BOOTED)
    bpy.context.preferences.filepaths.use_scripts_auto_execute = False
    try:
        look(job, channel)
    except UnreadableFile as error:
        channel.send(EventName.UNREADABLE, name=error.name, message=str(error))
    except MemoryError:
        channel.send(EventName.TOO_LARGE)
    except Exception as error:
        # Objects that are odd in unforeseen ways are reported as faults; an error here is our own.
        traceback.print_exc()
        channel.send(EventName.NOT_EXAMINED, message=f"{type(error).__name__}: {error}"[:MESSAGE_LIMIT])
    else:
        channel.send(EventName.FINISHED)


def look(job: ExamineJob, channel: Channel) -> None:
    """Describe start and after, compare after with again, then render after, which is open; write the results."""
    start, start_holds = describe_file(job.start_blend, START, channel)
    asked = [{part: value for part, value in check.items() if part != "claimed"} for check in job.accept]
    met_at_start = look_at(asked, start, start, start_holds.get("blocks"))
    faults: list[dict[str, str]] = []
    again_holds, again_contents = read_again(job, channel, faults)
    after, after_holds = describe_file(job.after_blend, AFTER, channel)
    # Without all inventories, the additions of a second execution are not known.
    after["faults"] += [*faults, *(fault for fault in start["faults"] if fault["of"] == INVENTORY)]
    differ = None
    with contained("what a second execution changed", after["faults"]):
        differ = comparison(again_contents) if again_contents else None
    after["unsound_meshes"] = [mesh for mesh in after["unsound_meshes"] if mesh not in start["unsound_meshes"]]
    checks = [
        {**check, "was": (was or {}).get("was", {})} if check.get("as_before") else check
        for check, was in zip(job.accept, met_at_start, strict=True)
    ]
    seen = look_at(checks, start, after, start_holds.get("blocks"))
    accepted = [found and before and answered(found, before) for found, before in zip(seen, met_at_start, strict=True)]
    after["code"], start["code"] = new_code(start["code"], after["code"]), []
    channel.send(EventName.DESCRIBED)
    kept = untouched_objects(start, after)
    untouched: set[str] = kept if job.factory_start else set()
    unseen = {}
    with contained("what is seen", after["faults"]):
        unseen = find_unseen(start, after, untouched, kept)
    lit_by_world = not job.factory_start or start["scene"]["world"] != after["scene"]["world"]
    with contained("point clouds", after["faults"]):
        hide_what_aborts()
    try:
        disarm()
        picture = take_pictures(after, untouched, lit_by_world, job, kept)
    except RuntimeError as error:
        # Blender's own word on a render.
        channel.send(EventName.NOT_RENDERED, message=str(error).strip()[:MESSAGE_LIMIT])
        return
    channel.send(EventName.RENDERED)
    holds = [start_holds, after_holds, again_holds]
    if {} in holds:
        holds = [NO_INVENTORY] * 3
    evidence = {
        "start": start,
        "after": after,
        "again": again_holds is not None,
        "holds": dict(zip(SCENES, holds, strict=True)),
        "differ": differ,
        "unseen": unseen,
        "render": picture,
        "accept": accepted,
    }
    write(evidence, os.path.join(job.out_folder, EVIDENCE), channel)


def answered(answer: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The answer to a check; it is `broken` if it fails on the start too, and not met if only on the result."""
    told = {part: value for part, value in answer.items() if part != "raised"}
    if answer.get("raised") and before.get("raised"):
        told["broken"] = True
    return {**told, "met_at_start": before["met"]}


def comparison(again: tuple[Contents, set[Key]]) -> dict[str, Any]:
    """The differences of a second execution's file from the open one: `found`, and the `unread` amount."""
    after, unread = contents()
    return {"found": differences(after, again[0], unread | again[1]), "unread": max(len(unread), len(again[1]))}


def read_again(
    job: ExamineJob, channel: Channel, faults: list[dict[str, str]]
) -> tuple[dict[str, Any] | None, tuple[Contents, set[Key]] | None]:
    """The inventory and the contents of a second execution's file, if it left one that can be opened."""
    if job.again_blend is None:
        return None, None
    try:
        open_file(job.again_blend, AGAIN, channel)
    except UnreadableFile:
        return None, None
    holds: dict[str, Any] = {}
    found = None
    with contained("what a second execution left", faults):
        holds, found = inventory(), contents()
    return holds, found


def open_file(path: str, name: str, channel: Channel) -> list[dict[str, str]]:
    """Open a file with scripts off; answers its unsound meshes, which are put right. Raises UnreadableFile."""
    channel.send(EventName.OPENING, name=name)
    try:
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
    except RuntimeError as error:
        raise UnreadableFile(name, str(error).strip()) from error
    unsound = validate_meshes()
    channel.send(EventName.OPENED, name=name, objects=len(bpy.context.scene.objects), largest=largest_objects())
    return unsound


def describe_file(path: str, name: str, channel: Channel) -> tuple[dict[str, Any], dict[str, Any]]:
    """The description and the inventory of a file; the latter is empty if it cannot be made. Raises UnreadableFile."""
    unsound = open_file(path, name, channel)
    unread = too_large_to_read()
    description: dict[str, Any] = {**describe(), "unsound_meshes": unsound, "meshes_not_read": unread}
    holds: dict[str, Any] = {}
    with contained(INVENTORY, description["faults"]):
        holds = inventory()
    return description, holds


@contextlib.contextmanager
def contained(of: str, faults: list[dict[str, str]]) -> Generator[None, None, None]:
    """Note that a part of the examination failed, and go on."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        traceback.print_exc()
        faults.append({"of": of, "fault": f"{type(error).__name__}: {error}"[:MESSAGE_LIMIT]})


def hide_what_aborts() -> None:
    """Hide from the render the objects that it aborts on: point clouds without points, which show nothing anyway."""
    clouds = [obj for obj in bpy.context.scene.objects if obj.type == "POINTCLOUD" and not obj.hide_render]

    def empty(depsgraph: Any) -> list[Any]:
        return [obj for obj in clouds if not len(obj.evaluated_get(depsgraph).data.points)]

    for obj in as_rendered(empty) if clouds else ():
        obj.hide_render = True


def write(evidence: dict[str, Any], path: str, channel: Channel) -> None:
    """Write the evidence; if there is too much of it, say so instead."""
    text = json.dumps(evidence, allow_nan=False)
    if len(text) > EVIDENCE_LIMIT_BYTES:
        channel.send(EventName.TOO_MUCH_TO_TELL, bytes=len(text))
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def untouched_objects(start: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Names of the objects that the snippet left exactly as they were, with their materials."""
    return {
        name
        for name, facts in start["objects"].items()
        if after["objects"].get(name) == facts
        and all(start["materials"].get(name) == after["materials"].get(name) for name in facts["materials"])
    }
