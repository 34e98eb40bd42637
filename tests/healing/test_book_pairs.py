"""Rows of the book as pairs of lines: the old one raises in Blender, and the new one runs."""

from __future__ import annotations

from typing import Final

import pytest

from harness.blenders import Blender
from harness.versions import version_key
from ingest.book import Book, BookRow, parts_of
from ingest.manifest import Manifest
from tests.healing.executed import execute_all

THINGS: Final = {
    "Armature": "bpy.data.armatures.new('a')",
    "BevelModifier": "bpy.data.objects['Cube'].modifiers.new('m', 'BEVEL')",
    "BlendData": "bpy.data",
    "Brush": "bpy.data.brushes.new('b', mode='SCULPT')",
    "Camera": "bpy.data.cameras.new('c')",
    "CameraDOFSettings": "bpy.data.cameras.new('c').dof",
    "ClothSettings": "bpy.data.objects['Cube'].modifiers.new('m', 'CLOTH').settings",
    "EffectorWeights": "bpy.data.objects['Cube'].modifiers.new('m', 'CLOTH').settings.effector_weights",
    "FreestyleLineSet": "bpy.context.view_layer.freestyle_settings.linesets.new('l')",
    "GreasePencilLayer": "bpy.data.grease_pencils.new('g').layers.new('l')",
    "GreasePencilNoiseModifier": "bpy.data.objects.new('g', bpy.data.grease_pencils.new('g'))"
    ".modifiers.new('m', 'GREASE_PENCIL_NOISE')",
    "Mesh": "bpy.data.meshes.new('m')",
    "MirrorModifier": "bpy.data.objects['Cube'].modifiers.new('m', 'MIRROR')",
    "Object": "bpy.data.objects['Cube']",
    "ParticleSettings": "bpy.data.particles.new('p')",
    "PreferencesFilePaths": "bpy.context.preferences.filepaths",
    "RenderSettings": "bpy.context.scene.render",
    "Scene": "bpy.context.scene",
    "SceneEEVEE": "bpy.context.scene.eevee",
    "SequenceEditor": "bpy.context.scene.sequence_editor_create()",
    "ShaderNodeMapping": "bpy.data.node_groups.new('g', 'ShaderNodeTree').nodes.new('ShaderNodeMapping')",
    "Text": "bpy.data.texts.new('t')",
    "TextCurve": "bpy.data.curves.new('t', 'FONT')",
    "ToolSettings": "bpy.context.tool_settings",
    "World": "bpy.data.worlds.new('w')",
}
"""A thing of each of these types, in the scene that Blender starts with."""


def _rows(version: str) -> list[tuple[str, str, BookRow]]:
    book = Book.for_version(version_key(version))
    members = ((*parts_of(address), row) for address, row in book.rows.items())
    return [
        (owner, name, row) for kind, owner, name, row in members if kind == "member" and owner in THINGS and row.becomes
    ]


@pytest.mark.blender
def test_an_old_member_raises_and_its_successor_is_there(blender: Blender, manifest: Manifest) -> None:
    if blender.version != manifest.version or blender.kind != "module":
        pytest.skip("the rows are looked up on the wheel of Blender 5.0")
    rows = _rows(manifest.version)
    assert len(rows) > 100
    line = "import bpy\nthing = {}\nthing.{}\n"
    texts = [line.format(THINGS[owner], member) for owner, name, row in rows for member in (name, row.becomes)]
    raised = execute_all(texts, blender)
    olds, news = raised[::2], raised[1::2]
    assert [
        row[:2] for row, old in zip(rows, olds, strict=True) if old is None or old["type"] != "AttributeError"
    ] == []
    assert [(*row[:2], new) for row, new in zip(rows, news, strict=True) if new] == []


def test_what_a_row_calls_gone_is_gone(manifest: Manifest) -> None:
    rows = Book.for_version(version_key(manifest.version)).rows.items()
    members = [(address, *parts_of(address)) for address, row in rows if not row.silent and not row.numbered]
    there = [address for address, kind, owner, name in members if kind == "member" and manifest.find(owner, name)]
    assert there == []
