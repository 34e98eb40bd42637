"""Runs snippets of the command language in one warm Blender, each in a fork: setup, snippet, check, snippet again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.drafting.draft import SnippetDraft
from harness.blenders import Blender

ROOT = Path(__file__).resolve().parents[2]
HOLLOW = "the start meets all of its checks"

SETUP = """
import json, sys
sys.path.insert(0, {root!r})
import bpy
from harness.inside.witness.accept import look_at
from harness.inside.scene.describe import describe
checks = json.loads({checks!r})
start = describe()
bpy.app.driver_namespace["start"] = start
bpy.app.driver_namespace["hollow"] = all(one["met"] for one in look_at(checks, start, start))
"""
CHECK = """
import json
def check(bpy):
    from harness.inside.witness.accept import look_at
    from harness.inside.scene.describe import describe
    seen = look_at(json.loads({checks!r}), bpy.app.driver_namespace["start"], describe())
    assert all(one["met"] for one in seen), [one["seen"] for one in seen if not one["met"]]
    exec({own!r}, {{"bpy": bpy}})
    assert not bpy.app.driver_namespace["hollow"], {hollow!r}
"""


def job_of(draft: SnippetDraft, scene: str = "", own: str = "pass") -> dict[str, str]:
    """A draft with its own checks and further assertions, on a scene that a snippet makes."""
    checks = json.dumps([check.wanted() for check in draft.accept])
    return {
        "setup": scene + SETUP.format(root=str(ROOT), checks=checks),
        "snippet": draft.snippet,
        "check": CHECK.format(checks=checks, own=own, hollow=HOLLOW),
    }


def run_jobs(blender: Blender, jobs: Sequence[dict[str, str]], folder: Path) -> list[dict[str, Any]]:
    """What became of each: `{"failed": null or the part that raised, "message": ...}`."""
    asked, told = folder / "jobs.json", folder / "told.json"
    asked.write_text(json.dumps(jobs), encoding="utf-8")
    script = ROOT / "bench" / "tasks_in_blender.py"
    subprocess.run([blender.path, "-I", script, asked, told], cwd=folder, capture_output=True, check=True, timeout=400)
    results: list[dict[str, Any]] = json.loads(told.read_text(encoding="utf-8"))
    return results
