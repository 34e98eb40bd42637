"""What a job leaves in folders that the next one finds is taken away, whatever it did to them."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.inside.warm.shared import SharedFolders


def replace_by_a_file(kept: Path) -> None:
    kept.rmdir()
    kept.write_text("left for the next")


def take_away_and_make_again(kept: Path) -> None:
    kept.rename(kept.with_name("moved"))
    kept.mkdir(0o500)


def fill_with_long_names(kept: Path) -> None:
    for number in range(3000):
        (kept.parent / f"{'x' * 230}{number}").touch()
        if number % 10 == 0:
            (kept.parent / f"{'d' * 230}{number}").mkdir()


def shut_a_tree(kept: Path) -> None:
    (kept / "a" / "b").mkdir(parents=True)
    (kept / "a" / "b" / "file").touch()
    (kept / "a" / "b").chmod(0)
    (kept / "a").chmod(0o300)


def set_attribute(kept: Path) -> None:
    for path in (kept, kept.parent):
        with contextlib.suppress(OSError):
            os.setxattr(path, "user.left", b"1")


def set_times(kept: Path) -> None:
    os.utime(kept, (7, 7))


def shut_all(kept: Path) -> None:
    kept.chmod(0)
    kept.parent.chmod(0o500)


@pytest.mark.parametrize(
    "spoil",
    [
        replace_by_a_file,
        take_away_and_make_again,
        fill_with_long_names,
        shut_a_tree,
        set_attribute,
        set_times,
        shut_all,
    ],
)
def test_what_a_job_did_to_them_is_undone(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    folder, kept = tmp_path / "tmp", tmp_path / "tmp" / "blender"
    kept.mkdir(parents=True)
    (kept / "of-getting-warm").touch()
    shared = SharedFolders([str(folder)])
    before = facts(folder)
    assert before == facts(folder) and [Path(path).name for path, *_ in before] == ["tmp", "blender"]
    spoil(kept)
    assert facts(folder) != before or spoil is set_attribute
    assert shared.restore()
    assert facts(folder) == before


def facts(folder: Path) -> list[tuple[str, int, int, list[str]]]:
    """Path, mode, time of change and attributes of all that is there; what is shut is not looked into."""
    found = [folder, *sorted(folder.rglob("*"))]
    return [(str(path), path.stat().st_mode, path.stat().st_mtime_ns, os.listxattr(path)) for path in found]


def test_what_cannot_be_undone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = SharedFolders([str(tmp_path)])
    (tmp_path / "left").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not shared.restore()
    assert stat.S_ISDIR((tmp_path / "left").stat().st_mode)
