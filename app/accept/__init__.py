"""Acceptance checks: the demands on a scene that fulfils a request.

    check_values.py  paths, vectors, amounts, and the values that are refused at the door
    parts.py         parts of things: modifiers, bones, keyframes, drivers, nodes
    kinds.py         the kinds of checks
    examples.py      every field in an example, each with a near twin that is not met
    language.py      the kinds and fields in words, for docs/acceptance*.md and for models

The process that never ran the snippet makes the checks in Blender (`harness/inside/witness/accept.py`), and
`app/checks/accept.py` makes the stage of the verdict of its answers.
"""

from app.accept.kinds import (
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
from app.accept.parts import Part

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
    "reads_as_degrees",
]
