"""A real service on a free port, whose runs end at once without a Blender: what a request says decides how.

endless      the run goes on until it is cancelled
unknown      it is refused
wrong        it is not proven: it fails in line 2 of its snippet
long         its snippet has hundreds of lines
else         it is proven, and has an artifact
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.cli.client import started
from app.errors import RequestNotUnderstood
from app.jobs.request import GenerateRequest
from app.jobs.run import Attempt
from app.pipeline.context import RunContext
from app.pipeline.loop import RunLoop
from app.pipeline.state import State, first_state
from app.settings import Settings
from tests.small_artifacts import draw, proof
from tests.verdicts import PASSED, failing


@contextmanager
def quick_service(home: Path, data: Path, **settings: object) -> Generator[str]:
    """The address of the service."""

    async def run(_loop: RunLoop, context: RunContext) -> State:
        return await end_at_once(context, data)

    async def forget(_loop: RunLoop, _run_id: str) -> None:
        """Nothing is kept."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunLoop, "run", run)
        patch.setattr(RunLoop, "forget", forget)
        given = {"home": home, "data": data, "sandbox": "unsafe", "warm_workers": 0, "warm_checkers": 0}
        with started(Settings.model_validate(given | settings)) as url:
            yield url


async def end_at_once(context: RunContext, data: Path) -> State:
    """Take a run to its end."""
    request, progress, run_id = context.request, context.tools.progress, context.run_id
    words = request.request if isinstance(request, GenerateRequest) else request.snippet
    await progress.begin_stage(run_id, "draft")
    if "endless" in words:
        await asyncio.Event().wait()
    if "unknown" in words:
        raise RequestNotUnderstood("This is not understood.", details={"not_understood": ["unknown"]})
    snippet = f"# {words}\nimport bpy\n"
    if isinstance(request, GenerateRequest) and request.earlier:
        snippet = f"# {request.all_requests()!r}\n{request.earlier.snippet}"
    if "long" in words:
        snippet += "".join(f"line_{number} = {number}  # one of very many lines\n" for number in range(400))
    await progress.begin_stage(run_id, "attempt 1: check and execute")
    verdict = failing("execute", line=2, message="there is no bpy") if "wrong" in words else PASSED
    attempt = Attempt(
        number=1, author="commands", notes=["as it was read"], snippet=snippet, symbols=[], verdict=verdict, report=None
    )
    await context.tools.runs.add_attempt(run_id, attempt)
    await progress.say(run_id, "attempt", number=1, author="commands", passed=verdict.passed, reached=verdict.reached)
    artifact = publish(context, words, snippet, data) if verdict.passed else None
    return {**first_state(), "artifact": artifact}


def publish(context: RunContext, words: str, snippet: str, data: Path) -> str | None:
    """The artifact of a run."""
    picture = draw("ball", "gold", size=640)
    made = proof(data.parent / "made" / context.run_id, words, picture, run=context.run_id, snippet=snippet, views=2)
    artifact = context.tools.gallery.publish(made)
    return artifact.id if artifact else None
