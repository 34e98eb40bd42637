"""An artifact made again, on the same Blender, on another, and one that an archive brought with ill will."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.artifacts.store import archive
from app.artifacts.store.artifact import Provenance, imported_id
from app.artifacts.store.store import ArtifactStore, Proof
from app.jobs.run import Attempt
from app.pipeline.replaying import replay
from app.settings import Settings
from app.verdict.rules import load_rules
from app.verdict.verdict import STAGES, judged, make_verdict
from harness.blenders import Blender
from harness.engines.local import LocalEngine
from harness.order import Order
from harness.protocol import RenderSettings
from harness.readers import Readers
from harness.sandbox.ladder import strongest
from tests.fixtures import serving
from tests.small_artifacts import draw, proof

pytestmark = pytest.mark.blender

MOVING = """import bpy

cube = bpy.data.objects["Cube"]
cube.location = (-2, 0, 0)
cube.keyframe_insert("location", frame=1)
cube.location = (2, 0, 0)
cube.keyframe_insert("location", frame=41)
"""
FILES = [{"name": "size.txt", "content": "Mg=="}]
FROM_A_FILE = "import bpy\nbpy.data.objects['Cube'].scale.z = float(open('size.txt').read())\n"


async def made(client: httpx2.AsyncClient, snippet: str, **body: Any) -> dict[str, Any]:
    render = {"size": 64, "samples": 4, **body.pop("render", {})}
    run = (await client.post("/validate", json={"snippet": snippet, "render": render, **body})).json()
    assert run["status"] == "proven", run
    artifact: dict[str, Any] = (await client.get(run["artifact"]["metadata"])).json()
    return artifact


async def test_an_artifact_is_made_again_from_its_receipt(client: httpx2.AsyncClient) -> None:
    artifact = await made(client, FROM_A_FILE, files=FILES)
    again = (await client.post(f"/artifacts/{artifact['id']}/replay")).json()
    assert (again["same"], again["outcome"]) == (True, "passed"), again
    assert (again["geometry"]["state"], again["picture"]["bits_apart"]) == ("exact", 0)
    details = (await client.get(f"/artifacts/{artifact['id']}")).json()
    assert [seen["origin"] for seen in details["sightings"]] == ["run", "replay"]
    twice = await made(client, FROM_A_FILE, files=FILES)
    assert (twice["id"], len(twice["sightings"])) == (artifact["id"], 3)
    unknown = await client.post(f"/artifacts/{artifact['id']}/replay?blender=1.0")
    assert (unknown.status_code, unknown.json()["code"]) == (422, "invalid_request")


async def test_what_moves_is_shown_in_frames(client: httpx2.AsyncClient) -> None:
    moving = await made(client, MOVING, render={"frames": 3})
    still = await made(client, "import bpy\nbpy.data.objects['Cube'].scale.z = 2\n", render={"frames": 3})
    assert (list(moving["views"]), list(still["views"])) == (["frame_0001", "frame_0021", "frame_0041"], [])
    assert (moving["contact_sheet"] is not None, still["contact_sheet"]) == (True, None)
    pictures = [(await client.get(path)).content for path in moving["views"].values()]
    assert len(set(pictures)) == 3
    assert (await client.get(moving["contact_sheet"])).status_code == 200
    assert "animated" in moving["tags"]


async def test_a_scene_that_comes_out_otherwise_is_not_the_same(client: httpx2.AsyncClient) -> None:
    chance = "import bpy, random\nbpy.data.objects['Cube'].scale.z = 1 + random.random()\n"
    artifact = await made(client, chance)
    again = (await client.post(f"/artifacts/{artifact['id']}/replay")).json()
    assert (again["same"], again["geometry"]["state"]) == (False, "different")
    assert again["geometry"]["differences"][0].startswith("Cube has")


async def test_another_blender_is_compared_by_shape_and_not_by_the_order_of_vertices(
    settings: Settings, executable: Blender, tmp_path: Path, readers: Readers
) -> None:
    snippet = "import bpy\nbpy.ops.mesh.primitive_uv_sphere_add(radius=1.5, location=(0, 0, 1))\n"
    async with serving(settings) as client:
        artifact = await made(client, snippet)
    store = ArtifactStore(settings.data_folder / "artifacts")
    engine = LocalEngine(strongest(), None, tmp_path / "executions")
    again = (await replay(store, artifact["id"], executable, engine, load_rules(), readers)).comparison
    assert list((tmp_path / "executions").iterdir()) == []
    assert (again.blender["version"], again.outcome) == (executable.version, "passed"), again
    assert again.geometry.state in ("same", "exact"), again.geometry
    assert (again.picture.bits_apart is not None and again.picture.bits_apart <= 16) is True


async def test_a_receipt_is_held_to_the_policy(
    settings: Settings, tmp_path: Path, blender: Blender, readers: Readers
) -> None:
    evil = "import os\nos.system('touch /tmp/evil')\n"
    store = ArtifactStore(tmp_path / "artifacts")
    planted = store.publish(proof(tmp_path, "a ball", draw("ball", "red"), snippet=evil))
    assert planted is not None
    engine = LocalEngine(strongest(), None, tmp_path / "executions")
    again = (await replay(store, planted.id, blender, engine, load_rules(), readers)).comparison
    assert (again.same, again.outcome) == (False, "forbidden")
    assert not (tmp_path / "executions").exists()


WRONG_WHERE_IT_NEVER_RUNS = """import bpy
bpy.data.objects["Cube"].scale.z = 2
def never():
    bpy.ops.mesh.primitive_cube_add(siz=2)
