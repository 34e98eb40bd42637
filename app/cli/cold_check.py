"""A check in this process, if no service runs: the same judges, without pyright, which takes seconds to start."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from app.blenders.manifests import Manifests
from app.cli.exits import USAGE
from app.cli.terminal import fail
from app.pipeline.fast_check import CheckRequest, check_fast
from app.settings import Settings
from app.verdict.rules import Rules, load_rules
from harness.blenders import Blender, BlenderUnknown, choose, find_blenders


@dataclass(frozen=True)
class ColdTools:
    """Tools of the static judges, read from the data of these settings."""

    settings: Settings
    rules: Rules
    manifests: Manifests

    readers = None
    """Nothing confines the reading: the files are the user's own."""
    checkers = None
    quick = True

    def stubs(self, blender: Blender) -> Path:
        return self.settings.home / "stubs" / blender.series

    def mypy_cache(self, series: str) -> Path:
        return self.settings.mypy_cache(series)


@functools.cache
def manifests_below(home: Path) -> Manifests:
    """The APIs of the Blenders below a folder, read once."""
    return Manifests(home)


def check_here(settings: Settings, body: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request as a service gives it. Wrong usage if it is malformed, or a Blender is not here."""
    try:
        asked = CheckRequest.model_validate(body)
    except ValidationError as error:
        fail("; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()), USAGE)
    known = find_blenders(settings.home, settings.blender)
    try:
        blenders = [choose(known, name) for name in (asked.blender, *asked.verify_on)]
    except BlenderUnknown as error:
        fail(str(error), USAGE)
    tools = ColdTools(settings, load_rules(), manifests_below(settings.home))
    return asyncio.run(check_fast(tools, asked, list(dict.fromkeys(blenders)))).model_dump(mode="json")
