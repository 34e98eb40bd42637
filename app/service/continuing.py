"""Finds what a request goes on from: the snippet of an earlier run, and the requests that led to it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from app.errors import InvalidRequest, RunNotFound
from app.jobs.earlier import LONGEST_SNIPPET, Earlier, as_many_as_fit
from app.jobs.request import GenerateRequest, Setup
from app.jobs.run import UNFINISHED

if TYPE_CHECKING:
    from app.jobs.tables import JobStore

SEND_AGAIN: Final = "Send the .blend again as `setup`."
HINT: Final = "Name a run that has ended and has a snippet; GET /runs lists the runs."


async def with_earlier(request: GenerateRequest, runs: JobStore) -> GenerateRequest:
    """The request with what it goes on from; as it is if it names no run. Raises InvalidRequest."""
    if request.continues is None:
        return request
    try:
        run = await runs.run(request.continues)
    except RunNotFound as error:
        raise InvalidRequest(f"body.continues: {error.message}", HINT) from None
    if run.status in UNFINISHED or not run.snippet:
        why = "has not ended" if run.status in UNFINISHED else "has no snippet"
        raise InvalidRequest(f"body.continues: run {run.id} {why}.", HINT)
    if len(run.snippet) > LONGEST_SNIPPET:
        raise InvalidRequest(f"body.continues: its snippet has more than {LONGEST_SNIPPET} characters.", HINT)
    # What was large of the earlier request is not kept, so it is no whole request any more.
    before: dict[str, Any] = json.loads(await runs.request_text(run.id))
    earlier: dict[str, Any] = before.get("earlier") or {}
    requests: list[str] = [*earlier.get("requests", []), before["request"]] if run.kind == "generate" else []
    known: dict[str, Any] = {
        "requests": as_many_as_fit(requests, request.request),
        "snippet": run.snippet,
        "accept": run.accept.checks if run.accept else [],
    }
    setup = request.setup or setup_of(run.id, before.get("setup"))
    return request.model_copy(update={"continues": None, "earlier": Earlier(**known), "setup": setup})


def setup_of(run_id: str, kept: dict[str, Any] | None) -> Setup | None:
    """The start scene of an earlier run; raises InvalidRequest if it came as a file, which is not kept."""
    if kept is None:
        return None
    if kept.get("snippet") is None:
        raise InvalidRequest(f"body.continues: run {run_id} started from a .blend, which is not kept.", SEND_AGAIN)
    return Setup(snippet=kept["snippet"])
