"""Shared by all pages: the route that answers errors with a page, the headers, the token, the templates."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.routing import APIRoute

from app.errors import BlendproofError, InvalidRequest
from app.http import session
from app.http.requests import caller_of, check_own, check_site, get_service
from app.jobs.request import MAX_SNIPPET
from app.service.service import Service
from app.web.colours import highlight_snippet, plain
from app.web.show import render
from harness.readers import ReadingFailed

POLICY: Final = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}

TheService = Annotated[Service, Depends(get_service)]
Text = Annotated[str, Form(max_length=2 * MAX_SNIPPET)]


class SignInNeeded(Exception):
    """The service has a token, and this browser is not signed in."""


class PageRoute(APIRoute):
    """A route that answers errors with a page, and sets the headers of every page."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler of the route, wrapped with both."""
        handle = super().get_route_handler()

        async def with_page(request: Request) -> Response:
            try:
                response = await handle(request)
            except SignInNeeded:
                response = RedirectResponse("/page/sign-in", 303)
            except BlendproofError as error:
                response = page(request, "error.html", error.status, error=error.body())
            except RequestValidationError as error:
                said = "; ".join(f"{item['loc'][-1]}: {item['msg']}" for item in error.errors() if item["loc"])
                body = InvalidRequest(said[:1000], "Go back and correct it.").body()
                response = page(request, "error.html", 422, error=body)
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            return response

        return with_page


def check_signed_in(request: Request) -> str:
    """The caller of a request with a token or the cookie of one; raises SignInNeeded without."""
    caller = caller_of(request, request.headers.get("authorization", ""))
    if caller is None:
        raise SignInNeeded
    return caller


open_router = APIRouter(route_class=PageRoute, include_in_schema=False, dependencies=[Depends(check_site)])

router = APIRouter(
    route_class=PageRoute,
    include_in_schema=False,
    dependencies=[Depends(check_site), Depends(check_signed_in), Depends(check_own)],
)


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page from a template; every template also gets `path` and `signed_in`."""
    signed_in = session.COOKIE in request.cookies and bool(request.app.state.tokens)
    return HTMLResponse(render(template, path=request.scope["path"], signed_in=signed_in, **values), status)


async def coloured_markup(service: Service, snippet: str) -> str:
    """The markup of a snippet, with colours if a reader can make them."""
    try:
        return await service.tools.readers.ask(highlight_snippet, snippet)
    except ReadingFailed:
        return plain(snippet)