"""


async def brought_from_elsewhere(client: httpx2.AsyncClient, snippet: str, folder: Path) -> tuple[str, dict[str, Any]]:
    """Judges a snippet, then imports what an archive says that it proves, with words of its own; the id and the run."""
    body = {"snippet": snippet, "render": {"size": 64, "samples": 4}}
    run = (await client.post("/validate", json=body)).json()
    told = run["attempts"][-1]
    picture = f"/artifacts/{run['artifact']['id']}.png" if run["artifact"] else f"/runs/{run['id']}/picture.png"
    (folder / "out").mkdir(parents=True)
    (folder / "out" / "three_quarter.png").write_bytes((await client.get(picture)).content)
    attempt = Attempt.model_validate({**told, "verdict": make_verdict([judged(name, []) for name in STAGES], {})})
    words: dict[str, Any] = {
        "author": "commands",
        "model": "gpt",
        "blendproof": "0",
        "checks": {},
        "index": {},
        "prompts": {},
    }
    order = Order(snippet, render=RenderSettings(size_px=64, samples=4))
    store = ArtifactStore(folder / "artifacts")
    forged = store.publish(
        Proof(run["id"], "generate", "a golden cow", attempt, order, folder / "out", Provenance.model_validate(words))
    )
    assert forged is not None
    packed = b"".join(archive.export(store, [forged.id]))
    brought = await client.post("/artifacts/import", content=packed, headers={"Content-Type": "application/x-tar"})
    return forged.id, {**run, "imported": brought.json()}


async def test_an_import_proves_nothing_here_and_its_replay_is_judged_anew(
    client: httpx2.AsyncClient, tmp_path: Path
) -> None:
    own, run = await brought_from_elsewhere(client, WRONG_WHERE_IT_NEVER_RUNS, tmp_path)
    kept = imported_id(own)
    assert (run["status"], run["imported"]) == ("not_proven", {"new": [kept], "known": []})
    again = (await client.post(f"/artifacts/{kept}/replay")).json()
    assert (again["same"], again["proof"], again["verdict"]["reached"]) == (True, None, "api"), again
    page = (await client.get(f"/page/artifacts/{kept}")).text
    assert "proven elsewhere" in page and "“a golden cow”" in page
    assert (await client.get(f"/artifacts/{own}")).status_code == 404


async def test_what_a_replay_proves_here_has_its_own_verdict_and_quotes_the_import(
    client: httpx2.AsyncClient, tmp_path: Path
) -> None:
    snippet = '"""A tall cube."""\nimport bpy\nbpy.data.objects["Cube"].scale.z = 3\n'
    told = (await client.post("/validate", json={"snippet": snippet, "render": {"size": 64, "samples": 4}})).json()
    await client.delete(f"/artifacts/{told['artifact']['id']}")
    own, run = await brought_from_elsewhere(client, snippet, tmp_path)
    assert run["imported"]["known"] == [own]
    await client.delete(f"/artifacts/{own}")
    packed = b"".join(archive.export(ArtifactStore(tmp_path / "artifacts"), [own]))
    await client.post("/artifacts/import", content=packed)
    # The page of the run does not show what an archive brought under the same content.
    assert f"/artifacts/{own}.png" not in (await client.get(f"/page/runs/{run['id']}")).text
    again = (await client.post(f"/artifacts/{imported_id(own)}/replay")).json()
    assert (again["same"], again["proof"], again["verdict"]["passed"]) == (True, own, True), again
    made = (await client.get(f"/artifacts/{own}")).json()
    assert (made["proven"], made["title"], made["request"], made["author"]) == ("here", "A tall cube.", None, "caller")
    assert (made["quoted"]["title"], made["quoted"]["author"]) == ("a golden cow", "commands")
    assert [seen["origin"] for seen in made["sightings"]] == ["replay"]
    verdict = (await client.get(f"/artifacts/{own}/report.json")).json()["verdict"]
    assert {stage["name"]: stage["state"] for stage in verdict["stages"]}["critic"] == "skipped"
    page = (await client.get(f"/page/artifacts/{own}")).text
    assert "That was not checked." in page and "gpt" not in page.partition("That was not checked.")[2]


async def test_a_run_writes_its_own_proof_whatever_an_archive_brought(
    client: httpx2.AsyncClient, tmp_path: Path
) -> None:
    snippet = "import bpy\nbpy.data.objects['Cube'].location.z = 0.375\n"
    own, run = await brought_from_elsewhere(client, snippet, tmp_path)
    await client.delete(f"/artifacts/{own}")
    store = ArtifactStore(tmp_path / "artifacts")
    packed = b"".join(archive.export(store, [own]))
    assert (await client.post("/artifacts/import", content=packed)).json()["new"] == [imported_id(own)]
    again = await made(client, snippet)
    assert (again["id"], again["title"] != "a golden cow", again["author"]) == (own, True, "caller")
    assert [seen["origin"] for seen in again["sightings"]] == ["run"]
    assert run["status"] == "proven"


async def test_a_failed_run_keeps_a_picture_and_publishes_nothing(client: httpx2.AsyncClient) -> None:
    away = "import bpy\nbpy.context.scene.camera.rotation_euler = (3.0, 0, 0)\nbpy.data.objects['Cube'].scale.x = 2\n"
    run = (await client.post("/validate", json={"snippet": away, "render": {"size": 64}})).json()
    assert (run["status"], run["artifact"]) == ("not_proven", None)
    picture = await client.get(f"/runs/{run['id']}/picture.png")
    assert picture.content.startswith(b"\x89PNG")
    assert (await client.get("/artifacts")).json()["artifacts"] == []
    proven = (await client.post("/validate", json={"snippet": "import bpy\n", "render": {"size": 64}})).json()
    assert (await client.get(f"/runs/{proven['id']}/picture.png")).status_code == 404
