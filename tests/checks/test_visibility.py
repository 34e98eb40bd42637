"""What is said of objects that no one can see, of unsound meshes, and of what could not be examined."""

from __future__ import annotations

from typing import Any

import pytest

from app.checks.execution import judge_scene
from app.jobs.unpictured import why_no_picture
from app.verdict.rules import load_rules
from app.verdict.verdict import Author, Stage

RULES = load_rules()
BOX: dict[str, Any] = {"type": "MESH", "vertices": 8, "faces": 6, "finite": True, "hidden_in_render": False}
NOTHING: dict[str, list[str]] = {"objects": [], "materials": [], "collections": []}


def report(
    unseen: dict[str, str] | None = None,
    unlinked: tuple[str, ...] = (),
    added: tuple[str, ...] = (),
    changed: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A report with the parts that are read here. `unseen` maps objects to codes."""
    return {
        "claims": {"registered": [], "unlinked_objects": list(unlinked), **more.get("claims", {})},
        "evidence": {
            "scene": {
                "objects": dict.fromkeys([*added, *(changed or {}).get("objects", {})], BOX),
                "scene": {"frame_current": 1},
                **more.get("scene", {}),
            },
            "changes": {
                "added": {**NOTHING, "objects": list(added)},
                "removed": NOTHING,
                "changed": {**NOTHING, "objects": {}, "scene": ["active_object"], **(changed or {})},
                "counts": {"meshes": 1},
            },
            "unseen": {name: {"code": code, "by": "Shell"} for name, code in (unseen or {}).items()},
            "accept": more.get("accept"),
            "files": more.get("files", []),
            "examined_again": more.get("again"),
            "crashed_once": more.get("crashed", False),
        },
    }


def codes(made: dict[str, Any], author: Author = "caller") -> list[tuple[str, str]]:
    return [(finding.code, finding.severity.value) for finding in judge_scene(made, author, RULES).findings]


def test_objects_that_are_unseen_for_one_reason_are_one_finding() -> None:
    made = report({"A": "wholly-inside", "B": "wholly-inside", "C": "hidden-from-render"}, added=("A", "B", "C", "D"))
    stage: Stage = judge_scene(made, "caller", RULES)
    assert stage.state == "warned"
    assert [finding.message for finding in stage.findings] == [
        'object "C" is hidden from renders',
        'objects "A", "B" are wholly inside "Shell", so no one sees it',
    ]
    assert codes(report(added=("D",))) == []


NOT_LINKED = [("not-linked", "warning"), ("nothing-seen", "error")]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (report(unlinked=("A",)), NOT_LINKED),
        (report({"A": "zero-scale"}, added=("A",)), [("zero-scale", "warning"), ("nothing-seen", "error")]),
        # Whatever else was done may be what was meant.
        (report(unlinked=("A",), added=("B",)), NOT_LINKED[:1]),
        (report(unlinked=("A",), changed={"objects": {"Cube": ["location"]}}), NOT_LINKED[:1]),
        (report(unlinked=("A",), changed={"scene": ["engine"]}), NOT_LINKED[:1]),
        (report(unlinked=("A",), files=[{"name": "a.obj", "bytes": 9}]), NOT_LINKED[:1]),
        (report(unlinked=("A",), claims={"registered": [["Operator", "X"]]}), NOT_LINKED[:1]),
        (report(unlinked=("A",), accept=[{"met": True, "met_at_start": False}]), NOT_LINKED[:1]),
        # Who hides, fills or films has a purpose.
        (report({"A": "hidden-from-render"}, added=("A",)), [("hidden-from-render", "warning")]),
        (report({"A": "wholly-inside"}, added=("A",)), [("wholly-inside", "warning")]),
    ],
)
def test_only_what_was_made_in_vain_fails(made: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert codes(made) == expected


def test_an_unsound_mesh_fails_whoever_tells_of_it() -> None:
    told = [{"mesh": "Roof", "problem": "a face names vertex 9, and there are 4 vertices"}]
    assert codes(report(added=("D",), claims={"unsound_meshes": told})) == [("unsound-mesh", "error")]
    assert codes(report(added=("D",), scene={"unsound_meshes": told})) == [("unsound-mesh", "error")]
    assert codes(report(added=("D",), scene={"unsound_meshes": []})) == []


def test_a_fault_of_ours_warns_and_is_called_ours() -> None:
    faults = [{"of": 'the geometry of object "D"', "fault": "KeyError: 'x'"}]
    stage = judge_scene(report(added=("D",), scene={"faults": faults}), "caller", RULES)
    assert (stage.state, stage.findings[0].code) == ("warned", "not-examined")
    assert stage.findings[0].message.startswith("a fault of ours: ")
    crashed = report(added=("D",), again="Blender was ended by the signal SIGSEGV", crashed=True)
    assert codes(crashed) == [("examined-twice", "warning")]
    assert codes(report(added=("D",), again="TypeError: of our own")) == []


@pytest.mark.parametrize(
    ("objects", "says"),
    [
        ({}, "the scene has no objects."),
        (
            {"Box": {**BOX, "hidden_in_render": True}},
            'at frame 1 no object shows anything in a render (hidden: "Box").',
        ),
        ({"Path": {**BOX, "faces": 0}}, 'at frame 1 no object shows anything in a render (without faces: "Path").'),
    ],
)
def test_a_run_without_an_artifact_says_why(objects: dict[str, Any], says: str) -> None:
    assert why_no_picture(report(scene={"objects": objects})) == f"No artifact is kept without a picture, and {says}"
