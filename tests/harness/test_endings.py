"""How an execution ended, told from what was measured and what was said."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from harness.claims import line_of_crash, read_claims
from harness.endings import (
    end_of_examination,
    end_of_repetition,
    end_of_run,
    end_of_setup,
    read_json,
    try_again,
)
from harness.folders import Folders
from harness.launcher import HarnessFault, ProcessEnd
from harness.order import Order
from harness.protocol import AFTER, AGAIN, EVIDENCE, START, EventName, Outcome

NOTHING = {"text": "", "bytes": 0, "cut_bytes": 0}
ENDED = ProcessEnd(0, None, 1.0, 1.0, 1, None, 0, events=[], stdout=NOTHING, stderr=NOTHING, log="")


def said(*events: dict[str, Any]) -> ProcessEnd:
    return dataclasses.replace(ENDED, events=[(float(moment), event) for moment, event in enumerate(events)])


BEGUN = ({"event": EventName.BOOTED}, {"event": EventName.SAVED, "name": START})
WHOLE = (
    *BEGUN,
    {"event": EventName.SNIPPET_ENDED},
    {"event": EventName.SAVED, "name": AFTER},
    {"event": EventName.FINISHED},
)
FORGED = {"event": EventName.SETUP_FAILED, "type": "Error", "message": "forged"}


@pytest.mark.parametrize("order", [Order("x"), Order("x", setup_snippet="y")])
def test_a_setup_does_not_fail_once_the_start_is_saved(order: Order, tmp_path: Path) -> None:
    folders = Folders.make(tmp_path)
    (folders.kept / START).touch()
    run = said(*BEGUN, FORGED)
    assert end_of_run(run, read_claims(run, str), order, folders).outcome is Outcome.NO_RESULT
    (folders.kept / AFTER).touch()
    run = said(*WHOLE)
    assert end_of_run(run, read_claims(run, str), order, folders).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("events", "facts", "outcome"),
    [
        (WHOLE, {}, Outcome.PASSED),
        (WHOLE[:-1], {}, Outcome.EXITED_EARLY),
        (WHOLE, {"exit_code": 3}, Outcome.EXITED_EARLY),
        (WHOLE[:-1], {"exit_code": 3}, Outcome.EXITED_EARLY),
        (WHOLE, {"exit_code": None, "signal": 9}, Outcome.CRASHED),
        (WHOLE[:-1], {"exit_code": None, "signal": 9}, Outcome.CRASHED),
        (WHOLE, {"exit_code": None, "signal": 9, "stopped_by": "time"}, Outcome.TIMED_OUT),
        (WHOLE[:-1], {"exit_code": None, "signal": 9, "stopped_by": "time"}, Outcome.TIMED_OUT),
        (WHOLE[:-1], {"exit_code": None, "signal": 9, "stopped_by": "disk"}, Outcome.DISK_LIMIT),
        ((*WHOLE, {"event": EventName.AGAIN_ENDED}), {}, Outcome.NO_RESULT),
        ((*WHOLE, WHOLE[-1]), {}, Outcome.NO_RESULT),
    ],
)
def test_an_end_counts_as_the_keeper_measured_it(
    events: tuple[dict[str, Any], ...], facts: dict[str, Any], outcome: Outcome, tmp_path: Path
) -> None:
    folders = Folders.make(tmp_path)
    (folders.kept / START).touch()
    (folders.kept / AFTER).touch()
    run = dataclasses.replace(said(*events), **facts)
    assert end_of_run(run, read_claims(run, str), Order("x"), folders).outcome is outcome


SECOND = (
    {"event": EventName.BOOTED},
    {"event": EventName.AGAIN_ENDED},
    {"event": EventName.SAVED, "name": AGAIN},
    {"event": EventName.FINISHED},
)


@pytest.mark.parametrize(
    ("second", "outcome"),
    [
        (said(*SECOND), Outcome.PASSED),
        (said(*SECOND[:-1]), Outcome.NO_RESULT),
        (dataclasses.replace(said(*SECOND[:-1]), signal=9, exit_code=None), Outcome.CRASHED),
        (said(*SECOND[1:]), Outcome.NO_RESULT),
        (None, Outcome.TIMED_OUT),
    ],
)
def test_a_second_execution_counts_only_if_it_came_to_its_end(second: ProcessEnd | None, outcome: Outcome) -> None:
    claims = read_claims(said(*WHOLE), str, second)
    assert end_of_repetition(second, claims, Order("x"), True).outcome is outcome


@pytest.mark.parametrize("facts", [{}, {"exit_code": 3}, {"stopped_by": "time"}])
def test_a_setup_must_leave_by_itself(facts: dict[str, Any]) -> None:
    whole = dataclasses.replace(said(*BEGUN, {"event": EventName.FINISHED}), **facts)
    failed = end_of_setup(whole, Order("x", setup_snippet="y"))
    assert (failed is None) == (not facts)
    assert failed is None or failed.outcome is Outcome.SETUP_FAILED


def test_a_setup_that_fails_before_is_believed(tmp_path: Path) -> None:
    run = said(BEGUN[0], FORGED)
    ending = end_of_run(run, read_claims(run, str), Order("x", setup_snippet="y"), Folders.make(tmp_path))
    assert ending.outcome is Outcome.SETUP_FAILED


def opening(name: str) -> dict[str, Any]:
    return {"event": EventName.OPENING, "name": name}


OPENED: dict[str, Any] = {
    "event": EventName.OPENED, "name": AFTER, "objects": 4, "largest": [["Peak", 70000, 69000, ["Finer"]]]
}  # fmt: skip
OURS = {"event": EventName.NOT_EXAMINED, "message": "KeyError: 'Color'"}
REFUSED = {"event": EventName.NOT_RENDERED, "message": "Error: out of image memory"}
SIGNAL = 11


def test_an_error_of_our_own_code_is_our_fault(tmp_path: Path) -> None:
    with pytest.raises(HarnessFault, match="KeyError"):
        end_of_examination(said(opening(START), opening(AFTER), OURS), Order("x"), Folders.make(tmp_path))


def test_a_scene_that_blender_does_not_render_is_not_our_fault(tmp_path: Path) -> None:
    examined = said(opening(START), opening(AFTER), {"event": EventName.DESCRIBED}, REFUSED)
    ending, evidence = end_of_examination(examined, Order("x"), Folders.make(tmp_path))
    assert (ending.outcome, evidence) == (Outcome.EXAMINATION_FAILED, {})
    assert "out of image memory" in ending.reason


def test_too_much_to_tell_is_not_our_fault(tmp_path: Path) -> None:
    told = {"event": EventName.TOO_MUCH_TO_TELL, "bytes": 40 << 20}
    examined = said(opening(START), opening(AFTER), {"event": EventName.RENDERED}, told, {"event": EventName.FINISHED})
    ending, evidence = end_of_examination(examined, Order("x"), Folders.make(tmp_path))
    assert (ending.outcome, evidence) == (Outcome.EXAMINATION_FAILED, {})
    assert "40 MiB, and 32 MiB are read" in ending.reason
    assert ending.hint and try_again(examined, Order("x")) is None


def test_a_crash_counts_against_the_scene_that_was_open(tmp_path: Path) -> None:
    folders = Folders.make(tmp_path)
    before = dataclasses.replace(said(opening(START)), signal=SIGNAL)
    with pytest.raises(HarnessFault, match="before the snippet"):
        end_of_examination(before, Order("x"), folders)
    after = dataclasses.replace(said(opening(START), opening(AFTER), OPENED), signal=SIGNAL)
    ending, _ = end_of_examination(after, Order("x"), folders)
    assert ending.outcome is Outcome.EXAMINATION_FAILED
    assert ending.reason.startswith("describing the scene it left failed")
    assert (
        '4 objects, the largest: "Peak" has 70,000 vertices and 69,000 faces before its modifiers Finer'
        in ending.reason
    )


@pytest.mark.parametrize(
    ("examined", "again"),
    [
        (said(opening(AFTER), OURS), True),
        (said(opening(AFTER)), True),
        (dataclasses.replace(said(opening(AFTER)), signal=SIGNAL), True),
        (said(opening(AFTER), REFUSED), False),
        (said(opening(AFTER), {"event": EventName.UNREADABLE, "name": AFTER, "message": "no file"}), False),
        (dataclasses.replace(said(opening(START)), stopped_by="time"), True),
        (dataclasses.replace(said(opening(START), opening(AGAIN)), stopped_by="time"), True),
        (dataclasses.replace(said(opening(AFTER)), stopped_by="time"), False),
        (dataclasses.replace(said(opening(AFTER)), stopped_by="memory"), False),
        (said(opening(AFTER), {"event": EventName.FINISHED}), False),
    ],
)
def test_what_a_second_examination_may_mend_gets_one(examined: ProcessEnd, again: bool) -> None:
    assert (try_again(examined, Order("x")) is not None) == again


def test_a_large_scene_of_the_caller_is_no_fault_of_ours(tmp_path: Path) -> None:
    slow, folders = dataclasses.replace(said(opening(START)), stopped_by="time"), Folders.make(tmp_path)
    assert try_again(slow, Order("x", setup_snippet="y")) is None
    ending, _ = end_of_examination(slow, Order("x", setup_snippet="y"), folders)
    assert ending.reason.startswith("describing the scene before the snippet failed: it was still running")
    with pytest.raises(HarnessFault):
        end_of_examination(slow, Order("x"), folders)


@pytest.mark.parametrize(
    ("limit", "outcome", "says"),
    [
        ("disk", Outcome.DISK_LIMIT, "too big to save: a snippet may write 256 MiB"),
        ("memory", Outcome.OUT_OF_MEMORY, "not enough memory to save the scene it left: a process may use 3072 MiB"),
        ("time", Outcome.TIMED_OUT, "was not saved within 60 s"),
    ],
)
def test_a_scene_that_cannot_be_saved_is_told_with_its_largest_mesh(
    limit: str, outcome: Outcome, says: str, tmp_path: Path
) -> None:
    folders = Folders.make(tmp_path)
    (folders.kept / START).touch()
    left = {"largest": [["Peak", 12_500_000, 12_000_000]]}
    run = dataclasses.replace(said(*BEGUN, {"event": EventName.SNIPPET_ENDED, "left": left}), stopped_by=limit)
    ending = end_of_run(run, read_claims(run, str), Order("x"), folders)
    assert ending.outcome is outcome
    assert ending.reason.startswith("it ran to its end, but ") and says in ending.reason
    assert 'it said of itself that mesh "Peak" has 12,500,000 vertices and 12,000,000 faces' in ending.reason
    # One that is stopped while it runs has not come so far.
    run = dataclasses.replace(said(*BEGUN), stopped_by=limit)
    assert "ran to its end" not in end_of_run(run, read_claims(run, str), Order("x"), folders).reason


STRIP = "strip = scene.sequence_editor.strips[0]\nstrip"


@pytest.mark.parametrize(
    ("snippet", "series", "hint"),
    [
        ("mesh.from_pydata(a, b, c)", "4.5", "mesh.validate()"),
        (f"{STRIP}.modifiers.new('Mask', 'MASK')", "5.0", "`modifiers.new` of a strip"),
        (f"{STRIP}.modifiers.new('Mask', 'MASK')", "4.5", ""),
        (f"ob.modifiers.new('Mask', 'MASK')\n{STRIP}.mute = True", "5.0", ""),
        ("bpy.ops.x()", "5.0", ""),
    ],
)
def test_a_crash_by_what_is_known_to_crash_blender_has_a_hint(
    snippet: str, series: str, hint: str, tmp_path: Path
) -> None:
    folders = Folders.make(tmp_path)
    (folders.kept / START).touch()
    run = dataclasses.replace(said(*BEGUN), signal=SIGNAL)
    ending = end_of_run(run, read_claims(run, str), Order(snippet), folders, series=series)
    assert ending.outcome is Outcome.CRASHED
    assert hint in (ending.hint or "") if hint else ending.hint is None


@pytest.mark.parametrize(
    ("stderr", "line"),
    [
        (
            'Fatal Python error: Segmentation fault\n\n  File "snippet.py", line 3 in f\n  File "snippet.py", line 9',
            3,
        ),
        ('Fatal Python error: Segmentation fault\n\n  File "/b/bpy/ops.py", line 109\n', None),
        ('Traceback (most recent call last):\n  File "/run/snippet.py", line 3, in f\n', None),
    ],
)
def test_the_line_of_a_crash_is_the_innermost_of_the_snippet(stderr: str, line: int | None) -> None:
    assert line_of_crash(stderr) == line


@pytest.mark.parametrize("limit", ["memory", "disk", "output"])
def test_an_end_at_a_limit_says_what_to_do(limit: str, tmp_path: Path) -> None:
    folders = Folders.make(tmp_path)
    (folders.kept / START).touch()
    run = dataclasses.replace(said(*BEGUN), stopped_by=limit)
    assert end_of_run(run, read_claims(run, str), Order("x"), folders).hint


def test_claims_on_what_was_left_may_be_anything() -> None:
    lefts: list[Any] = [None, 7, {"largest": [1, [2], ["a", "b", True]], "unsound": [3, {}], "unlinked": "x"}]
    for left in lefts:
        run = said(*BEGUN, {"event": EventName.SNIPPET_ENDED, "left": left})
        claims = read_claims(run, str)
        assert claims.unlinked == []
        assert all(one.keys() == {"mesh", "vertices", "faces"} for one in claims.largest)


def test_names_that_are_no_text_are_shown_as_text(tmp_path: Path) -> None:
    path = tmp_path / EVIDENCE
    path.write_text(r'{"a\udc80b": ["c\udcffd", "\u00e9"]}')
    read = read_json(path, 1000)
    assert read == {"a\\udc80b": ["c\\udcffd", "é"]}
    str(read).encode()
