"""A snippet for each outcome; its docstring names the outcome."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

from harness.launcher import ProcessLimits
from harness.order import Order
from harness.protocol import RenderSettings

SNIPPETS = sorted(path for path in (Path(__file__).parents[1] / "snippets").glob("*.py") if ".setup" not in path.name)
LIMITS = ProcessLimits(wall_s=20, memory_bytes=1536 << 20, disk_bytes=48 << 20, files=200, output_bytes=2 << 20)
SHORT = dataclasses.replace(LIMITS, wall_s=5)
SMALL = RenderSettings(size_px=64, samples=2)


def expected_outcome(snippet: Path) -> str:
    docstring = ast.get_docstring(ast.parse(snippet.read_text())) if "not_parse" not in snippet.name else "raised:"
    return (docstring or "").partition(":")[0]


def order_for(snippet: Path) -> Order:
    setup = snippet.with_suffix(".setup.py")
    return Order(
        snippet=snippet.read_text(),
        setup_snippet=setup.read_text() if setup.exists() else None,
        render=RenderSettings() if snippet.stem == "too_heavy_to_examine" else SMALL,
        run_limits=SHORT if expected_outcome(snippet) == "timed_out" else LIMITS,
        examine_limits=LIMITS,
    )
