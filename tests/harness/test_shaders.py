"""The shaders of a window are made once per Blender, and made anew when they are old."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from harness import shaders
from harness.blenders import Blender
from harness.display import Display
from harness.launcher import HarnessFault, ProcessEnd
from harness.place import ColdPlace, bring
from harness.sandbox.ladder import Sandbox, strongest
from harness.shaders import KEPT_S, replace, shaders_of


def touch(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    os.utime(folder)


async def test_they_are_made_once_and_anew_when_they_are_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    async def make(_blender: Blender, _sandbox: Sandbox, kept: Path) -> None:
        made.append(kept)
        await asyncio.sleep(0.05)
        touch(kept)

    monkeypatch.setattr(shaders, "make_shaders", make)
    kept = tmp_path / "shaders"
    blender = Blender("executable", Path("/usr/bin/blender"), "3.4.1", "abc", "3.11", shaders=kept)
    together = [shaders_of(blender, strongest()) for _ in range(3)]
    assert await asyncio.gather(*together) == [kept] * 3 == [await shaders_of(blender, strongest())] * 3
    assert len(made) == 1
    old = kept.stat().st_mtime - KEPT_S - 1
    os.utime(kept, (old, old))
    assert await shaders_of(blender, strongest()) == kept
    assert len(made) == 2
    assert await shaders_of(dataclasses.replace(blender, shaders=None), strongest()) is None


async def test_a_window_goes_without_them_if_they_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[Path] = []

    async def fail(_blender: Blender, _sandbox: Sandbox, kept: Path) -> None:
        tries.append(kept)
        raise HarnessFault("no display")

    monkeypatch.setattr(shaders, "make_shaders", fail)
    blender = Blender("executable", Path("/usr/bin/blender"), "3.4.1", "abc", "3.11", shaders=tmp_path / "shaders")
    assert [await shaders_of(blender, strongest()) for _ in range(2)] == [None, None] and len(tries) == 1
    # A later job tries it again.
    os.utime(tmp_path / ".shaders.failed", (0, 0))
    assert await shaders_of(blender, strongest()) is None and len(tries) == 2


@pytest.mark.parametrize("last", ["covered", "used"])
async def test_those_of_a_blender_that_ended_early_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    @contextlib.asynccontextmanager
    async def no_display(_sandbox: Sandbox, folder: Path) -> AsyncGenerator[Display, None]:
        yield Display(folder, folder)

    async def end(place: ColdPlace, *_: object) -> ProcessEnd:
        (place.folders.run / "shaders").mkdir()
        return ProcessEnd(1, None, 1.0, 1.0, 1, None, 0, [(0.1, {"event": last})], {}, {}, "")

    monkeypatch.setattr(shaders, "open_display", no_display)
    monkeypatch.setattr(ColdPlace, "launch", end)
    kept = tmp_path / "shaders"
    blender = Blender("executable", Path("/usr/bin/blender"), "3.4.1", "abc", "3.11", shaders=kept)
    assert await shaders_of(blender, strongest()) == (kept if last == "covered" else None)


def test_a_job_whose_shaders_cannot_be_copied_goes_on_without(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    for kept, found in (("kept", ["file"]), ("gone", [])):
        bring(tmp_path / kept, tmp_path / f"to {kept}")
        assert [path.name for path in (tmp_path / f"to {kept}").iterdir()] == found


def test_new_ones_take_the_place_of_old_ones(tmp_path: Path) -> None:
    kept = tmp_path / "cache" / "shaders"
    for content in ("old", "new"):
        folder = tmp_path / content
        folder.mkdir()
        (folder / content).write_text(content)
        replace(folder, kept)
    assert [path.name for path in kept.iterdir()] == ["new"]
    assert [path.name for path in kept.parent.iterdir()] == ["shaders"]
