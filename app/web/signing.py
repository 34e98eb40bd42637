"""Signing a browser in with the token, and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.errors import Unauthorized
from app.http import session
from app.web.routing import open_router, page


@open_router.get("/page/sign-in")
async def show_sign_in(request: Request) -> HTMLResponse:
    """The form that asks for the token."""
    return page(request, "sign-in.html", wrong=False)


@open_router.post("/page/sign-in")
async def sign_in(request: Request, token: Annotated[str, Form(max_length=1000)]) -> Response:
    """Sign in a browser that sends the token."""
    tokens = request.app.state.tokens
    if not tokens:
        return RedirectResponse("/", 303)
    value = session.session_of(token)
    if session.caller_of("", value, tokens) is None:
        await request.app.state.guesses.slow_down()
        return page(request, "sign-in.html", Unauthorized.status, wrong=True)
    response = RedirectResponse("/", 303)
    secure = request.scope.get("scheme") == "https"
    response.set_cookie(session.COOKIE, value, httponly=True, samesite="strict", secure=secure, path="/")
    return response


@open_router.post("/page/sign-out")
async def sign_out() -> RedirectResponse:
    """Sign this browser out."""
    response = RedirectResponse("/page/sign-in", 303)
    response.delete_cookie(session.COOKIE, path="/")
    return response
