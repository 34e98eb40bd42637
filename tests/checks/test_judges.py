"""The judges of a report and its pictures, and the verdict made of all: each rejects one and accepts its twin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app.checks.execution import judge_execution, judge_repeat, judge_scene
from app.checks.render import judge_render
from app.verdict.rules import load_rules
from app.verdict.verdict import STAGES, Author, Finding, Severity, Stage, judged, make_verdict, skipped
from harness.compare import added_by_repeat, changed_by_repeat, compare, made_by_repeat

RULES = load_rules()

OBJECT: dict[str, Any] = {
    "type": "MESH", "vertices": 8, "finite": True, "modifiers": [], "constraints": [], "materials": [], "shape": "a",
}  # fmt: skip
SCENE: dict[str, Any] = {
    "scene": {"camera": None},
    "objects": {"Cube": OBJECT},
    "materials": {"Red": {"roughness": 0.5}},
    "collections": {"Collection": ["Cube"]},
    "counts": {"objects": 1, "meshes": 1},
}


def scene(**objects: dict[str, Any]) -> dict[str, Any]:
    """The scene with other objects, by name; what they do not say is as in OBJECT."""
    return {
        **SCENE,
        "objects": {name: {**OBJECT, **facts} for name, facts in objects.items()},
        "counts": {"objects": len(objects), "meshes": len(objects)},
    }


def report(after: dict[str, Any], outcome: str = "passed", **repeat: Any) -> dict[str, Any]:
    """A report with the parts that the judges read."""
    return {
        "outcome": outcome,
        "reason": "why",
        "hint": None,
        "blender": {"version": "5.0.1"},
        "claims": {
            "exception": {"line": 3} if outcome != "passed" else None,
            "repeat_exception": None,
            "registered": [],
        },
        "evidence": {
            "timings": {"total_s": 1.0},
            "scene": after,
            "changes": compare(SCENE, after),
            "repeat": {"outcome": "passed", "reason": "", "added": [], "changed": [], **repeat},
        },
    }


def codes(stage: Stage) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity.value) for finding in stage.findings]


def test_an_outcome_other_than_passed_fails_with_its_line() -> None:
    stage = judge_execution(report(SCENE, "raised"), "caller", RULES)
    assert codes(stage) == [("raised", "error")]
    assert stage.findings[0].line == 3
    assert judge_execution(report(SCENE), "caller", RULES).state == "passed"


@pytest.mark.parametrize(("author", "severity"), [("commands", "error"), ("caller", "warning"), ("model", "warning")])
def test_a_second_execution_that_adds_is_held_against_our_own(author: Author, severity: str) -> None:
    assert codes(judge_repeat(report(SCENE, added=['meshes "Tri.001"']), author, RULES)) == [("adds-again", severity)]
    assert codes(judge_repeat(report(SCENE), author, RULES)) == []


def test_a_second_execution_that_raises_or_changes_is_said() -> None:
    assert codes(judge_repeat(report(SCENE, changed=["it moved"]), "caller", RULES)) == [("changes-again", "warning")]
    broken = report(SCENE)
    broken["evidence"]["repeat"]["outcome"] = "raised"
    broken["claims"]["repeat_exception"] = {"line": 7}
    stage = judge_repeat(broken, "commands", RULES)
    assert (codes(stage), stage.findings[0].line) == ([("second-run-raises", "error")], 7)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, None),
        ({"added": ['objects "Ring"']}, 'adds objects "Ring"'),
        ({"changed": ['object "Cube" is gone']}, '"Cube" is gone'),
        ({"outcome": "raised", "reason": "KeyError"}, "ends differently: KeyError"),
        ({"outcome": "timed_out", "reason": "too long"}, "did not end in the time left"),
        ({"unread": 3}, "3 data blocks could not be compared"),
    ],
)
def test_who_does_something_else_elsewhere_is_not_proven(change: dict[str, Any], said: str | None) -> None:
    asks = report(SCENE)
    asks["evidence"] |= {"repeat": None, "elsewhere": {**asks["evidence"]["repeat"], "unread": 0, **change}}
    stage = judge_repeat(asks, "caller", RULES)
    # Not repeated is said of whoever asks: otherwise a question would hide what is added anew each time.
    assert codes(stage) == [("other-elsewhere", "error") if said else ("not-compared", "warning")]
    assert (said or "the same in a user's own Blender") in stage.findings[0].message


@pytest.mark.parametrize(("needs", "code"), [("a 3D viewport", "elsewhere-not-judged"), (None, "other-elsewhere")])
def test_who_needs_a_window_elsewhere_is_not_judged_there(needs: str | None, code: str) -> None:
    asks = report(SCENE)
    raised = {**asks["evidence"]["repeat"], "unread": 0, "outcome": "raised", "reason": "RuntimeError", "needs": needs}
    asks["evidence"] |= {"repeat": None, "elsewhere": raised}
    assert [finding.code for finding in judge_repeat(asks, "caller", RULES).findings] == [code]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (scene(Cube={"finite": False}), [("non-finite-coordinates", "error")]),
        (scene(Cube={}, Empty={"vertices": 0}), [("empty-mesh", "warning")]),
        (scene(Cube={}), [("changes-nothing", "warning")]),
        (scene(Cube={"shape": "b"}), []),
    ],
)
def test_the_scene_is_looked_at(after: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert codes(judge_scene(report(after), "caller", RULES)) == expected


@pytest.mark.parametrize(
    ("snippet", "code"), [("print(1)\n", "nothing-of-blender"), ("import bpy\nprint(1)\n", "changes-nothing")]
)
def test_what_has_nothing_of_blender_in_it_is_said_to_have_run(snippet: str, code: str) -> None:
    assert codes(judge_scene(report(scene(Cube={})), "caller", RULES, snippet)) == [(code, "warning")]


def gradient(size: int) -> Image.Image:
    """A square picture that shows something."""
    return Image.frombytes("L", (size, size), bytes(value % 256 for value in range(size * size)))


def rendered(folder: Path, picture: Image.Image | bytes, in_frame: float = 1.0) -> Stage:
    """Judge one picture as the only one of a report."""
    path = folder / "front.png"
    if isinstance(picture, bytes):
        path.write_bytes(picture)
    else:
        picture.save(path)
    return judged_pictures(folder, picture={"subject_in_frame": in_frame})


def judged_pictures(folder: Path, picture: dict[str, Any] | None = None, **facts: Any) -> Stage:
    """Judge the pictures that lie in a folder: `front.png` with some facts, and what else `facts` of the render say."""
    made = report(SCENE)
    made["evidence"]["render"] = {
        "nothing_to_render": False,
        "engine_used": "CYCLES",
        "engine_of_scene": "BLENDER_EEVEE",
        "size_px": 64,
        "subject_is_untouched": False,
        "subject_has_faces": True,
        "pictures": [{"view": "front", "file": "front.png", "subject_in_frame": 1.0, **(picture or {})}],
        **facts,
    }
    return judge_render(made, folder, "caller", RULES)


def frame_at(number: int, in_frame: float) -> dict[str, Any]:
    """The facts of a picture of a frame."""
    title = f"frame_{number:04d}"
    return {"view": title, "file": f"{title}.png", "subject_in_frame": in_frame, "frame": number}


def test_a_picture_that_shows_something_passes_and_names_both_engines(tmp_path: Path) -> None:
    stage = rendered(tmp_path, gradient(64))
    assert stage.state == "passed"
    assert "CYCLES" in stage.reason and "BLENDER_EEVEE" in stage.reason


@pytest.mark.parametrize(
    ("picture", "in_frame", "code"),
    [
        (Image.new("RGB", (64, 64), (90, 90, 90)), 1.0, "blank"),
        (gradient(64), 0.1, "subject-out-of-frame"),
        (gradient(65), 1.0, "not-decodable"),
        (b"\x89PNG\r\n\x1a\n and then nothing", 1.0, "not-decodable"),
        (b"", 1.0, "not-decodable"),
        (b"GIF89a\x01\x00\x01\x00\x00\x00\x00;", 1.0, "not-decodable"),
    ],
)
def test_a_picture_that_shows_nothing_fails(
    picture: Image.Image | bytes, in_frame: float, code: str, tmp_path: Path
) -> None:
    assert codes(rendered(tmp_path, picture, in_frame)) == [(code, "error")]


@pytest.mark.parametrize(("untouched", "state"), [(True, "warned"), (False, "failed")])
def test_a_camera_that_was_there_before_need_not_show_what_changed(untouched: bool, state: str, tmp_path: Path) -> None:
    gradient(64).save(tmp_path / "front.png")
    picture = {"camera": "scene", "subject_in_frame": 0.0}
    assert judged_pictures(tmp_path, picture, camera_is_untouched=untouched).state == state


@pytest.mark.parametrize(
    ("untouched", "other", "code"),
    [
        (True, gradient(64), "blank-in-an-untouched-frame"),
        (True, Image.new("RGB", (64, 64), (9, 9, 9)), "blank"),
        (False, gradient(64), "blank"),
    ],
)
def test_a_camera_that_was_there_before_may_stand_in_the_dark(
    untouched: bool, other: Image.Image, code: str, tmp_path: Path
) -> None:
    Image.new("RGB", (64, 64), (9, 9, 9)).save(tmp_path / "front.png")
    other.save(tmp_path / "top.png")
    pictures = [
        {"view": view, "file": f"{view}.png", "subject_in_frame": 1.0, "camera": "scene"} for view in ("front", "top")
    ]
    stage = judged_pictures(tmp_path, pictures=pictures, camera_is_untouched=untouched)
    assert [one.code for one in stage.findings] == [code]


def test_a_picture_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.png"
    gradient(64).save(elsewhere)
    (tmp_path / "front.png").symlink_to(elsewhere)
    assert codes(judged_pictures(tmp_path)) == [("not-decodable", "error")]


def test_a_frame_is_judged_as_a_file_and_not_by_what_has_left_it(tmp_path: Path) -> None:
    gradient(64).save(tmp_path / "front.png")
    Image.new("RGB", (64, 64), (9, 9, 9)).save(tmp_path / "frame_0001.png")
    (tmp_path / "frame_0002.png").write_bytes(b"")
    stage = judged_pictures(tmp_path, frames=[frame_at(number, 0.0) for number in (1, 2)])
    assert [(one.code, "of frame 2" in one.message) for one in stage.findings] == [("not-decodable", True)]


@pytest.mark.parametrize(("later", "found"), [(True, ("blank-at-first", "warning")), (False, ("blank", "error"))])
def test_what_appears_in_a_later_frame_need_not_be_in_the_first(
    later: bool, found: tuple[str, str], tmp_path: Path
) -> None:
    blank = Image.new("RGB", (64, 64), (9, 9, 9))
    blank.save(tmp_path / "front.png")
    blank.save(tmp_path / "frame_0001.png")
    (gradient(64) if later else blank).save(tmp_path / "frame_0025.png")
    stage = judged_pictures(tmp_path, frames=[frame_at(number, 1.0) for number in (1, 25)])
    assert codes(stage) == [found]
    assert ("at frame 25" in stage.findings[0].message) == later


@pytest.mark.parametrize(
    ("facts", "codes", "state"),
    [
        ({"objects_left_out": 12}, ["not-all-examined"], "failed"),
        ({"meshes_not_read": ["Vast"]}, ["not-all-examined"], "failed"),
        ({"instances_left_out": True}, ["not-all-measured"], "warned"),
        ({"objects_left_out": 0, "meshes_not_read": [], "instances_left_out": False}, [], "passed"),
    ],
)
def test_a_limit_that_is_reached_is_told(facts: dict[str, Any], codes: list[str], state: str) -> None:
    stage = judge_scene(report({**scene(Ball={}), **facts}), "caller", RULES)
    assert ([one.code for one in stage.findings], stage.state) == (codes, state)


def test_of_many_findings_of_a_kind_the_first_are_told() -> None:
    many = {f"Ball {number}": {"finite": False} for number in range(200)}
    stage = judge_scene(report(scene(**many)), "caller", RULES)
    assert len(stage.findings) == 20 and "(and 180 more)" in stage.findings[0].message


def stages(**states: Stage) -> list[Stage]:
    return [states.get(name, judged(name, [])) for name in STAGES]


def finding(severity: Severity) -> Finding:
    return Finding(check="ruff", code="F821", severity=severity, message="undefined", line=2)


def test_a_verdict_passes_only_when_it_was_executed_and_nothing_failed() -> None:
    assert make_verdict(stages(), {}).passed
    assert make_verdict(stages(lint=judged("lint", [finding(Severity.WARNING)])), {}).passed
    failed = make_verdict(stages(lint=judged("lint", [finding(Severity.ERROR)])), {})
    assert (failed.passed, failed.reached) == (False, "lint")
    assert not make_verdict(stages(execute=skipped("execute", "it was not run")), {}).passed


def test_a_verdict_needs_every_stage_once() -> None:
    with pytest.raises(ValueError, match="each of"):
        make_verdict(stages()[1:], {})
    with pytest.raises(ValueError, match="each of"):
        make_verdict([*stages(), judged("lint", [])], {})


def test_a_comparison_names_what_was_added_removed_and_changed() -> None:
    after = scene(Cube={"modifiers": [{"name": "Bevel"}]}, Ball={})
    changes = compare(SCENE, after)
    assert changes["added"]["objects"] == ["Ball"]
    assert changes["changed"]["objects"] == {"Cube": ["modifiers"]}
    assert changes["counts"] == {"objects": 1, "meshes": 1}
    assert compare(after, SCENE)["removed"]["objects"] == ["Ball"]


def test_what_a_repetition_adds_and_changes_is_said_apart() -> None:
    found: list[dict[str, Any]] = [
        {"kind": "meshes", "name": "Cube", "paths": ["vertices.co", "materials"], "gone": False},
        {"kind": "node_groups", "name": "Fur", "paths": [], "gone": True},
    ]
    assert changed_by_repeat(found) == ['mesh "Cube" changed (vertices.co, materials)', 'node group "Fur" is gone']
    assert changed_by_repeat([]) == []


def holds(meshes: list[str], **parts: dict[str, list[str]]) -> dict[str, Any]:
    """An inventory with these meshes and the lists of these objects."""
    return {"blocks": {"meshes": meshes}, "parts": {f'object "{name}"': lists for name, lists in parts.items()}}


def test_what_a_repetition_adds_has_names() -> None:
    made = made_by_repeat(
        {
            "start": holds(["Cube"], Cube={"materials": ["Red"]}),
            "after": holds(["Cube", "Tri"], Cube={"materials": ["Red"], "modifiers": ["Bevel"]}, Tri={}),
            "again": holds(
                ["Cube", "Tri", "Tri.001"],
                Cube={"materials": ["Red", "Red"], "modifiers": ["Bevel", "Bevel.001"]},
                Tri={},
                **{"Tri.001": {"modifiers": ["Bevel"]}},
            ),
        }
    )
    assert [(one["kind"], one["of"], one["first"], one["names"]) for one in made] == [
        ("meshes", None, ["Tri"], ["Tri.001"]),
        ("materials", 'object "Cube"', [], ["Red"]),
        ("modifiers", 'object "Cube"', ["Bevel"], ["Bevel.001"]),
    ]
    assert added_by_repeat(made)[2] == 'modifiers "Bevel.001" on object "Cube"'


def test_of_many_names_the_first_few_are_told() -> None:
    none, many = holds([]), holds([f"M{number}" for number in range(30)])
    made = made_by_repeat({"start": none, "after": none, "again": many})
    assert (made[0]["count"], len(made[0]["names"])) == (30, 8)
    assert added_by_repeat(made)[0].endswith('"M7" and 22 more')


@pytest.mark.parametrize(("filled", "state"), [(0.9, "passed"), (0.05, "failed")])
def test_a_camera_close_to_something_large_need_not_show_all_of_it(filled: float, state: str, tmp_path: Path) -> None:
    gradient(64).save(tmp_path / "camera.png")
    made = report(SCENE)
    picture = {
        "view": "camera",
        "file": "camera.png",
        "camera": "scene",
        "subject_in_frame": 0.1,
        "frame_filled": filled,
    }
    made["evidence"]["render"] = {
        "nothing_to_render": False,
        "engine_used": "",
        "engine_of_scene": "",
        "size_px": 64,
        "subject_is_untouched": False,
        "subject_has_faces": True,
        "surroundings": {"Field": "ground"},
        "pictures": [picture],
    }
    stage = judge_render(made, tmp_path, "caller", RULES)
    assert stage.state == state and (state == "failed" or "Field (ground)" in stage.reason)
