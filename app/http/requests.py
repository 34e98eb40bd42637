"""Reads of every request the service behind it, its caller, and the site that it comes from."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

from fastapi import Request

from app.errors import AddonNotFound, ChangeNotFound, CrossSite, JobNotFound, NotFound, RunNotFound
from app.http import session

TOKEN: Final[ContextVar[str | None]] = ContextVar("token", default=None)
"""The token of the caller whose MCP session is under way, in whose name the session calls the service."""
HIDDEN: Final[dict[str, type[NotFound]]] = {
    "run_id": RunNotFound,
    "change_id": ChangeNotFound,
    "addon_id": AddonNotFound,
    "job_id": JobNotFound,
}
"""By parameter of a path that names a job, the error if the job is not there for a caller."""


def get_service(request: Request) -> Any:
    """The service that the application was made over."""
    return request.app.state.service


async def check_own(request: Request) -> None:
    """Raise NotFound if the path names a job of another caller."""
    for name, kind in HIDDEN.items():
        job_id = request.path_params.get(name)
        caller = caller_of(request, request.headers.get("authorization", ""))
        if job_id is not None and caller and not await get_service(request).sees(job_id, caller):
            raise kind(f"There is no {name.removesuffix('_id')} {job_id}.")


def check_site(request: Request) -> None:
    """Refuse requests from pages of other sites; reads are harmless, because such pages cannot see the answer."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    origin, host = request.headers.get("origin"), request.headers.get("host", "")
    foreign = origin is not None and origin.partition("://")[2].lower() != host.lower()
    if foreign or request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise CrossSite(f"The request comes from a page of {origin or 'another site'}.")


def caller_of(request: Request, authorization: str) -> str | None:
    """The name of the caller whose token the header or the cookie has; None if it has none and there are tokens."""
    tokens: dict[str, str] = request.app.state.tokens
    return session.caller_of(authorization, request.cookies.get(session.COOKIE), tokens) if tokens else ""
