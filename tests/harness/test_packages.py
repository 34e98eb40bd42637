"""Packages of a Blender: wheels made here, so that no network is needed."""

from __future__ import annotations

import dataclasses
import zipfile
from pathlib import Path

import pytest

from harness.blenders import Blender, BlenderNotAvailable
from harness.execution import execute
from harness.order import Order
from harness.packages import add_packages, installed, remove_packages
from harness.protocol import RenderSettings


def wheel(folder: Path, name: str, needs: str = "") -> None:
    """A pure Python wheel of version 1.2 with the module `name`, whose SIZE is 3."""
    files = {
        f"{name}/__init__.py": "SIZE = 3\n",
        f"{name}-1.2.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{name}-1.2.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n"
        + (f"Requires-Dist: {needs}\n" if needs else ""),
    }
    record = f"{name}-1.2.dist-info/RECORD"
    files[record] = "".join(f"{path},,\n" for path in [*files, record])
    with zipfile.ZipFile(folder / f"{name}-1.2-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)


@pytest.fixture
def fitted(blender: Blender, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Blender:
    """A Blender with a place for packages, and no source of them but a folder."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    wheel(wheels, "mortar")
    wheel(wheels, "bricks", needs="mortar")
    wheel(wheels, "tiles", needs="mortar>=1")
    for name, value in {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": "/dev/null"}.items():
        monkeypatch.setenv(name, value)
    return dataclasses.replace(blender, packages=tmp_path / "packages")


@pytest.mark.blender
async def test_a_snippet_imports_what_was_added_and_nothing_else(fitted: Blender, tmp_path: Path) -> None:
    snippet = "import bpy, bricks\nbpy.data.objects['Cube'].scale.x = bricks.SIZE\n"
    order = Order(snippet, render=RenderSettings(size_px=64, samples=2))
    lacking = await execute(fitted, order, tmp_path / "before")
    assert (lacking["outcome"], lacking["blender"]["packages"]) == ("needs_file", {})
    assert add_packages(fitted, ["bricks"], print) == {"bricks": "1.2", "mortar": "1.2"}
    report = await execute(fitted, order, tmp_path / "after")
    assert (report["outcome"], report["blender"]["packages"]) == ("passed", {"bricks": "1.2", "mortar": "1.2"})


@pytest.mark.blender
def test_removing_takes_what_nothing_else_needs(fitted: Blender) -> None:
    add_packages(fitted, ["bricks"], print)
    add_packages(fitted, ["tiles==1.2"], print)
    with pytest.raises(BlenderNotAvailable, match="mortar is needed by another package"):
        remove_packages(fitted, ["mortar"])
    assert remove_packages(fitted, ["Bricks"]) == {"mortar": "1.2", "tiles": "1.2"}
    assert remove_packages(fitted, ["tiles"]) == {}
    assert not any((fitted.packages or Path()).glob("site/*"))


@pytest.mark.blender
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gravel", "There must be a wheel for Python 3"),
        ("--index-url=x", "is not a package; give a name"),
        ("../bricks", "is not a package; give a name"),
        ("https://example.org/a.whl", "is not a package; give a name"),
    ],
)
def test_what_cannot_be_added_changes_nothing(name: str, said: str, fitted: Blender) -> None:
    add_packages(fitted, ["mortar"], print)
    with pytest.raises(BlenderNotAvailable, match=said):
        add_packages(fitted, ["bricks", name], print)
    with pytest.raises(BlenderNotAvailable, match="has no package gravel; it has mortar"):
        remove_packages(fitted, ["gravel"])
    assert installed(fitted) == {"mortar": "1.2"}
