"""The stub builder: what it repairs, what it relaxes, and that a tree appears whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.blenders.stubs import builder
from app.blenders.stubs.builder import StubsError, build_stubs

_TYPES = '''
"""A module."""
import collections.abc
import typing
import bpy.ops
import numpy.typing as npt

class bpy_struct:
    def keyframe_insert(self, data_path: str, /, *, index: int | None = -1) -> bool:
        """A docstring."""

class bpy_prop_collection[_GenericType1]:
    def get[_GenericType2](self, key: str, default: _GenericType2 = None) -> _GenericType2 | None: ...

class ID(bpy_struct):
    name: str
    library: Library

class BlendDataLibraries(bpy_struct):
    def load(self, filepath: str | None, *, link: bool | None = False) -> None: ...

class ShaderNodeMapping(bpy_struct):
    inputs: _ShaderNodeMapping_NodeInputs | None

class Object(ID, bpy_struct):
    data: Mesh | Light | None
    parent: Object | None
    active_index: int | None
    layers: typing.Literal["DEFAULT"]
    sizes: set
    def find(self, key) -> Object | None: ...

class Mesh(ID): ...
class Light(ID): ...

class SunLight(Light):
    angle: float

class Context(bpy_struct):
    @property
    def scene(self) -> ID | None: ...
    property: str
    collections: collections.abc.Sequence[str]
'''

_MESH_OPS = """
import bpy.ops

class cube_add(bpy.ops._BPyOpsSubModOp):
    def __new__(cls, undo: bool | None = None, /, *, size: float | None = 2.0) -> None: ...
"""


def _release(source: Path, version: str = "1", types: str = _TYPES) -> Path:
    files = {"bpy-stubs/types/__init__.pyi": types, "bpy-stubs/ops/mesh/__init__.pyi": _MESH_OPS}
    for name, text in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    for old in source.glob("*.dist-info"):
        (old / "RECORD").unlink()
        old.rmdir()
    info = source / f"fake_bpy_module_5_0-{version}.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in files), encoding="utf-8")
    return source


@pytest.fixture
def built(tmp_path: Path) -> Path:
    build_stubs(_release(tmp_path / "source"), tmp_path / "home" / "5.0")
    return tmp_path / "home" / "5.0"


def _types(built: Path, flavour: str) -> str:
    return (built / flavour / "bpy" / "types" / "__init__.pyi").read_text(encoding="utf-8")


def test_strict_repairs_and_keeps_optionals(built: Path) -> None:
    text = _types(built, "strict")
    assert "@builtins.property" in text
    assert "collections: _abc.Sequence[str]" in text
    assert "def keyframe_insert(self, data_path: str, *, index: int | None=...) -> bool" in text
    assert "def get(self, key: str | tuple[str, str | None], /) -> _GenericType1 | None" in text
    assert "parent: Object | None" in text
    assert "library: Library | None" in text
    assert "link: bool | None=...) -> typing.ContextManager[tuple[typing.Any, typing.Any]]" in text
    assert "inputs: _ShaderNodeMapping_NodeInputs\n" in text
    assert "data: Mesh | Light | None" in text


def test_strict_mends_types_that_are_no_types(built: Path) -> None:
    text = _types(built, "strict")
    assert "active_index: int\n" in text
    assert "layers: str" in text
    assert "sizes: set[typing.Any]" in text
    assert "def find(self, key: typing.Any) -> Object | None" in text
    assert '"""' not in text


def test_relaxed_gives_up_presence_and_subclass(built: Path) -> None:
    text = _types(built, "relaxed")
    assert "parent: Object\n" in text
    assert "data: typing.Any" in text
    assert "def scene(self) -> typing.Any" in text
    assert "| None:" not in text.replace("_GenericType1 | None:", "")


def test_relaxed_lifts_members_of_subclasses(built: Path) -> None:
    light = _types(built, "relaxed").partition("class Light(")[2].partition("\nclass ")[0]
    assert "angle: typing.Any" in light
    strict = _types(built, "strict").partition("class Light(")[2].partition("\nclass ")[0]
    assert "angle" not in strict


def test_operators_can_be_called_and_polled(built: Path) -> None:
    text = (built / "strict" / "bpy" / "ops" / "mesh" / "__init__.pyi").read_text(encoding="utf-8")
    assert "cube_add: _cube_add" in text
    assert "def __call__(self, undo: bool | None=..., /, *, size: float | None=...) -> set[str]" in text


def test_builds_again_only_for_another_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, folder = _release(tmp_path / "source"), tmp_path / "5.0"
    build_stubs(source, folder)
    (folder / "seen").touch()
    build_stubs(source, folder)
    assert (folder / "seen").exists()
    build_stubs(_release(source, version="2"), folder)
    assert not (folder / "seen").exists()
    (folder / "seen").touch()
    monkeypatch.setattr(builder, "_builder_version", lambda: "another")
    build_stubs(source, folder)
    assert not (folder / "seen").exists()


def test_leaves_what_was_there_if_it_fails(tmp_path: Path) -> None:
    source, folder = _release(tmp_path / "source"), tmp_path / "home" / "5.0"
    build_stubs(source, folder)
    before = _types(folder, "strict")
    with pytest.raises(SyntaxError):
        build_stubs(_release(source, version="2", types="class :"), folder)
    assert _types(folder, "strict") == before
    assert [item.name for item in folder.parent.iterdir()] == ["5.0"]


def test_says_when_there_is_nothing_to_build_from(tmp_path: Path) -> None:
    with pytest.raises(StubsError, match="expected one fake-bpy-module"):
        build_stubs(tmp_path, tmp_path / "5.0")
