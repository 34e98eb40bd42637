"""Recognises callers by their token: in a header, or on the page in a cookie that is computed from the token.

A browser sends no token by itself, so the page asks for it once and keeps a keyed hash of it in a cookie, which
scripts cannot read and other sites cannot send. A new token ends every session.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Final

COOKIE: Final = "blendproof_session"
PURPOSE: Final = b"blendproof page session 1"


def session_of(token: str) -> str:
    """The value of the cookie for this token."""
    return hmac.new(token.encode(), PURPOSE, hashlib.sha256).hexdigest()


def is_valid(sent: str | None, token: str) -> bool:
    """True if a cookie was given for this token."""
    return sent is not None and hmac.compare_digest(sent.encode(), session_of(token).encode())


def bearer_is_valid(header: str, token: str) -> bool:
    """True if an `Authorization` header has the token."""
    scheme, _, sent = header.partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(sent.encode(), token.encode())


def caller_of(header: str, cookie: str | None, tokens: Mapping[str, str]) -> str | None:
    """The name of the caller whose token a header or a cookie has; None if it has none of them."""
    for name, token in tokens.items():
        if bearer_is_valid(header, token) or is_valid(cookie, token):
            return name
    return None
