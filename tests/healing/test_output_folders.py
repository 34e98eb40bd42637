"""Files that a script writes go to a folder that is there; files that it reads are never looked for elsewhere."""

from __future__ import annotations

import pytest

from app.healing.heal import heal_by_rules
from tests.small_manifest import small_manifest
from tests.verdicts import failing

SMALL = small_manifest()
NO = "FileNotFoundError: [Errno 2] No such file or directory: "
DENIED = "PermissionError: [Errno 13] Permission denied: "


@pytest.mark.parametrize(
    ("line", "said", "healed"),
    [
        ("open('/home/me/a.txt', 'w').close()", f"{DENIED}'/home/me/a.txt'", "open('a.txt', 'w').close()"),
        ("os.makedirs('/home/me/out', exist_ok=True)", f"{DENIED}'/home/me'", "os.makedirs('out', exist_ok=True)"),
        ("open('a/b/c.txt', mode='wb').close()", f"{NO}'a/b/c.txt'", "os.makedirs('a/b', exist_ok=True)\n"),
        ("open('/tmp/a/c.txt', 'w').close()", f"{NO}'/tmp/a/c.txt'", "os.makedirs('/tmp/a', exist_ok=True)\n"),
        (
            "bpy.ops.wm.save_as_mainfile(filepath='/srv/x.blend')",
            "RuntimeError: Error: Cannot open file /srv/x.blend@ for writing: No such file or directory",
            "(filepath='x.blend')",
        ),
        (
            "bpy.ops.wm.obj_export(filepath='/home/me/out/part' + 'Cube.obj')",
            "RuntimeError: OBJ Export: Cannot open file '/home/me/out/partCube.obj'",
            "\nbpy.ops.wm.obj_export(filepath='part' + 'Cube.obj')\n",
        ),
        ("bpy.ops.wm.obj_export(filepath='a/x.obj')", "RuntimeError: OBJ Export: Cannot open file 'a/x.obj'", "'a'"),
    ],
)
def test_what_is_written_has_a_folder(line: str, said: str, healed: str) -> None:
    done = heal_by_rules(f"import bpy\nimport os\n{line}\n", failing("execute", line=3, message=said), SMALL)
    assert done and healed in done.snippet
    assert done.rules == ["output-folders"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("open('/home/me/render.txt').read()", f"{NO}'/home/me/render.txt'"),
        (
            "bpy.data.images.load('/home/me/export/a.png')",
            "RuntimeError: Cannot read '/home/me/export/a.png': No such file",
        ),
        ("open(name, 'w').close()", f"{DENIED}'/home/me/a.txt'"),
        ("open('a.txt', 'w').close()", f"{DENIED}'a.txt'"),
    ],
)
def test_what_is_read_or_computed_stays(line: str, said: str) -> None:
    text = f"import bpy\nimport os\n{line}\n"
    assert heal_by_rules(text, failing("execute", line=3, message=said), SMALL) is None
