"""Folders that untrusted code filled: listed, kept and removed with care."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.folders import Folders, WorkFolderGone, begins_with, remove_tree
from tests.ordinary_user import said_by_an_ordinary_user


@pytest.mark.slow
def test_a_tree_too_deep_for_recursion_is_listed_and_removed(tmp_path: Path) -> None:
    folders = Folders.make(tmp_path / "job")
    subprocess.run(
        [sys.executable, "-c", "import os\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')"],
        cwd=folders.work,
        check=True,
    )
    (folders.work / "note.txt").write_text("hello")
    assert folders.left_files(set())[0] == [{"name": "note.txt", "bytes": 5}]
    remove_tree(tmp_path / "job")
    assert not (tmp_path / "job").exists()


def test_names_are_escaped_and_links_are_not_followed(tmp_path: Path) -> None:
    folders = Folders.make(tmp_path / "job")
    (folders.work / "two\nlines\x1b[31m").write_text("")
    (folders.work / "link").symlink_to("/etc/passwd")
    (folders.work / "ours.txt").write_text("brought")
    files = folders.left_files({"ours.txt"})[0]
    assert [file["name"] for file in files] == ["link", "two\\nlines\\x1b[31m"]
    assert files[0]["bytes"] < 100


def test_only_a_plain_file_is_read(tmp_path: Path) -> None:
    folders = Folders.make(tmp_path / "job")
    (folders.work / "two\nlines").write_text("hello")
    (folders.work / "link").symlink_to("two\nlines")
    os.mkfifo(folders.work / "pipe")
    read = {name: begins_with(path) for name, path in folders.paths_by_name().items()}
    assert read == {"two\\nlines": b"hello", "link": b"", "pipe": b""}
    assert begins_with(folders.work / "gone") == begins_with(folders.work) == b""


def test_two_odd_names_stay_two(tmp_path: Path) -> None:
    folders = Folders.make(tmp_path)
    for name in (b"a\xff", b"a\\udcff", b"b\n", b"b\\n"):
        (folders.work / os.fsdecode(name)).write_text("")
    assert len({file["name"] for file in folders.left_files(set())[0]}) == 4
    assert folders.left_files({"b\\n", os.fsdecode(b"a\xff")})[0] == [
        {"name": "a\\\\udcff", "bytes": 0},
        {"name": "b\\n", "bytes": 0},
    ]


def test_only_the_first_regular_file_is_kept(tmp_path: Path) -> None:
    folders = Folders.make(tmp_path / "job")
    saved = folders.run / "out" / "start.blend"
    saved.symlink_to("/etc/passwd")
    folders.keep("start.blend")
    assert folders.kept_file("start.blend") is None
    saved.unlink()
    saved.write_text("first")
    folders.keep("start.blend")
    saved.write_text("second")
    folders.keep("start.blend")
    assert (folders.kept / "start.blend").read_text() == "first"


def test_a_work_folder_that_was_taken_away_is_said_to_be(tmp_path: Path) -> None:
    folders = Folders.make(tmp_path / "job")
    (folders.kept / "start.blend").touch()
    with folders.beside_the_files(["start.blend"]) as scenes:
        assert Path(scenes["start.blend"]).parent == folders.work
    folders.work.rename(folders.run / "elsewhere")
    with pytest.raises(WorkFolderGone), folders.beside_the_files(["start.blend"]):
        pass
    folders.work.touch()
    with pytest.raises(WorkFolderGone), folders.beside_the_files(["start.blend"]):
        pass


def test_what_a_job_shut_is_no_obstacle_to_an_ordinary_user() -> None:
    said = said_by_an_ordinary_user("""
import os
from pathlib import Path
from harness.folders import Folders, begins_with, remove_tree
from harness.inside.warm.shared import SharedFolders
from harness.sandbox.keeper import Bounds, Watch
from harness.pool.place import WarmPlace

class NoProcesses:
    def processes(self):
        return set()

def is_too_much(place):
    watch = Watch(NoProcesses(), Bounds(60, 1 << 30, [str(place)], 1 << 20, files=100, processes=9))
    return watch.exceeded() and watch.stopped_by

folders = Folders.make(Path(folder, "job"))
(folders.work / "shut").touch(0)
print(begins_with(folders.work / "shut"))
(folders.work / "shut").unlink()
(folders.kept / "start.blend").touch()
print(is_too_much(folders.run))
(folders.work / "hidden").mkdir(0o300)
(folders.work / "hidden" / "file").write_bytes(bytes(100))
print(is_too_much(folders.run))
folders.work.chmod(0o500)
folders.run.chmod(0o500)
with folders.beside_the_files(["start.blend"]) as scenes:
    print(len(scenes))
folders.run.chmod(0o500)
place = WarmPlace(None, None, Path(folder, "job"), {})
place.folders = folders
place.hand_over(Path(folder, "kept"))
print(Path(folder, "kept", "current", "files", "hidden").exists())
remove_tree(Path(folder, "kept"))
print(Path(folder, "kept").exists())
shared = Path(folder, "shared")
(shared / "home").mkdir(parents=True)
kept = SharedFolders([str(shared)])
(shared / "home" / "a" / "b").mkdir(parents=True)
for path, mode in (("home/a/b", 0), ("home/a", 0o300), ("home", 0), (".", 0o500)):
    (shared / path).chmod(mode)
print(kept.restore(), sorted(os.listdir(shared / "home")), oct((shared / "home").stat().st_mode))
""")
    assert said.splitlines() == ["b''", "False", "disk", "1", "True", "False", "True [] 0o40755"]
