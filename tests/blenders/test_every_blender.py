"""The same on every Blender: words become a proven snippet, the sandbox holds, rules heal, recipes hold.

3.4 is the executable of Debian; 4.2, 4.5 and 5.0 are wheels of the home that `make test` filled; 5.2, which needs
Python 3.13, has a home of its own, so that it does not become the default. One service does all that each is asked for.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
import pytest_asyncio

from app.settings import Settings
from harness.blenders import Blender, choose, find_blenders
from harness.order import Order
from harness.protocol import RenderSettings
from harness.sandbox.ladder import strongest
from ingest.cookbook import load_cookbook
from tests.fixtures import DEBIAN_BLENDER, serving, tools_of

pytestmark = [pytest.mark.blender, pytest.mark.asyncio(loop_scope="module")]

SENTENCE = (
    "Create the active object if missing, add a Subdivision Surface modifier (levels=2), and shade smooth."
)  # fmt: skip
SMALL = {"size": 64, "samples": 2}
SERIES: Final = ("3.4", "4.2", "4.5", "5.0", "5.2")
RECIPES: Final = (
    "advanced/compositor_glare",
    "advanced/grease_pencil_drawing",
    "advanced/scatter_with_geometry_nodes",
    "advanced/video_titles",
    "animation/ease_keyframes",
    "materials/glass",
)
"""Those that take another way on some Blender; `python -m bench.matrix` runs all."""


@dataclasses.dataclass(frozen=True)
class On:
    """A Blender, and a client of a service that has it."""

    blender: Blender
    client: httpx2.AsyncClient


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=SERIES)
async def on(
    request: pytest.FixtureRequest, home: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[On]:
    """Each Blender with a service that has it."""
    series: str = request.param
    if series == "5.2":
        home = home / "newer"
    executable = DEBIAN_BLENDER if series == "3.4" and DEBIAN_BLENDER.exists() else None
    found = find_blenders(home, executable, search=False)
    if not any(blender.series == series for blender in found):
        pytest.skip(f"there is no Blender {series} in {home}; `make test` says why")
    data = tmp_path_factory.mktemp("data")
    settings = Settings(home=home, data=data, blender=executable, sandbox="unsafe", warm_workers=1, warm_checkers=1)
    async with serving(settings) as client:
        yield On(choose(found, series), client)


async def test_words_become_a_proven_snippet(on: On) -> None:
    version, client = on.blender.version, on.client
    run = await send(client, "/generate", {"request": SENTENCE, "blender": version})
    assert (run["status"], run["blender"]) == ("proven", version), what_failed(run)
    stages = states(run)
    assert stages["api"] == stages["execute"] == stages["repeat"] == stages["render"] == "passed"
    report = run["attempts"][0]["report"]
    assert report["blender"]["version"] == version
    assert report["evidence"]["scene"]["objects"]


async def test_a_second_execution_finds_a_warm_blender(on: On) -> None:
    version, client = on.blender.version, on.client
    run = await send(
        client, "/validate", {"snippet": "import bpy\nprint(bpy.app.version_string)\n", "blender": version}
    )
    health = (await client.get("/health")).json()
    assert version.rpartition(".")[0] in run["attempts"][0]["report"]["claims"]["stdout"]["text"]
    assert health["parts"]["workers"]["state"] == "ok", health["parts"]["workers"]
    assert {worker["blender"] for worker in health["workers"]} == {version}


async def test_the_sandbox_holds(on: On) -> None:
    if not strongest().isolates:
        pytest.skip("no rung of the sandbox isolates on this machine")
    snippet = (
        "import socket\nfor reach in (lambda: socket.socket(), lambda: open('/etc/hosts')):\n"
        "    try:\n        reach()\n    except OSError as error:\n        print('held', error.errno)\n"
        "    else:\n        print('out')\n"
    )
    order = Order(snippet, render=RenderSettings(size_px=32, samples=1))
    report = (await tools_of(on.client).engine.execute(order, on.blender)).report
    lines = [line for line in report["claims"]["stdout"]["text"].splitlines() if line.startswith(("held", "out"))]
    assert lines == ["held 13", "held 2"] or lines == ["held 13", "held 13"], report["claims"]


async def test_a_render_of_the_snippets_own_is_brought_down(on: On) -> None:
    snippet = (
        "import bpy\nscene = bpy.context.scene\nscene.render.filepath = 'x.png'\n"
        "bpy.ops.render.render(write_still=True)\n"
        "print('wide', bpy.data.images.load(bpy.path.abspath('x.png')).size[0] >= scene.render.resolution_x)\n"
    )
    order = Order(snippet, render=RenderSettings(size_px=32, samples=1))
    report = (await tools_of(on.client).engine.execute(order, on.blender)).report
    assert report["outcome"] == "passed", report["reason"]
    assert "wide False" in report["claims"]["stdout"]["text"]


async def test_rules_heal_what_is_older_than_all_of_them(on: On) -> None:
    version, client = on.blender.version, on.client
    old = "import bpy\ncube = bpy.data.objects['Cube']\nbpy.context.scene.objects.active = cube\ncube.select = True\n"
    run = await send(client, "/validate", {"snippet": old, "heal": True, "blender": version})
    assert run["status"] == "proven", what_failed(run)
    assert run["attempts"][0]["verdict"]["passed"] is False
    assert "view_layer" in run["snippet"] and "select_set" in run["snippet"]


async def test_recipes_hold_that_take_another_way_there(on: On) -> None:
    version, client = on.blender.version, on.client
    snippets = {recipe.name: recipe.snippet for recipe in load_cookbook() if recipe.name in RECIPES}
    assert tuple(snippets) == RECIPES
    sent = (send(client, "/validate", {"snippet": snippet, "blender": version}) for snippet in snippets.values())
    runs = dict(zip(RECIPES, await asyncio.gather(*sent), strict=True))
    assert {name: what_failed(run) for name, run in runs.items() if run["status"] != "proven"} == {}


async def send(client: httpx2.AsyncClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Send a request and answer its run."""
    response = await client.post(path, json={**body, "render": SMALL})
    run: dict[str, Any] = response.json()
    assert response.status_code == 200, run
    return run


def states(run: dict[str, Any]) -> dict[str, str]:
    return {stage["name"]: stage["state"] for stage in run["attempts"][-1]["verdict"]["stages"]}


def what_failed(run: dict[str, Any]) -> str:
    """The stages that failed, in words."""
    stages: list[dict[str, Any]] = run["attempts"][-1]["verdict"]["stages"] if run["attempts"] else []
    return "; ".join(f"{stage['name']}: {stage['reason']}" for stage in stages if stage["state"] == "failed")
