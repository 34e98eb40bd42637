"""The course of a healing: what is kept, what is taken back, and what the caller is told."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.cli.hunks import print_diff
from app.healing.comparison import best_attempt, rules_in_vain
from app.healing.course import next_healing, notes_on
from app.healing.encodings import bytes_of_module
from app.healing.heal import UNASKED, better
from app.healing.modules import modules_of, place_of_exception
from app.healing.tried import HealingRecord
from app.jobs.run import Attempt
from app.verdict.verdict import Verdict
from tests.small_manifest import small_manifest
from tests.verdicts import PASSED, failing

SMALL = small_manifest()


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        (PASSED, failing("execute"), True),
        (failing("execute"), PASSED, False),
        (PASSED, PASSED, True),
        (failing("render"), failing("execute"), True),
        (failing("execute"), failing("render"), False),
        (failing("api", 1), failing("api", 3), True),
        (failing("api", 3), failing("api", 3), False),
        (failing("execute", line=9, message="this"), failing("execute", line=2, message="that"), True),
        (failing("execute", line=9, message="line 9"), failing("execute", line=2, message="line 2"), False),
        (failing("execute", line=2, message="this"), failing("execute", line=9, message="that"), False),
        # Where it stood when its time was up does not tell how far it had come; what else is wrong does.
        (failing("execute", 1, line=2, code="timed_out"), failing("execute", 3, line=9, message="that"), True),
        (failing("execute", 3, line=9, code="timed_out"), failing("execute", 3, line=2, message="that"), False),
        # What Blender calls after the run is further on than every line of the run.
        (failing("execute", line=2, message="this", code="swallowed-error"), failing("execute", line=9), True),
        (failing("execute", line=9), failing("execute", line=2, message="this", code="unknown-name-drawn"), False),
        (failing("execute"), failing("api"), False),
        (failing("api"), failing("execute"), True),
        (failing("types"), failing("accept"), True),
        (failing("critic"), failing("lint"), True),
    ],
)
def test_better(new: Verdict, old: Verdict, expected: bool) -> None:
    text = "pass\n" * 10
    assert better(new, old, text, text) is expected


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        # What else is wrong hides the worth of a repair; it is kept all the same.
        (failing("policy"), failing("policy"), True),
        (failing("execute", line=2, message="no such file"), failing("execute", line=2, message="no such file"), True),
        (failing("execute", 2), failing("execute", 1), False),
        (failing("parse"), failing("execute"), False),
        (failing("execute"), PASSED, False),
    ],
)
def test_a_sure_repair_is_kept_if_the_verdict_is_no_worse(new: Verdict, old: Verdict, expected: bool) -> None:
    text = "pass\n" * 10
    assert better(new, old, text, text, sure=True) is expected
    assert not better(new, old, text, text)


def test_a_sure_repair_is_not_taken_back_where_a_guess_is() -> None:
    same = [attempt(1, failing("execute")), attempt(2, failing("execute"))]
    sure, guess = (HealingRecord(attempt=2, base=1, rules=[name]) for name in ("rgba", "nearest-item"))
    assert best_attempt(same, [sure]).number == 2
    assert best_attempt(same, [guess]).number == 1
    assert (rules_in_vain(same, [sure]), rules_in_vain(same, [guess])) == (set(), {"nearest-item"})


def test_lines_are_found_again_below_what_was_inserted_and_in_long_texts_of_the_same_line() -> None:
    old = failing("execute", line=60_001, message="that")
    again = "x = 1\n" * 60_000
    assert not better(failing("execute", line=60_002, message="this"), old, "y = 1\n" + again + "z\n", again + "z\n")
    assert better(failing("execute", line=60_003, message="this"), old, "y = 1\n" + again + "z\nz\n", again + "z\nz\n")
    swapped = again.replace("x", "y"), again
    assert not better(failing("execute", line=5, message="this"), old, *swapped)


def attempt(number: int, verdict: Verdict, snippet: str = "", notes: tuple[str, ...] = ()) -> Attempt:
    text = snippet or f"x = {number}\n"
    return Attempt(
        number=number, author="caller", notes=list(notes), snippet=text, symbols=[], verdict=verdict, report=None
    )


def test_a_repair_that_is_no_better_is_taken_back_guesses_first() -> None:
    attempts = [
        attempt(1, failing("execute")),
        attempt(2, failing("render"), notes=("line 1: why [rgba]",)),
        attempt(3, failing("execute")),
    ]
    tried = [
        HealingRecord(attempt=2, base=1, rules=["rgba"]),
        HealingRecord(attempt=3, base=2, rules=["scene-link", "nearest-item"]),
    ]
    assert best_attempt(attempts).number == 2
    assert rules_in_vain(attempts, tried) == {"nearest-item"}
    assert rules_in_vain(attempts, [HealingRecord(attempt=3, base=2, rules=["scene-link"])]) == {"scene-link"}
    assert notes_on(attempts[1], attempts, tried) == [
        "taken back: attempt 3 was no better than attempt 2 (scene-link, nearest-item)",
        "line 1: why [rgba]",
    ]


def test_the_same_snippet_is_not_tried_twice() -> None:
    before, after = "bpy.data\n", "import bpy\nbpy.data\n"
    undefined = failing("lint", message="Undefined name `bpy`")
    assert next_healing([attempt(1, undefined, before)], [], SMALL) is not None
    again = [attempt(1, undefined, before), attempt(2, undefined, after)]
    assert next_healing(again, [], SMALL) is None


def test_what_did_not_fail_is_changed_only_if_healing_was_asked_for() -> None:
    old = 'bpy.types.Scene.x = bpy.props.IntProperty()\nbpy.context.scene["x"] = 1\nbpy.context.object.select = True\n'
    tries = [attempt(1, failing("api", line=4), f"import bpy\n{old}")]
    asked, unasked = next_healing(tries, [], SMALL), next_healing(tries, [], SMALL, left_out=UNASKED)
    assert asked and unasked
    assert (asked.rules, unasked.rules) == (["object-select", "registered-by-key"], ["object-select"])


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"# caf\xe9\nx = '\xc3\xa9'\n", "# caf\xe9\nx = '\xe9'\n"),
        (b"# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = '\xe9'\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"x = 'caf\xe9'\n", None),
        (b"def f(:\n", "def f(:\n"),
    ],
)
def test_a_module_is_read_as_python_reads_it(content: bytes, text: str | None) -> None:
    found = modules_of([("helper.py", content), ("data.txt", b"\xff")], {})
    assert found == ({"helper.py": text} if text is not None else {})
    if text and b"caf" not in content:
        assert bytes_of_module(text, content) == content


async def healed_run(client: httpx2.AsyncClient, snippet: str) -> dict[str, Any]:
    found: dict[str, Any] = (await client.post("/validate", json={"snippet": snippet, "heal": True})).json()
    return found


@pytest.mark.blender
async def test_an_old_script_is_brought_to_this_blender(client: httpx2.AsyncClient) -> None:
    old = (
        "import bpy\nme = bpy.data.meshes.new('Tri')\n"
        "me.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])\n"
        "ob = bpy.data.objects.new('Tri', me)\nbpy.context.scene.objects.link(ob)\nob.select = True\n"
    )
    run = await healed_run(client, old)
    assert run["status"] == "proven"
    # The third is the same with what makes it repeatable.
    assert [attempt["verdict"]["passed"] for attempt in run["attempts"]] == [False, True, True]
    assert "scene.collection.objects.link(ob)\nob.select_set(True)" in run["snippet"]
    assert [note.split(":")[0] for note in sorted(run["attempts"][1]["notes"])] == ["line 5", "line 6"]


@pytest.mark.blender
async def test_what_passes_and_only_looks_wrong_is_mended_where_healing_is_asked_for(
    client: httpx2.AsyncClient,
) -> None:
    snippet = (Path(__file__).parents[1] / "healing_pairs" / "diffuse-color.before.py").read_text()
    run = await healed_run(client, snippet)
    left = (await client.post("/validate", json={"snippet": snippet})).json()
    assert [run["status"], left["status"]] == ["proven", "proven"]
    # The third attempt makes it repeatable.
    assert [len(run["attempts"]), len(left["attempts"])] == [3, 1]
    assert "Base Color" in run["snippet"]


@pytest.mark.blender
async def test_what_adds_again_is_made_repeatable_where_healing_is_asked_for(client: httpx2.AsyncClient) -> None:
    snippet = (
        "import bpy\n\nmesh = bpy.data.meshes.new('Tri')\n"
        "mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])\n"
        "tri = bpy.data.objects.new('Tri', mesh)\nbpy.context.collection.objects.link(tri)\n"
        "bpy.data.objects['Cube'].modifiers.new('Bevel', 'BEVEL')\n"
    )
    run = await healed_run(client, snippet)
    repeats = [
        next(stage for stage in attempt["verdict"]["stages"] if stage["name"] == "repeat")
        for attempt in run["attempts"]
    ]
    assert [stage["state"] for stage in repeats] == ["warned", "warned", "passed"]
    assert all(said in repeats[0]["reason"] for said in ('meshes "Tri.001"', 'modifiers "Bevel.001" on object "Cube"'))
    assert "if 'Bevel' not in bpy.data.objects['Cube'].modifiers:" in run["snippet"]
    assert [note.split("[")[-1] for note in run["attempts"][2]["notes"]] == ["added-again]", "made-again]"]


MODULE = (
    "import bpy\n\n\ndef placed(name):\n    thing = bpy.data.objects.new(name, bpy.data.lamps.new(name, 'SUN'))\n"
    "    bpy.context.scene.objects.link(thing)\n    return thing\n"
)


@pytest.mark.blender
async def test_a_module_that_comes_with_the_snippet_is_healed_like_it(client: httpx2.AsyncClient) -> None:
    snippet = "import bpy\nfrom lighting import placed\n\nplaced('Key').select = True\n"
    notes = {"name": "notes.txt", "content": base64.b64encode(b"bpy.data.lamps").decode()}
    module = {"name": "lighting.py", "content": base64.b64encode(MODULE.encode()).decode()}
    body = {"snippet": snippet, "heal": True, "files": [module, notes]}
    run = (await client.post("/validate", json=body)).json()
    assert run["status"] == "proven"
    assert "placed('Key').select_set(True)" in run["snippet"]
    files = run["attempts"][-1]["files"]
    assert list(files) == ["lighting.py"]
    assert "bpy.data.lights.new(name, 'SUN')" in files["lighting.py"]
    assert "bpy.context.scene.collection.objects.link(thing)" in files["lighting.py"]
    assert any(note.startswith("lighting.py, line 5: ") for note in run["attempts"][-1]["notes"])


def test_the_module_that_raised_is_told_by_the_last_frame_of_the_request() -> None:
    def raised(*frames: tuple[str, int]) -> tuple[str, int] | None:
        lines = "".join(f'  File "{path}", line {line}, in f\n    x\n' for path, line in frames)
        return place_of_exception(
            {"traceback": f"Traceback (most recent call last):\n{lines}"}, ["rig.py", "sub/rig.py"]
        )

    assert raised(("snippet.py", 3), ("elsewhere/rig.py", 7)) == ("rig.py", 7)
    assert raised(("snippet.py", 3), ("elsewhere/rig.py", 7), ("/usr/lib/bpy/x.py", 9)) == ("rig.py", 7)
    # A module may call back into the snippet.
    assert raised(("snippet.py", 3), ("elsewhere/rig.py", 7), ("snippet.py", 9)) is None
    assert raised(("snippet.py", 3), ("elsewhere/other_rig.py", 7)) is None


@pytest.mark.blender
async def test_a_guess_that_helps_nothing_is_taken_back(client: httpx2.AsyncClient) -> None:
    snippet = "import bpy\nbpy.data.objects['Cube'].locaton = 'nowhere'\n"
    run = await healed_run(client, snippet)
    assert run["status"] == "not_proven"
    assert run["snippet"] == snippet
    assert run["attempts"][-1]["notes"] == [
        "taken back: attempt 2 was no better than attempt 1 (nearest-attribute)",
    ]


def test_a_patch_comes_in_hunks_with_their_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    old = "".join(f"line {number}\n" for number in range(1, 31))
    new = old.replace("line 3\n", "third\n").replace("line 25\n", "one\ntwo\n").removesuffix("\n")
    print_diff(old, new, "/old.py", ["line 25: two", "line 3: renamed", "of the whole"])
    printed = capsys.readouterr()
    assert printed.out.startswith("--- a/old.py\n+++ b/old.py\n@@ -1,6 +1,6 @@\n line 1\n")
    assert printed.out.count("---") == 1 and "@@ -22,7 +22,8 @@\n" in printed.out and "No newline" not in printed.out
    words = printed.err.replace("|", " ").split()
    assert " ".join(words) == "@@ -1,6 +1,6 @@ line 3: renamed @@ -22,7 +22,8 @@ line 25: two of the whole"
    print_diff(old, old, "old.py", [])
    assert capsys.readouterr().out == ""
