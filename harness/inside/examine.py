"""Process two: opens the saved files, then describes, frames, lights and renders them. Never runs the snippet.

What it writes is the evidence.
"""

from __future__ import annotations

import json
import os
import traceback
from typing import Any

import bpy

from harness.inside.accept import look_at
from harness.inside.channel import Channel
from harness.inside.describe import describe
from harness.inside.inventory import inventory
from harness.inside.picture import take_pictures
from harness.protocol import EVIDENCE, Event, ExamineJob

MESSAGE_LIMIT = 600


class UnreadableFile(Exception):
    """The saved file is not a .blend file that this Blender can open."""


def examine(job: ExamineJob) -> None:
    """Examine the saved files, and report whether that worked."""
    channel = Channel(job.channel_fd)
    channel.send(Event.BOOTED)
    bpy.context.preferences.filepaths.use_scripts_auto_execute = False
    try:
        look(job, channel)
    except UnreadableFile as error:
        channel.send(Event.UNREADABLE, message=str(error))
    except Exception as error:
        # Some scenes are odd in ways not foreseen here; a second try would fail in the same way.
        traceback.print_exc()
        channel.send(Event.NOT_EXAMINED, message=f"{type(error).__name__}: {error}"[:MESSAGE_LIMIT])
    else:
        channel.send(Event.FINISHED)


def look(job: ExamineJob, channel: Channel) -> None:
    """Describe start, again and after; then render after, which is still open; write the results."""
    start, start_holds = describe_file(job.start_blend)
    asked = [{part: value for part, value in check.items() if part != "claimed"} for check in job.accept]
    met_at_start = look_at(asked, start, start, start_holds.get("blocks"))
    again, again_holds = describe_file(job.again_blend) if job.again_blend else (None, None)
    after, after_holds = describe_file(job.after_blend)
    seen = look_at(job.accept, start, after, start_holds.get("blocks"))
    accepted = [
        found and {**found, "met_at_start": bool(before and before["met"])}
        for found, before in zip(seen, met_at_start, strict=True)
    ]
    channel.send(Event.DESCRIBED)
    kept = untouched_objects(start, after)
    untouched: set[str] = kept if job.factory_start else set()
    lit_by_world = not job.factory_start or start["scene"]["world"] != after["scene"]["world"]
    picture = take_pictures(after, untouched, lit_by_world, job, kept)
    channel.send(Event.RENDERED)
    evidence = {
        "start": start,
        "after": after,
        "again": again,
        "holds": {"start": start_holds, "after": after_holds, "again": again_holds},
        "render": picture,
        "accept": accepted,
    }
    with open(os.path.join(job.out_folder, EVIDENCE), "w", encoding="utf-8") as file:
        json.dump(evidence, file, allow_nan=False)


def describe_file(path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The description and the inventory of a file, opened with scripts off. Raises UnreadableFile."""
    try:
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
    except RuntimeError as error:
        raise UnreadableFile(str(error).strip()) from error
    return describe(), inventory()


def untouched_objects(start: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Names of the objects that the snippet left exactly as they were, with their materials."""
    return {
        name
        for name, facts in start["objects"].items()
        if after["objects"].get(name) == facts
        and all(start["materials"].get(name) == after["materials"].get(name) for name in facts["materials"])
    }
