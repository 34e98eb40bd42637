"""The pages of repositories: add one, and search, follow, ask, diagnose, change and port it.

Each form of a repository's page leads back to that page with what was found; a change or a port leads to its own page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal

from fastapi import Depends, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import ValidationError

from app.errors import BlendproofError, InvalidRequest
from app.repositories.allowed import is_address
from app.repositories.changing.record import MOST_WORDS, ChangeRequest
from app.repositories.questions import RepositoryQuestion
from app.service.service import Service
from app.web.edges import edge_picture
from app.web.routing import TheService, check_signed_in, page, router

MOST: Final = 12
TheSignedIn = Annotated[str, Depends(check_signed_in)]
Words = Annotated[str, Form(max_length=200_000)]
Asked = Literal["callers", "callees", "impact", "tests"]


@router.get("/page/repositories")
async def show_repositories(request: Request, service: TheService) -> HTMLResponse:
    """The repositories, and a form to add one."""
    return await repository_list(request, service)


async def repository_list(request: Request, service: Service, status: int = 200, **values: Any) -> HTMLResponse:
    blank: dict[str, Any] = {"problem": None, "place": "", "name": ""}
    known = await service.repositories.all()
    return page(request, "repositories.html", status, **{**blank, "repositories": known, **values})


@router.post("/page/repositories", response_model=None)
async def add_repository(
    request: Request,
    service: TheService,
    place: Annotated[str, Form(max_length=2000)] = "",
    name: Annotated[str, Form(max_length=64)] = "",
) -> HTMLResponse | RedirectResponse:
    """Add a folder, or clone an address, and index it."""
    place, name = place.strip(), name.strip()
    try:
        if not place:
            raise InvalidRequest("Nothing was given to add.", "Give a folder or an address.")
        path, url = (None, place) if is_address(place) else (Path(place), None)
        added = await service.repositories.add(path, url, name or None)
    except BlendproofError as error:
        return await repository_list(request, service, error.status, problem=error.body(), place=place, name=name)
    return RedirectResponse(f"/page/repositories/{added.name}", 303)


@router.get("/page/repositories/{name}")
async def show_repository(
    request: Request,
    service: TheService,
    caller: TheSignedIn,
    name: str,
    q: Annotated[str, Query(max_length=50_000)] = "",
    symbol: Annotated[str, Query(max_length=500)] = "",
    asked: Annotated[Asked, Query()] = "callers",
) -> HTMLResponse:
    """A repository; with `q` the places for a question, with `symbol` what is related to it."""
    await service.repositories.get(name)
    try:
        if symbol.strip():
            related = await service.repositories.related(name, symbol.strip(), asked, None, False)
            used = await service.repositories.related(name, symbol.strip(), "callees", None, False)
            using = related.relations if asked != "callees" else []
            picture = edge_picture(related.symbol, using, used.relations)
            return await one_repository(
                request, service, name, related=related, picture=picture, symbol=symbol, asked=asked
            )
        if q.strip():
            # Any site can make a browser read this address, so reading it asks no model.
            return await answered(request, service, caller, name, "search", q, by_model=False)
    except BlendproofError as error:
        values = {"problem": error.body(), "words": q, "symbol": symbol, "asked": asked}
        return await one_repository(request, service, name, error.status, **values)
    return await one_repository(request, service, name)


@router.post("/page/repositories/{name}/ask")
async def ask_repository(
    request: Request,
    service: TheService,
    caller: TheSignedIn,
    name: str,
    words: Words = "",
    do: Annotated[Literal["search", "ask", "explain"], Form()] = "search",
) -> HTMLResponse:
    """The places for a question, an answer with citations, or where the errors of a log come from."""
    await service.repositories.get(name)
    try:
        if not words.strip():
            raise InvalidRequest("Nothing was asked.", "Write a question, or paste a traceback.")
        return await answered(request, service, caller, name, do, words)
    except BlendproofError as error:
        return await one_repository(request, service, name, error.status, problem=error.body(), words=words, do=do)


async def answered(
    request: Request,
    service: Service,
    caller: str,
    name: str,
    do: Literal["search", "ask", "explain"],
    words: str,
    by_model: bool = True,
) -> HTMLResponse:
    """The page with what was found. Raises the errors of questions."""
    text = words.encode("utf-8", "replace").decode()
    asked = RepositoryQuestion(way=do, text=text, most=MOST, by_model=by_model)
    found: Any = await service.questions.answer(name, asked, service.sending(asked.kind, asked, caller))
    result = {"search": "places", "ask": "answer", "explain": "diagnosis"}[do]
    places = found[0] if do == "search" else found
    return await one_repository(request, service, name, words=words, do=do, **{result: places})


@router.post("/page/repositories/{name}/change", response_model=None)
async def change_repository(
    request: Request,
    service: TheService,
    caller: TheSignedIn,
    name: str,
    words: Words = "",
    blender: Annotated[str, Form(max_length=60)] = "",
    kind: Annotated[Literal["change", "port"], Form()] = "change",
) -> HTMLResponse | RedirectResponse:
    """Begin a change in words, or a port to a Blender, and show it."""
    await service.repositories.get(name)
    # A browser counts the end of a line as one character, and sends two.
    text = words.replace("\r\n", "\n").strip()
    try:
        if len(text) > MOST_WORDS:
            raise InvalidRequest(
                f"The change has {len(text):,} characters; at most {MOST_WORDS:,} are read.", "Shorten it."
            )
        blenders = [blender] if kind == "port" and blender else []
        asked = ChangeRequest(kind=kind, request=text, blenders=blenders)
        service.admission.check_sandbox()
        made = await service.changes.submit(name, asked, service.sending(asked.kind, asked, caller))
    except ValidationError:
        problem = InvalidRequest("The change to make is not said.", "Say in words what is to be changed.")
        if kind == "port":
            problem = InvalidRequest("The Blender to port to is not said.", "Choose one; docs/blenders.md adds one.")
        return await one_repository(request, service, name, 422, problem=problem.body())
    except BlendproofError as error:
        return await one_repository(request, service, name, error.status, problem=error.body(), change_words=words)
    return RedirectResponse(f"/page/changes/{made.id}", 303)


async def one_repository(
    request: Request, service: Service, name: str, status: int = 200, **values: Any
) -> HTMLResponse:
    """The page of a repository with these values; all others as on the first visit."""
    repository, account = await service.repositories.state(name)
    blank: dict[str, Any] = {
        "problem": None, "words": "", "do": "search", "places": None, "answer": None, "diagnosis": None,
        "related": None, "picture": None, "symbol": "", "asked": "callers", "change_words": "",
    }  # fmt: skip
    shown = {
        "repository": repository,
        "account": account,
        "has_model": bool(service.tools.models),
        "blenders": [blender.name for blender in service.tools.blenders],
    }
    return page(request, "repository.html", status, **{**blank, **shown, **values})
