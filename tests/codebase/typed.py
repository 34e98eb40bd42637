"""Whether the typed resolver is installed."""

from __future__ import annotations

from codebase.errors import ResolverFailed
from codebase.pyrefly import program


def pyrefly_is_installed() -> bool:
    try:
        return bool(program())
    except ResolverFailed:
        return False
