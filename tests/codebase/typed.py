"""Whether the typed resolver is installed."""

from __future__ import annotations

from codebase.ask.pyrefly import program
from codebase.errors import ResolverFailed


def pyrefly_is_installed() -> bool:
    try:
        return bool(program())
    except ResolverFailed:
        return False
