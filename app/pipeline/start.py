"""The scene before a snippet in words for models: Blender's factory scene is known, and one of the caller's own is
looked at by the witness before anything is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

import structlog

from app.jobs.request import GenerateRequest
from app.llm.message import tokens_of
from app.pipeline.context import RunContext
from app.pipeline.state import State
from app.prompting.scene_lines import FACTORY, FACTORY_OBJECTS, MADE_BY, OWN, SCENE_TOKENS, shown_start
from harness.launcher import HarnessFault
from harness.protocol import RenderSettings

log = structlog.get_logger()

NOTHING: Final = "pass\n"
NO_PICTURE: Final = RenderSettings(views=())
"""Only the description is of use here."""
UNSEEN: Final = f"{OWN} it could not be looked at ({{}})."


class StartScene(NamedTuple):
    """The scene before in words, and the type of each of its objects by name; None if they are not all known."""

    words: str
    objects: Mapping[str, str] | None = None


async def start_shown(state: State, context: RunContext) -> str:
    """The start scene of a run in words."""
    return (await start_of(state, context)).words


async def start_of(state: State, context: RunContext) -> StartScene:
    """The start scene of a run. It is looked at once; a caller's own scene within a budget."""
    if told := state.get("start"):
        return StartScene(told)
    setup = context.request.setup
    if setup is None:
        return StartScene(FACTORY, FACTORY_OBJECTS)
    seen = await look_at_start(context)
    code = (setup.snippet or "").strip()
    short = tokens_of(code) <= SCENE_TOKENS // 2
    return seen._replace(words=seen.words + (f"{MADE_BY}```python\n{code}\n```" if code and short else ""))


async def look_at_start(context: RunContext) -> StartScene:
    """The witness's description of the start scene: a snippet that does nothing is executed on it."""
    tools, request = context.tools, context.request
    order = replace(context.order(NOTHING, []), render=NO_PICTURE, keep_scene=False)
    try:
        report = (await tools.engine.execute(order, context.blender)).report
    except HarnessFault as fault:
        log.warning("start scene not looked at", problem=str(fault))
        return StartScene(UNSEEN.format("by a fault of ours"))
    scene = report["evidence"]["scene"]
    if scene is None:
        return StartScene(UNSEEN.format(report["reason"]))
    words = request.for_a_model() if isinstance(request, GenerateRequest) else request.snippet
    objects = {name: facts["type"] for name, facts in scene["objects"].items()}
    return StartScene(
        shown_start(scene, words), None if scene["objects_left_out"] or scene["objects_untold"] else objects
    )
