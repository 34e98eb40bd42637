"""A checker that does not come to an end is ended, and that is a finding; nothing else waits for it."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from app.checks import tool
from app.checks.failures import CheckerTooSlow
from app.checks.tool import or_warning, workplace
from app.checks.types.check import check_mypy, check_pyright
from app.checks.types.warm import servers
from app.checks.types.warm.keep import WarmCheckers
from app.verdict.rules import load_rules
from app.verdict.verdict import Severity
from harness.readers.pace import computing_s

pytestmark = pytest.mark.slow

ENDLESS = "from typing import Final\nX: Final = 9**9**9\n"
WRONG = "import bpy\nbpy.context.scene.nothing_here = 1\n"


async def test_a_tool_that_computes_for_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "CPU_LIMIT_S", 1)
    with workplace("") as place, pytest.raises(CheckerTooSlow, match=f"after {computing_s(1)} s of computing"):
        await place.run("mypy", [sys.executable, "-c", "while True: pass"])
    with workplace("") as place:
        assert (await place.run("mypy", [sys.executable, "-c", "print(1)"])).stdout == "1\n"


async def test_a_tool_that_fills_the_memory_is_ended() -> None:
    with workplace("") as place:
        done = await place.run("mypy", [sys.executable, "-c", "x = bytearray(3 << 30)"])
    assert (done.status, "MemoryError" in done.stderr) == (1, True)


async def test_pyright_that_computes_for_long_is_ended_warm(stubs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warm = WarmCheckers(1)
    rules = load_rules()
    monkeypatch.setattr(servers, "CPU_LIMIT_S", 3)
    begun = time.monotonic()
    (found,) = await or_warning(check_pyright(ENDLESS, "caller", rules, stubs, warm=warm))
    assert (found.code, found.severity, found.check) == ("no-answer", Severity.WARNING, "pyright")
    assert f"after {computing_s(3)} s of computing" in found.message
    assert time.monotonic() - begun < 30
    await warm.close()


async def test_mypy_that_computes_for_long_is_ended_warm(
    stubs: Path, mypy_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm = WarmCheckers(1)
    rules = load_rules()
    monkeypatch.setattr(servers, "CPU_LIMIT_S", 2)
    (found,) = await or_warning(check_mypy(ENDLESS, "caller", rules, stubs, mypy_cache, warm=warm))
    assert (found.code, found.check) == ("no-answer", "mypy")
    monkeypatch.undo()
    assert await check_mypy(WRONG, "caller", rules, stubs, mypy_cache, warm=warm) != []
    await warm.close()
