"""One snippet for several Blenders: merging texts, reading branches, repairing for one without breaking another."""

from __future__ import annotations

import ast

import pytest

from app.portable.branches import as_seen_by, resolved
from app.portable.merge import CannotMerge, Version, merge

V34, V42, V45, V50 = (3, 4, 1), (4, 2, 23), (4, 5, 15), (5, 0, 1)

HEAD = "import bpy\n\nscene = bpy.context.scene\n"
FUNCTION = "import bpy\n\n\ndef f():\n    a()\n"
EITHER = "import bpy\n\nif x:\n    a()\nelse:\n"
GUARD = "if bpy.app.version >= (5, 0, 0):\n    {}\nelse:\n    b()\n"


def seen(merged: str, version: Version) -> str:
    return ast.unparse(resolved(ast.parse(merged), version))


MERGED: list[tuple[str, dict[Version, str], str]] = [
    ("what is the same stays", {V45: HEAD, V50: HEAD}, HEAD),
    ("one statement differs", {V45: HEAD + "scene.a = 1\nlast()\n", V50: HEAD + "scene.b = 1\nlast()\n"},
     HEAD + "if bpy.app.version >= (5, 0, 0):\n    scene.b = 1\nelse:\n    scene.a = 1\nlast()\n"),
    ("only the older one needs it", {V45: HEAD + "scene.a = 1\nlast()\n", V50: HEAD + "last()\n"},
     HEAD + "if bpy.app.version < (5, 0, 0):\n    scene.a = 1\nlast()\n"),
    ("only the newer one needs it", {V45: HEAD + "last()\n", V50: HEAD + "scene.b = 1\nlast()\n"},
     HEAD + "if bpy.app.version >= (5, 0, 0):\n    scene.b = 1\nlast()\n"),
    ("three kinds", {V34: HEAD + "a()\n", V42: HEAD + "b()\n", V45: HEAD + "b()\n", V50: HEAD + "a()\n"},
     HEAD + "if bpy.app.version >= (5, 0, 0):\n    a()\nelif bpy.app.version >= (4, 2, 0):\n    b()\nelse:\n    a()\n"),
    ("inside a function", {V45: FUNCTION + "    x = 1\n", V50: FUNCTION + "    x = 2\n"},
     FUNCTION + "    if bpy.app.version >= (5, 0, 0):\n        x = 2\n    else:\n        x = 1\n"),
    ("in one branch of an if", {V45: EITHER + "    b()\n", V50: EITHER + "    c()\n"},
     EITHER + "    if bpy.app.version >= (5, 0, 0):\n        c()\n    else:\n        b()\n"),
    ("two of one series", {(5, 0, 0): HEAD + "a()\n", V50: HEAD + "b()\n"},
     HEAD + "if bpy.app.version >= (5, 0, 1):\n    b()\nelse:\n    a()\n"),
    ("a guard that is there already takes what its Blenders need",
     {V45: HEAD + GUARD.format("a()"), V50: HEAD + GUARD.format("c()")}, HEAD + GUARD.format("c()")),
    ("the module that branches need", {V45: "from bpy import data\na(data)\n", V50: "from bpy import data\nb(data)\n"},
     "import bpy\nfrom bpy import data\nif bpy.app.version >= (5, 0, 0):\n    b(data)\nelse:\n    a(data)\n"),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "merged"), [case[1:] for case in MERGED], ids=[case[0] for case in MERGED])
def test_texts_become_branches(texts: dict[Version, str], merged: str) -> None:
    assert merge(texts) == merged


def test_comments_decorators_strings_and_tabs_survive() -> None:
    """What stands inside a string of several lines stays where it is, whatever is indented around it."""
    common = "import bpy\n\n\nclass Tool:\n\t@property\n\tdef text(self):\n"
    old = common + '\t\treturn """one\n  two\n"""\n'
    new = common + '\t\t# above\n\t\treturn f"""one {1}\n  three\n"""  # behind\n'
    merged = merge({V45: old, V50: new})
    assert seen(merged, V45) == ast.unparse(ast.parse(old))
    assert seen(merged, V50) == ast.unparse(ast.parse(new))
    assert "# above" in merged and "# behind" in merged


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("from __future__ import annotations\nimport bpy\n", "import bpy\n", "__future__"),
        ("import bpy\nif True\n", "import bpy\n", "no Python"),
    ],
)
def test_what_cannot_be_merged_is_said(old: str, new: str, said: str) -> None:
    with pytest.raises(CannotMerge, match=said):
        merge({V45: old, V50: new})


BRANCHED = """import bpy
import bmesh

x = 1
if bpy.app.version >= (5, 0, 0):
    @decorated
    def f() -> None:
        bmesh.new_name(x)
elif bpy.app.version >= (4, 2, 0):
    y = bmesh.middle()
else:
    y = bmesh.old()
if x:
    y = 2
"""


def test_a_checker_sees_what_its_blender_runs() -> None:
    newest, oldest = as_seen_by(BRANCHED, V50), as_seen_by(BRANCHED, V34)
    assert "new_name" in newest and "middle" not in newest and "old()" not in newest
    assert "old()" in oldest and "new_name" not in oldest and "decorated" not in oldest
    for text in (newest, oldest):
        ast.parse(text)
        assert len(text.splitlines()) == len(BRANCHED.splitlines())
        assert text.splitlines()[-1] == "    y = 2"
    assert "raise NotImplementedError(bmesh)" in newest
    assert "raise NotImplementedError(bmesh, x)" in oldest


@pytest.mark.parametrize("text", ["import bpy\nif bpy.app.version[0] > 4:\n    a()\n", "if True\n", "x = 1\n"])
def test_what_is_no_plain_branch_on_the_version_is_left_alone(text: str) -> None:
    assert as_seen_by(text, V50) == text
