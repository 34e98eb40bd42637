"""Those who send requests, known by their tokens: callers take turns and have quotas of their own."""

from __future__ import annotations

import re
from pathlib import Path


def callers_in(path: Path | None) -> dict[str, str]:
    """The tokens in a file, by the names of their callers. Raises ValueError, which names the line."""
    found: dict[str, str] = {}
    for number, line in enumerate(map(str.strip, path.read_text().splitlines()) if path else [], 1):
        if not line or line.startswith("#"):
            continue
        name, _, token = line.partition(" ")
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,60}", name) or not re.fullmatch(r"[!-~]{16,}", token.strip()):
            raise ValueError(f"line {number}: write a name, a space and a token of at least 16 characters")
        if name in found or token.strip() in found.values():
            raise ValueError(f"line {number}: this name or this token is there already")
        found[name] = token.strip()
    return found
