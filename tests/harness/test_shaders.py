"""The shaders of a window are made once per Blender, and made anew when they are old."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from harness import shaders
from harness.blenders import Blender
from harness.launcher import HarnessFault
from harness.sandbox.ladder import Sandbox, strongest
from harness.shaders import KEPT_S, replace, shaders_of


def touch(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    os.utime(folder)


async def test_they_are_made_once_and_anew_when_they_are_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    async def make(_blender: Blender, _sandbox: Sandbox, kept: Path) -> Path:
        made.append(kept)
        touch(kept)
        return kept

    monkeypatch.setattr(shaders, "make_shaders", make)
    kept = tmp_path / "shaders"
    blender = Blender("executable", Path("/usr/bin/blender"), "3.4.1", "abc", "3.11", shaders=kept)
    assert await shaders_of(blender, strongest()) == kept == await shaders_of(blender, strongest())
    assert len(made) == 1
    old = kept.stat().st_mtime - KEPT_S - 1
    os.utime(kept, (old, old))
    assert await shaders_of(blender, strongest()) == kept
    assert len(made) == 2
    assert await shaders_of(dataclasses.replace(blender, shaders=None), strongest()) is None


async def test_a_window_goes_without_them_if_they_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_blender: Blender, _sandbox: Sandbox, _kept: Path) -> Path:
        raise HarnessFault("no display")

    monkeypatch.setattr(shaders, "make_shaders", fail)
    blender = Blender("executable", Path("/usr/bin/blender"), "3.4.1", "abc", "3.11", shaders=tmp_path / "shaders")
    assert await shaders_of(blender, strongest()) is None


def test_new_ones_take_the_place_of_old_ones(tmp_path: Path) -> None:
    kept = tmp_path / "cache" / "shaders"
    for content in ("old", "new"):
        folder = tmp_path / content
        folder.mkdir()
        (folder / content).write_text(content)
        replace(folder, kept)
    assert [path.name for path in kept.iterdir()] == ["new"]
    assert [path.name for path in kept.parent.iterdir()] == ["shaders"]
