"""Acceptance checks: what a scene must be for a request to be fulfilled.

    values.py      paths, vectors, amounts: what a check may say, and what is refused at the door
    parts.py       what things are made of: modifiers, bones, keyframes, drivers, nodes
    kinds.py       the kinds of checks
    examples.py    every field in an example, each with a near twin that is not met
    language.py    the kinds and fields in words, for docs/acceptance.md and for models

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
