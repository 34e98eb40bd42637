"""How the page is let in where the service has a token: a cookie that is computed from the token.

A browser sends no token of its own accord, so the page asks for it once and keeps a keyed hash of it, out of the
reach of scripts and never sent from another site. Whoever changes the token ends every session.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

COOKIE: Final = "blendproof_session"
PURPOSE: Final = b"blendproof page session 1"


def session_of(token: str) -> str:
    """The value of the cookie for this token."""
    return hmac.new(token.encode(), PURPOSE, hashlib.sha256).hexdigest()


def is_valid(sent: str | None, token: str) -> bool:
    """Whether a cookie was given for this token."""
    return sent is not None and hmac.compare_digest(sent.encode(), session_of(token).encode())
