"""Folders that untrusted code filled: listed, kept and removed with care."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness.folders import Folders, remove_tree


def test_a_tree_too_deep_for_recursion_is_listed_and_removed(tmp_path: Path) -> None:
    folders = Folders.make(tmp_path / "job")
    subprocess.run(
        [sys.executable, "-c", "import os\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')"],
        cwd=folders.work,
        check=True,
    )
    (folders.work / "note.txt").write_text("hello")
    assert folders.left_files(set()) == [{"name": "note.txt", "bytes": 5}]
    remove_tree(tmp_path / "job")
    assert not (tmp_path / "job").exists()


def test_names_are_escaped_and_links_are_not_followed(tmp_path: Path) -> None:
    folders = Folders.make(tmp_path / "job")
    (folders.work / "two\nlines\x1b[31m").write_text("")
    (folders.work / "link").symlink_to("/etc/passwd")
    (folders.work / "ours.txt").write_text("brought")
    files = folders.left_files({"ours.txt"})
    assert [file["name"] for file in files] == ["link", "two\\nlines\\x1b[31m"]
    assert files[0]["bytes"] < 100


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
