"""Reads files that an add-on wrote, in a Blender that never ran the add-on; tells what is wrong with each."""

from __future__ import annotations

import json
import os
from typing import Any

import bpy

from harness.inside.channel import Channel
from harness.inside.scene.formats import IMAGES, IMPORTERS
from harness.protocol import EventName, ReadBackJob

MOST_SAID = 200


def read_back(job: ReadBackJob) -> None:
    """Read each file into an empty scene, and report its problem, empty if it can be read."""
    channel = Channel(job.channel_fd)
    channel.send(EventName.BOOTED)
    for number, path in enumerate(job.files):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.preferences.filepaths.use_scripts_auto_execute = False
        channel.send(EventName.OPENING, number=number)
        try:
            problem = read(path)
        except Exception as error:
            said = str(error).replace(path, os.path.basename(path))
            problem = " ".join(said.split()) or type(error).__name__
        channel.send(EventName.OPENED, number=number, problem=problem[:MOST_SAID])
    channel.send(EventName.FINISHED)


def read(path: str) -> str:
    """Read a file; the problem with it, if any. Raises the errors of Blender's own importers."""
    ending = os.path.splitext(path)[1]
    if not os.path.getsize(path):
        return "it is empty"
    if ending == ".json":
        with open(path, encoding="utf-8") as file:
            json.load(file)
    elif ending == ".blend":
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
    elif ending in IMAGES:
        return "" if bpy.data.images.load(path).size[0] else "it is no picture"
    else:
        importers: list[Any] = [found for found in map(operator, IMPORTERS[ending]) if found]
        if importers and "FINISHED" not in importers[0](filepath=path):
            return "the importer gives up"
    return ""


def operator(name: str) -> Any:
    """An operator, or None if this Blender does not have it."""
    space, _, own = name.partition(".")
    found: Any = getattr(getattr(bpy.ops, space), own)
    try:
        found.get_rna_type()
    except (KeyError, AttributeError):
        return None
    return found
