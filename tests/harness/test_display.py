"""An add-on is seen in Blender's own window, on a display that nothing else has."""

from __future__ import annotations

import io
import socket
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from harness.addons import Addon, Registration, use_addon
from harness.blenders import Blender
from harness.display import HEIGHT, WIDTH, open_display, why_no_display
from harness.execution import execute, execute_without_window
from harness.launcher import HarnessFault
from harness.order import Order
from harness.sandbox.ladder import Rung, Sandbox, strongest
from tests.harness.outcome_snippets import SMALL

SEEN: Final = Path(__file__).with_name("windowed_addon.txt")
CURIOUS: Final = """
import os
import socket
bl_info = {"name": "Curious", "blender": (2, 80, 0), "category": "Object"}
def register():
    try:
        socket.socket(socket.AF_UNIX).connect("/tmp/.X11-unix/X1")
    except PermissionError:
        print("no other window")
    print("screens:", [name for root, _, names in os.walk("/") for name in names if name.startswith("Xvfb_")])
def unregister():
    pass
"""

pytestmark = pytest.mark.skipif(why_no_display(strongest()) is not None, reason=str(why_no_display(strongest())))


def red_in(picture: bytes) -> int:
    """The number of pixels that are red."""
    colours = Image.open(io.BytesIO(picture)).getcolors(WIDTH * HEIGHT)
    return sum(count for count, colour in colours or () if colour == (255, 0, 0))


async def used(executable: Blender, source: str, folder: Path) -> Registration:
    return await use_addon(executable, Addon("seen", {"seen.py": source.encode()}), strongest(), folder, thorough=True)


@pytest.mark.blender
@pytest.mark.slow
async def test_panels_menus_and_overlays_are_seen_and_what_raises_only_there_is_found(
    executable: Blender, tmp_path: Path
) -> None:
    done = await used(executable, SEEN.read_text(), tmp_path)
    assert done.passed, done.said
    results = {use.name: use for use in done.uses if use.kind == "window"}
    assert {name: use.how for name, use in results.items()} == {
        "view 3D sidebar, tab Seen": "shown",
        "Menu SEEN_MT_menu": "shown",
        "Operator SEEN_OT_paint": "shown",
        "Operator SEEN_OT_paint_wrong": "raised",
    }
    problem = results["Operator SEEN_OT_paint_wrong"].problem
    wrong = [number for number, line in enumerate(SEEN.read_text().splitlines(), 1) if line.endswith("# !")]
    assert problem and [problem.frames[-1].line] == wrong
    # A red triangle of 30,000 pixels, part of it below Blender's own buttons.
    assert red_in(done.pictures["Operator SEEN_OT_paint"]) > 10_000
    assert red_in(done.pictures["view 3D sidebar, tab Seen"]) < 1000
    assert done.pictures["Menu SEEN_MT_menu"] != done.pictures["view 3D sidebar, tab Seen"]


@pytest.mark.blender
@pytest.mark.slow
async def test_an_addon_reaches_neither_the_socket_nor_the_memory_of_the_display(
    executable: Blender, tmp_path: Path
) -> None:
    done = await used(executable, CURIOUS, tmp_path)
    assert done.passed, done.said
    assert "no other window" in done.output and "screens: []" in done.output


async def test_a_display_shows_nothing_at_first_and_is_gone_at_the_end(tmp_path: Path) -> None:
    async with open_display(strongest(), tmp_path / "display") as display:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(display.sockets / "X1"))
        assert Image.open(io.BytesIO(display.picture())).getcolors() == [(WIDTH * HEIGHT, (0, 0, 0))]
    with socket.socket(socket.AF_UNIX) as client, pytest.raises(ConnectionRefusedError):
        client.connect(str(display.sockets / "X1"))
    display.screen.rename(display.screen.with_name("elsewhere"))
    display.screen.symlink_to("elsewhere")
    with pytest.raises(HarnessFault, match="cannot be read"):
        display.picture()
    display.screen.unlink()
    display.screen.write_bytes(b"short")
    with pytest.raises(HarnessFault, match="no file of its size"):
        display.picture()


def test_a_display_is_refused_where_others_could_be_reached() -> None:
    assert why_no_display(strongest()) is None
    assert "namespaces" in str(why_no_display(Sandbox(Rung.LANDLOCK)))


WINDOWED: Final = "import bpy\nbpy.ops.view3d.view_axis(type='TOP')\nbpy.data.objects['Cube'].location.x = 5\n"


@pytest.mark.blender
@pytest.mark.slow
async def test_a_snippet_that_needs_a_window_is_executed_in_one(executable: Blender, tmp_path: Path) -> None:
    order = Order(WINDOWED, render=SMALL)
    without = await execute_without_window(executable, order, tmp_path / "without", strongest(), None, None)
    assert (without["outcome"], without["blender"]["window"]) == ("needs_window", False)
    report = await execute(executable, order, tmp_path / "with")
    assert (report["outcome"], report["blender"]["window"]) == ("passed", True), report["reason"]
    assert report["evidence"]["repeat"]["outcome"] == "passed", report["evidence"]["repeat"]
    # The scene is seen by a process without a window, as always.
    assert "Cube" in str(report["evidence"]["changes"]["changed"])


ASKING: Final = """
import bpy, json, os, socket, stat
bl_info = {"name": "Asks", "blender": (2, 80, 0), "category": "Object"}
class ASKS_PT_tab(bpy.types.Panel):
    bl_label, bl_space_type, bl_region_type, bl_category = "Asks", "VIEW_3D", "UI", "Asks"
    def draw(self, context):
        pass
def register():
    bpy.utils.register_class(ASKS_PT_tab)
    for number in range(200):
        try:
            line = os.dup(number)
            if stat.S_ISSOCK(os.fstat(line).st_mode):
                channel = socket.socket(fileno=line)
                for each in range(3000):
                    channel.sendall(json.dumps({"event": "saved", "name": str(each % 100)}).encode() + b"\\n")
        except OSError:
            pass
def unregister():
    bpy.utils.unregister_class(ASKS_PT_tab)
"""


@pytest.mark.blender
@pytest.mark.slow
async def test_who_finds_the_channel_gets_no_more_pictures_than_there_are_uses(
    executable: Blender, tmp_path: Path
) -> None:
    done = await used(executable, ASKING, tmp_path)
    assert len(done.pictures) <= 1
    assert set(done.pictures) <= {"view 3D sidebar, tab Asks"}
