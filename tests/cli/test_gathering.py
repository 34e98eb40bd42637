"""The scripts of a folder: what is taken, what is left out, and what is said of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import typer

from app.cli.gathering import Wanted, scripts_in
from app.verdict.of_blender import uses_blender

FILES = {
    "own.py": "import bpy\n",
    "deep/vector.py": "from mathutils import Vector\n",
    "notes.txt": "import bpy\n",
    "plain.py": "print(1)\n",
    "ignored.py": "import bpy\n",
    "tools/pyvenv.cfg": "home = /usr/bin\n",
    "tools/lib/in_environment.py": "import bpy\n",
    "vendored/site-packages/x.py": "import bpy\n",
    "data/runs/kept.py": "import bpy\n",
    ".hidden/h.py": "import bpy\n",
    "deep/.hidden.py": "import bpy\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def taken(folder: Path, everything: bool = False, changed: bool = False) -> tuple[list[str], list[str]]:
    """The names that are taken, and what is said."""
    said: list[str] = []
    wanted = Wanted(everything, changed, [(folder / "data").resolve()])
    return [file.relative_to(folder).as_posix() for file in scripts_in([folder], wanted, said.append)], said


def in_git(folder: Path, *arguments: str) -> None:
    named = ("-c", "user.name=a", "-c", "user.email=a@b.invalid")
    subprocess.run(["git", "-C", str(folder), *named, *arguments], check=True, capture_output=True)


def test_only_scripts_that_use_blender_are_taken_and_none_of_others(folder: Path) -> None:
    names, said = taken(folder)
    assert names == ["deep/vector.py", "ignored.py", "own.py"]
    assert "1 Python file left out without Blender" in said[0] and said[-1] == "3 scripts"
    assert taken(folder, everything=True)[0] == ["deep/vector.py", "ignored.py", "own.py", "plain.py"]


def test_the_rules_of_git_hold_and_changed_files_are_told(folder: Path) -> None:
    in_git(folder, "init", "-q")
    (folder / ".gitignore").write_text("ignored.py\n")
    assert taken(folder)[0] == ["deep/vector.py", "own.py"]
    in_git(folder, "add", "own.py", "plain.py", ".gitignore")
    in_git(folder, "commit", "-qm", "first")
    assert taken(folder, changed=True)[0] == ["deep/vector.py"]
    (folder / "own.py").write_text("import bpy\nprint(1)\n")
    assert taken(folder, changed=True)[0] == ["deep/vector.py", "own.py"]


def test_repositories_within_are_judged_by_their_own_rules(folder: Path) -> None:
    for place in (folder / "module", folder / "clone", folder):
        place.mkdir(exist_ok=True)
        in_git(place, "init", "-q")
        in_git(place, "commit", "-qm", "first", "--allow-empty")
        (place / ".gitignore").write_text("ignored.py\n")
        (place / "kept.py").write_text("import bpy\n")
        (place / "ignored.py").write_text("import bpy\n")
    in_git(folder / "module", "add", "kept.py")
    in_git(folder / "module", "commit", "-qm", "second")
    in_git(folder, "add", "module", "kept.py")
    in_git(folder, "commit", "-qm", "second")
    inner = ["clone/kept.py", "deep/vector.py", "kept.py", "module/kept.py", "own.py"]
    assert taken(folder)[0] == inner
    (folder / "module" / "new.py").write_text("import bpy\n")
    assert taken(folder, changed=True)[0] == ["clone/kept.py", "deep/vector.py", "module/new.py", "own.py"]


def test_a_folder_that_is_named_is_taken_though_git_ignores_it(folder: Path) -> None:
    in_git(folder, "init", "-q")
    (folder / ".gitignore").write_text("deep/\n")
    assert taken(folder)[0] == ["ignored.py", "own.py"]
    (folder / "deep" / "er").mkdir()
    (folder / "deep" / "er" / "in.py").write_text("import bpy\n")
    assert taken(folder / "deep")[0] == ["er/in.py", "vector.py"]
    assert taken(folder / "deep" / "er")[0] == ["in.py"]


def test_files_that_cannot_be_read_are_left_out_and_said(folder: Path) -> None:
    (folder / "dangling.py").symlink_to(folder / "nowhere.py")
    (folder / "latin.py").write_bytes(b"import bpy\n# caf\xe9\n")
    (folder / "utf8.py").write_bytes("\ufeffimport bpy\n# café\n".encode())
    names, said = taken(folder)
    assert names == ["deep/vector.py", "ignored.py", "own.py", "utf8.py"]
    assert any("dangling.py is left out: it cannot be read: No such file" in line for line in said)
    assert any("latin.py is left out: it is not UTF-8 text." in line for line in said)


def test_a_named_file_is_taken_whatever_it_is(folder: Path) -> None:
    file = folder / "tools" / "lib" / "in_environment.py"
    assert scripts_in([file, folder / "plain.py"], Wanted(), print) == [file, folder / "plain.py"]


def test_a_folder_without_scripts_is_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as end:
        scripts_in([folder / "tools" / "lib" / ".."], Wanted(changed=True), print)
    assert end.value.exit_code == 2 and "--changed needs Git" in capsys.readouterr().err
    (folder / "empty").mkdir()
    with pytest.raises(typer.Exit):
        scripts_in([folder / "empty"], Wanted(), print)


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("import os, bpy\n", True),
        ("if True:\n    from bmesh.ops import bevel\n", True),
        ("__import__('b' + 'py')", True),
        ("import bpyfile\n", False),
        ("import numpy\nbmesh = 1\n", False),
    ],
)
def test_blender_is_seen_in_a_text(text: str, uses: bool) -> None:
    assert uses_blender(text) is uses
