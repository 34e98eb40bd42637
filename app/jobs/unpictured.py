"""Says why a proven run has no artifact: an artifact is kept with its picture, and there may be nothing to show."""

from __future__ import annotations

from typing import Any

from app.jobs.run import Attempt
from app.verdict.of_blender import ONLY_RAN, only_ran

NAMES_SHOWN = 5


def why_no_artifact(attempt: Attempt) -> str:
    """The reason why a proven attempt has no artifact, in one sentence."""
    if only_ran(attempt.verdict):
        return f"No artifact is kept: it {ONLY_RAN}."
    return why_no_picture(attempt.report)


def why_no_picture(report: dict[str, Any] | None) -> str:
    """The reason why nothing was rendered of a proven snippet, in one sentence."""
    # Reports of earlier releases may lack the evidence.
    evidence: dict[str, Any] = (report or {}).get("evidence") or {}
    scene: dict[str, Any] | None = evidence.get("scene")
    if scene is None:
        return "No artifact is kept without a picture, and nothing was rendered."
    objects: dict[str, dict[str, Any]] = scene["objects"]
    hidden = [name for name, facts in objects.items() if facts["hidden_in_render"]]
    bare = [name for name, facts in objects.items() if name not in hidden and facts.get("faces") == 0]
    why = [f"{state}: {listed(names)}" for state, names in (("hidden", hidden), ("without faces", bare)) if names]
    frame = scene["scene"]["frame_current"]
    said = "the scene has no objects" if not objects else f"at frame {frame} no object shows anything in a render"
    details = f" ({'; '.join(why)})" if why else ""
    return f"No artifact is kept without a picture, and {said}{details}."


def listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(f'"{name}"' for name in names[:NAMES_SHOWN]) + more
