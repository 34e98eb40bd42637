"""Each outcome of the closed set is produced by a small file in `tests/snippets`; its docstring names the outcome."""

from __future__ import annotations

import dataclasses
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageStat

from harness.blenders import Blender
from harness.execution import execute
from harness.order import Order
from harness.protocol import Outcome
from harness.sandbox.ladder import Rung, Sandbox
from tests.harness.outcome_snippets import SHORT, SMALL, SNIPPETS, expected_outcome, order_for
from tests.lending import Lending

ONLY_WITHOUT_A_SANDBOX = {"forks_children", "leaves_daemon"}
"""Within one, no snippet starts a process."""
ON_A_COLD_BLENDER = ONLY_WITHOUT_A_SANDBOX | {"harness_fault", "looks_around", "spoils_everything"}
"""The others are given to a warm one, as the service does it."""
BOTH_DOORS = {
    "passed",
    "exits_early",
    "raised",
    "endless_loop",
    "prints_without_end",
    "crashes",
    "renders_by_itself",
}


async def execute_in_time(
    blender: Blender, order: Order, folder: Path, sandbox: Sandbox | None = None
) -> dict[str, Any]:
    """The report on an order; executed again with more time if a busy machine needed all of it to start Blender."""
    report: dict[str, Any] = {}
    for wall_s in (order.run_limits.wall_s, 30, 120):
        limits = dataclasses.replace(order.run_limits, wall_s=wall_s)
        again = dataclasses.replace(order, run_limits=limits)
        report = await execute(blender, again, folder / f"within-{wall_s:g}", sandbox)
        if not report["reason"].startswith("Blender ended before the snippet was run: it was still running"):
            break
    return report


def test_every_outcome_has_a_snippet() -> None:
    assert {expected_outcome(snippet) for snippet in SNIPPETS} == {outcome.value for outcome in Outcome}


@pytest.mark.blender
@pytest.mark.parametrize(
    "snippet", [path for path in SNIPPETS if path.stem not in ON_A_COLD_BLENDER], ids=lambda path: path.stem
)
async def test_outcome(snippet: Path, blender: Blender, lending: Lending, tmp_path: Path) -> None:
    order = order_for(snippet)
    if lending.sandbox.keeps_forks_apart:
        report = await lending.execute(blender, order, tmp_path / "job")
    else:
        report = await execute_in_time(blender, order, tmp_path)
    assert report["outcome"] == expected_outcome(snippet), report["reason"]


@pytest.mark.blender
@pytest.mark.parametrize(
    "snippet", [path for path in SNIPPETS if path.stem in ON_A_COLD_BLENDER], ids=lambda path: path.stem
)
async def test_outcome_on_a_cold_blender(snippet: Path, blender: Blender, tmp_path: Path, no_leftovers: None) -> None:
    if snippet.stem == "harness_fault":
        blender = dataclasses.replace(blender, path=Path("/bin/false"))
    sandbox = Sandbox(Rung.PROCESS) if snippet.stem in ONLY_WITHOUT_A_SANDBOX else None
    report = await execute_in_time(blender, order_for(snippet), tmp_path, sandbox)
    assert report["outcome"] == expected_outcome(snippet), report["reason"]


@pytest.mark.blender
@pytest.mark.parametrize("snippet", [path for path in SNIPPETS if path.stem in BOTH_DOORS], ids=lambda path: path.stem)
async def test_outcome_through_the_executable(snippet: Path, executable: Blender, tmp_path: Path) -> None:
    report = await execute_in_time(executable, order_for(snippet), tmp_path)
    assert report["outcome"] == expected_outcome(snippet), report["reason"]
    assert report["blender"]["kind"] == "executable"


