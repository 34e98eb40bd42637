"""Finds what a request goes on from: the snippet of an earlier run, and the requests that led to it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from app.artifacts.store.record import TITLE_LENGTH, docstring, first_comment
from app.errors import InvalidRequest, RunNotFound
from app.jobs.earlier import LONGEST_SNIPPET, Earlier, as_many_as_fit
from app.jobs.request import GenerateRequest, Setup, ValidateRequest
from app.jobs.run import UNFINISHED, Run

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
        "run": run.id,
        "accept": run.accept.checks if run.accept else [],
    }
    setup = request.setup or setup_of(run.id, before.get("setup"))
    return request.model_copy(update={"continues": None, "earlier": Earlier(**known), "setup": setup})


async def origin_of(runs: JobStore, run_id: str) -> str | None:
    """The run that a run goes on from; None if there is none, or it is unknown. Raises RunNotFound."""
    request: dict[str, Any] = json.loads(await runs.request_text(run_id))
    earlier: dict[str, Any] = request.get("earlier") or {}
    found: str | None = request.get("continues") or earlier.get("run")
    return found


def first_line(snippet: str) -> str:
    """The first line that says something."""
    return next((line.strip() for line in snippet.splitlines() if line.strip()), "(empty snippet)")


async def title_of(request: GenerateRequest | ValidateRequest, runs: JobStore) -> str:
    """The title of a run. A snippet that was edited and still describes itself as before says its first new line too.

    Raises InvalidRequest if it edits an unknown run.
    """
    if isinstance(request, GenerateRequest):
        return request.request
    if request.continues is None:
        return first_line(request.snippet)
    try:
        run = await runs.run(request.continues)
    except RunNotFound as error:
        raise InvalidRequest(f"body.continues: {error.message}", HINT) from None
    return edited_title(run, request.snippet)


def edited_title(run: Run, snippet: str) -> str:
    """The title of an edited snippet of a run."""
    before = run.snippet or ""
    said, same = described(snippet), described(snippet) == described(before)
    if said and not same:
        return said
    known = set(before.splitlines())
    new = next((line.strip() for line in snippet.splitlines() if line.strip() and line not in known), None)
    edited = f"edited: {new}" if new else "edited" if snippet != before else "again"
    return f"{said or run.title}, {edited}"[:TITLE_LENGTH]


def described(snippet: str) -> str | None:
    """The description of a snippet by itself."""
    return docstring(snippet) or first_comment(snippet)


def setup_of(run_id: str, kept: dict[str, Any] | None) -> Setup | None:
    """The start scene of an earlier run; raises InvalidRequest if it came as a file, which is not kept."""
    if kept is None:
        return None
    if kept.get("snippet") is None:
        raise InvalidRequest(f"body.continues: run {run_id} started from a .blend, which is not kept.", SEND_AGAIN)
    return Setup(snippet=kept["snippet"])
