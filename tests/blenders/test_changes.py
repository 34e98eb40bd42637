"""What changed between two Blenders, read from their manifests."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from app.blenders.api_differences import ChangeFilter, SymbolChange, changes_asked_for, changes_between, symbols_used
from harness.blenders import Blender
from ingest.manifest import Manifest, manifest_of
from tests.versions.snippets import OLD_COMPOSITOR

pytestmark = pytest.mark.blender


@pytest.fixture(scope="module")
def pair(wheels: dict[str, Blender], home: Path) -> tuple[Manifest, Manifest]:
    """The manifests of 4.5 and 5.0."""
    old, new = (manifest_of(home, wheels[series]) for series in ("4.5", "5.0"))
    return old, new


def of(changes: list[SymbolChange], address: str) -> SymbolChange | None:
    return next((change for change in changes if change.address == address), None)


def test_each_kind_of_change_is_found(pair: tuple[Manifest, Manifest]) -> None:
    changes = changes_between(*pair)
    tree = of(changes, "bpy.types.Scene.node_tree")
    assert tree and (tree.kind, tree.guess) == ("renamed", False)
    assert "compositing_node_group" in tree.says[0]
    engine = of(changes, "bpy.types.RenderSettings.engine")
    assert engine and engine.kind == "changed"
    assert "items removed: BLENDER_EEVEE_NEXT" in engine.says
    added = of(changes, "bpy.types.Scene.compositing_node_group")
    assert added and added.kind == "added"
    strip = of(changes, "bpy.ops.sequencer.effect_strip_add")
    assert strip and {"argument removed: frame_end", "argument added: length"} <= set(strip.says)
    renamed = of(changes, "bpy.types.Brush.image_tool")
    assert renamed and (renamed.new_address, renamed.guess) == ("bpy.types.Brush.image_brush_type", False)
    gone = of(changes, "bpy.types.Brush.use_custom_icon")
    assert gone and (gone.kind, gone.new_address) == ("removed", None)
    # What the book has as a type of node is likely the new symbol that is most like it.
    guess = of(changes, "bpy.types.GeometryNodeCombineBundle")
    assert guess and (guess.new_address, guess.guess) == ("bpy.types.NodeCombineBundle", True)
    # What is as it was is not told, nor what is in a type that is gone.
    assert of(changes, "bpy.types.Object.location") is None
    assert all(not change.address.startswith("bpy.types.GreasePencilv3.") for change in changes)


def test_nothing_changed_within_one_build(pair: tuple[Manifest, Manifest]) -> None:
    assert changes_between(pair[1], pair[1]) == []


def test_only_what_is_asked_for(pair: tuple[Manifest, Manifest]) -> None:
    used = changes_asked_for(*pair, ChangeFilter(used=symbols_used(OLD_COMPOSITOR, pair)), 0, 100)
    addresses = {change.address for change in used.changes}
    assert "bpy.types.Scene.node_tree" in addresses
    assert "bpy.types.RenderSettings.engine" not in addresses
    brushes = changes_asked_for(*pair, ChangeFilter(["removed"], "bpy.types.Brush."), 0, 1)
    assert [change.kind for change in brushes.changes] == ["removed"]
    assert brushes.next == 1
    assert brushes.counts["removed"] > 1
    assert all(change.address.startswith("bpy.types.Brush.") for change in brushes.changes)


async def test_over_http(client: httpx2.AsyncClient, wheels: dict[str, Blender]) -> None:
    one = (await client.get("/symbols/diff?from=4.5&to=5.0&prefix=bpy.types.Scene.&kind=renamed")).json()
    used = (await client.post("/symbols/diff", json={"from": "4.5", "to": "5.0", "snippet": OLD_COMPOSITOR})).json()
    wrong = await client.get("/symbols/diff?from=1.0&to=5.0")
    misspelt = await client.get("/symbols/diff?from=4.5&to=5.0&kinds=removed")
    assert {change["kind"] for change in one["changes"]} == {"renamed"}
    assert "bpy.types.Scene.node_tree" in {change["address"] for change in used["changes"]}
    assert (wrong.status_code, misspelt.status_code) == (422, 422)
    assert "query.from" in wrong.json()["message"] and "blenders install" in wrong.json()["hint"]
