"""Finds what a request goes on from: the snippet of an earlier run, and the requests that led to it."""

from __future__ import annotations

import json
from typing import Any, Final

from app.errors import InvalidRequest, RunNotFound
from app.runs.earlier import LONGEST_SNIPPET, Earlier, as_many_as_fit
from app.runs.request import GenerateRequest
from app.runs.run import UNFINISHED
from app.runs.store import RunStore

HINT: Final = "Name a run that has ended and has a snippet; GET /runs lists the runs."


async def with_earlier(request: GenerateRequest, runs: RunStore) -> GenerateRequest:
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
    requests: list[str] = []
    if run.kind == "generate":
        # Not as a whole request: what a run that has ended began from is not kept, and may have been demanded.
        before = json.loads(await runs.request_text(run.id))
        requests = [*(before["earlier"]["requests"] if before.get("earlier") else []), before["request"]]
    known: dict[str, Any] = {"requests": as_many_as_fit(requests, request.request), "snippet": run.snippet}
    return request.model_copy(update={"continues": None, "earlier": Earlier(**known)})
