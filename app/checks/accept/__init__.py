"""Acceptance checks: what a scene must be for a request to be fulfilled.

    values.py      paths, vectors, amounts: what a check may say, and what is refused at the door
    parts.py       what things are made of: modifiers, bones, keyframes, drivers, nodes
    kinds.py       the kinds of checks
    examples.py    every field in an example, each with a near twin that is not met
    language.py    the kinds and fields in words, for docs/acceptance.md and for models
    judge.py       the stage of the verdict, made of what was seen

The process that never ran the snippet makes the checks in Blender (`harness/inside/witness/accept.py`).
"""

from app.checks.accept.judge import accept_measured, judge_accept, unchecked
from app.checks.accept.kinds import (
    CHECK,
    MOST_CHECKS,
    Acceptance,
    ChangeCheck,
    Check,
    CollectionCheck,
    CountCheck,
    DataCheck,
    ObjectCheck,
    PythonCheck,
    SceneCheck,
    reads_as_degrees,
)
from app.checks.accept.parts import Part

__all__ = [
    "CHECK",
    "MOST_CHECKS",
    "Acceptance",
    "ChangeCheck",
    "Check",
    "CollectionCheck",
    "CountCheck",
    "DataCheck",
    "ObjectCheck",
    "Part",
    "PythonCheck",
    "SceneCheck",
    "accept_measured",
    "judge_accept",
    "reads_as_degrees",
    "unchecked",
]