@pytest.mark.blender
async def test_a_message_that_is_no_text_is_reported_as_text(
    blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    snippet = next(path for path in SNIPPETS if path.stem == "raises_no_text")
    report = await lending.execute(blender, order_for(snippet), tmp_path / "job")
    assert report["claims"]["exception"]["message"] == "half a character \\ud800, and \\x1b[31m red"
    json.dumps(report, ensure_ascii=False).encode()


TOLD: list[tuple[str, str, str | None]] = [
    (
        "def f(n):\n    while True: n += 1\nf(0)\n",
        "it was still running after 5 s, at line 2: `while True: n += 1`",
        "Give the loop a condition that becomes false, or a `break`. A request may ask for more time with "
        "`time_limit`, in seconds.",
    ),
    ("raise ValueError('at once')\n", "ValueError: at once", None),
    (
        "import bpy\ntree = bpy.data.materials['Material'].node_tree\ntree.nodes['Principled BDSF'].mute = True\n",
        "KeyError: 'bpy_prop_collection[key]: key \"Principled BDSF\" not found'; "
        'there are: "Principled BSDF", "Material Output"',
        None,
    ),
    (
        "import bpy\nbpy.data.objects.get('Tugboat').location.x = 3\n",
        'it needs object "Tugboat"; there are: "Camera", "Cube", "Light"',
        "Send a setup snippet or a .blend file that has it, or create it first.",
    ),
    ("names = {'a': 1}\nnames['b']\n", "KeyError: 'b'", None),
]


@pytest.mark.blender
@pytest.mark.parametrize(("source", "reason", "hint"), TOLD, ids=["time", "in time", "node", "object", "a dictionary"])
async def test_an_ending_says_where_and_what_there_is(
    source: str, reason: str, hint: str | None, blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    order = Order(source, render=SMALL, run_limits=SHORT)
    report = await lending.execute(blender, order, tmp_path / "job")
    assert (report["reason"], report["hint"]) == (reason, hint)


@pytest.mark.blender
async def test_no_path_of_the_machine_is_told(blender: Blender, tmp_path: Path) -> None:
    source = (
        "import bpy, sys\nprint(__file__, file=sys.stderr)\n"
        "def f():\n    bpy.ops.wm.open_mainfile(filepath='no.blend')\nf()\n"
    )
    report = await execute(blender, Order(source, render=SMALL), tmp_path / "job")
    exception = report["claims"]["exception"]
    assert exception["line"] == 4
    assert exception["traceback"].count('File "snippet.py"') == 2
    assert "harness" not in exception["traceback"]
    assert str(tmp_path) not in json.dumps(report)


@pytest.mark.blender
async def test_relative_paths_lead_to_the_callers_files(blender: Blender, lending: Lending, tmp_path: Path) -> None:
    image = io.BytesIO()
    Image.new("RGB", (4, 4), (0, 200, 0)).save(image, "PNG")
    source = """
import bpy
cube = bpy.data.objects["Cube"]
tree = cube.data.materials[0].node_tree
texture = tree.nodes.new("ShaderNodeTexImage")
texture.image = bpy.data.images.load("green.png")
tree.links.new(texture.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
"""
    order = Order(source, files=(("green.png", image.getvalue()),))
    report = await lending.execute(blender, order, tmp_path / "job")
    assert (report["outcome"], report["evidence"]["files"]) == ("passed", [])
    with Image.open(tmp_path / "job" / "examine" / "out" / "three_quarter.png") as picture:
        red, green, blue = ImageStat.Stat(picture.convert("RGB").crop((120, 120, 136, 136))).mean
    assert green > 2 * red and green > 2 * blue


@pytest.mark.blender
@pytest.mark.parametrize(
    ("setup", "said"),
    [("while True: pass", "still running"), ("import os; os.abort()", "SIGABRT"), ("1/0", "ZeroDivision")],
)
async def test_a_setup_that_fails_is_not_held_against_the_snippet(
    setup: str, said: str, blender: Blender, tmp_path: Path
) -> None:
    report = await execute_in_time(blender, Order("import bpy", setup_snippet=setup, run_limits=SHORT), tmp_path)
    assert report["outcome"] == "setup_failed"
    assert said in report["reason"]


@pytest.mark.blender
async def test_a_picture_tells_no_dates_or_paths_and_is_the_same_again(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    order, pixels = Order("import bpy\n", render=SMALL), list[bytes]()
    for name, executed in (("cold", execute), ("warm", lending.execute)):
        await executed(blender, order, tmp_path / name)
        path = tmp_path / name / "examine" / "out" / "three_quarter.png"
        assert b"Date" not in path.read_bytes() and os.fsencode(tmp_path) not in path.read_bytes()
        with Image.open(path) as picture:
            pixels.append(picture.tobytes())
    assert pixels[0] == pixels[1]


FRAMED = """
import bpy
bpy.ops.mesh.primitive_plane_add(size=8)
plane = bpy.context.object
bpy.ops.mesh.primitive_cone_add(radius1=0.3, depth=1)
plane.instance_type = "VERTS"
bpy.context.object.parent = plane
"""


@pytest.mark.blender
async def test_instances_are_part_of_what_is_framed(blender: Blender, lending: Lending, tmp_path: Path) -> None:
    report = await lending.execute(blender, Order(FRAMED, render=SMALL), tmp_path / "job")
    bounds = report["evidence"]["scene"]["objects"]["Plane"]["bounds"]
    assert bounds["max"][0] > 4 and bounds["max"][2] > 0.4


@pytest.mark.blender
async def test_an_object_out_of_sight_is_told_where_it_is(blender: Blender, lending: Lending, tmp_path: Path) -> None:
    source = """
import bpy
parent = bpy.data.objects.new("Parent", None)
child = bpy.data.objects.new("Child", None)
apart = bpy.data.collections.new("Apart")
bpy.context.scene.collection.children.link(apart)
for obj in (parent, child):
    apart.objects.link(obj)
child.parent = parent
parent.location.x = 10
child.location.x = 5
bpy.context.view_layer.layer_collection.children["Apart"].exclude = True
"""
    report = await lending.execute(blender, Order(source, render=SMALL), tmp_path / "job")
    child = report["evidence"]["scene"]["objects"]["Child"]
    assert (child["location"][0], child["hidden_in_render"]) == (15, True)


@pytest.mark.blender
@pytest.mark.parametrize(
    "change",
    [
        "bpy.context.scene.render.resolution_x = 99",
        "bpy.data.objects['Light'].data.energy = 5",
        "bpy.data.objects['Cube']['note'] = 'hello'",
        "bpy.data.objects['Cube'].hide_viewport = True",
        "bpy.context.scene.view_settings.exposure = 2",
        "bpy.data.objects['Cube'].location.x = 1",
    ],
)
async def test_a_change_is_noticed(change: str, blender: Blender, lending: Lending, tmp_path: Path) -> None:
    report = await lending.execute(blender, Order(f"import bpy\n{change}\n", render=SMALL), tmp_path / "job")
    assert any(report["evidence"]["changes"]["changed"].values()), change
    assert (report["evidence"]["repeat"]["added"], report["evidence"]["repeat"]["changed"]) == ([], [])


@pytest.mark.blender
@pytest.mark.parametrize(
    ("mebibytes", "files", "outcome"), [(10, 150, "passed"), (10, 250, "disk_limit"), (18, 150, "disk_limit")]
)
async def test_the_files_that_a_snippet_is_given_do_not_count_as_its_own(
    mebibytes: int, files: int, outcome: str, blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    write = "for number in range({}):\n    open(f'{}{{number}}', 'wb').write(bytes(({} << 20) // {}))\n"
    order = Order(
        f"import bpy, time\n{write.format(files, 'own', mebibytes, files)}time.sleep(0.3)\n",
        setup_snippet=write.format(150, "given", 10, 150),
        files=(("brought", bytes(10 << 20)),),
        render=SMALL,
        run_limits=dataclasses.replace(SHORT, wall_s=30, disk_bytes=16 << 20, files=200),
    )
    report = await lending.execute(blender, order, tmp_path / "job")
    assert report["outcome"] == outcome, report["reason"]
