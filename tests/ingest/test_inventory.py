"""Reading objects.inv: what it says, and each way in which it can be no use."""

from __future__ import annotations

import zlib

import pytest

from ingest import inventory as inventory_module
from ingest.inventory import InventoryEntry, InventoryInvalid, read_inventory
from tests.reference import OBJECTS, inventory_bytes


def test_entries_are_whole() -> None:
    inventory = read_inventory(inventory_bytes())
    assert (inventory.project, inventory.version) == ("Blender 9.1.2 LTS Python API", "9.1")
    assert len(inventory.entries) == len(OBJECTS.splitlines())
    assert InventoryEntry("bpy.types", "py", "module", "bpy.types.html", "module-bpy.types") in inventory.entries
    assert inventory.entries[-2] == InventoryEntry(
        "info_lighting", "std", "label", "info_lighting.html", "info-lighting"
    )


@pytest.mark.parametrize(
    ("project", "version", "expected"),
    [
        ("Blender 9.1.2 LTS Python API", "9.1", "9.1.2"),
        ("Blender Python API", "9.1", "9.1"),
        ("Blender 2.7 and later", "9.1", "9.1"),
    ],
)
def test_the_version_is_as_exact_as_the_project_says(project: str, version: str, expected: str) -> None:
    assert read_inventory(inventory_bytes(project=project, version=version)).blender_version == expected


def test_a_line_that_is_no_entry_is_not_lost() -> None:
    inventory = read_inventory(inventory_bytes(OBJECTS + "this is no entry\n"))
    assert inventory.unreadable == ("this is no entry",)
    assert len(inventory.entries) == len(OBJECTS.splitlines())


WHOLE = inventory_bytes()
HEADER = WHOLE[: WHOLE.index(b"zlib.\n") + 6]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a Sphinx inventory: it begins with ''"),
        (b"<!doctype html><p>Not found</p>", "not a Sphinx inventory: it begins with '<!doctype html>"),
        (WHOLE.replace(b"version 2", b"version 1", 1), "Only Sphinx inventories of version 2"),
        (WHOLE[:60], "ends in its header, after 60 bytes"),
        (HEADER, "ends in the middle, after 0 entries"),
        (WHOLE[:-20], "ends in the middle, after [0-9]+ entries.* fetch it again"),
        (HEADER + b"no zlib", "damaged .*Fetch it again"),
        (HEADER + zlib.compress(b""), "lists nothing"),
        (WHOLE.replace(b"# Project:", b"# Nothing:"), "cannot be read"),
        (inventory_bytes("numpy py:module 0 n.html#$ -\n", "NumPy"), "of 'NumPy', which describes nothing under `bpy`"),
        (inventory_bytes("bpy.ops std:label 0 n.html#$ -\n", "Blender Manual"), "of 'Blender Manual'"),
    ],
)
def test_what_is_no_inventory_of_blender_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(InventoryInvalid, match=message):
        read_inventory(content)


def test_an_absurd_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inventory_module, "MAX_UNPACKED_BYTES", 1000)
    with pytest.raises(InventoryInvalid, match="unpacks to more than 1,000 bytes"):
        read_inventory(WHOLE)
    monkeypatch.setattr(inventory_module, "MAX_INVENTORY_BYTES", 100)
    with pytest.raises(InventoryInvalid, match="more than the limit of 100"):
        read_inventory(WHOLE)
