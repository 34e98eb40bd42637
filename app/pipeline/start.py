"""The scene before a snippet in words for models: Blender's factory scene is known, and one of the caller's own is
looked at by the witness before anything is written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import structlog

from app.jobs.request import GenerateRequest
from app.llm.message import tokens_of
from app.pipeline.context import RunContext
from app.pipeline.state import State
from app.prompting.scene_lines import FACTORY, OWN, SCENE_TOKENS, shown_start
from harness.launcher import HarnessFault
from harness.protocol import RenderSettings

log = structlog.get_logger()

NOTHING: Final = "pass\n"
NO_PICTURE: Final = RenderSettings(views=())
"""Only the description is of use here."""
MADE_BY: Final = "\nIt is made by this snippet, which runs before yours:\n```python\n{}\n```"
UNSEEN: Final = f"{OWN} it could not be looked at ({{}})."


async def start_shown(state: State, context: RunContext) -> str:
    """The start scene of a run in words. It is looked at once; a caller's own scene within a budget."""
    if told := state.get("start"):
        return told
    setup = context.request.setup
    if setup is None:
        return FACTORY
    seen = await look_at_start(context)
    code = (setup.snippet or "").strip()
    short = tokens_of(code) <= SCENE_TOKENS // 2
    return seen + (MADE_BY.format(code) if code and short else "")


async def look_at_start(context: RunContext) -> str:
    """The witness's description of the start scene: a snippet that does nothing is executed on it."""
    tools, request = context.tools, context.request
    order = replace(context.order(NOTHING, []), render=NO_PICTURE, keep_scene=False)
    try:
        report = (await tools.engine.execute(order, context.blender)).report
    except HarnessFault as fault:
        log.warning("start scene not looked at", problem=str(fault))
        return UNSEEN.format("by a fault of ours")
    if report["evidence"]["scene"] is None:
        return UNSEEN.format(report["reason"])
    words = request.for_a_model() if isinstance(request, GenerateRequest) else request.snippet
    return shown_start(report["evidence"]["scene"], words)
