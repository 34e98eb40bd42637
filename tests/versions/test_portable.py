"""One snippet for several Blenders: merging texts, reading branches, repairing for one without breaking another."""

from __future__ import annotations

import ast
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from app.healing.everywhere import Build, carry_over
from app.verdict.verdict import STAGES, Finding, Severity, Verdict, judged, make_verdict
from app.versions.branches import as_seen_by, resolve
from app.versions.merge import CannotMerge, Version, merge
from tests.small_manifest import small_manifest

V34, V42, V45, V50 = (3, 4, 1), (4, 2, 23), (4, 5, 15), (5, 0, 1)

HEAD = "import bpy\n\nscene = bpy.context.scene\n"
FUNCTION = "import bpy\n\n\ndef f():\n    a()\n"
EITHER = "import bpy\n\nif x:\n    a()\nelse:\n"
GUARD = "if bpy.app.version >= (5, 0, 0):\n    {}\nelse:\n    b()\n"


def seen(merged: str, version: Version) -> str:
    return ast.unparse(resolve(ast.parse(merged), version))


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
    """The contents of a string of several lines stay in place, whatever is indented around it."""
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
        ("import bpy\nif True\n", "import bpy\n", "not Python"),
    ],
)
def test_what_cannot_be_merged_is_said(old: str, new: str, said: str) -> None:
    with pytest.raises(CannotMerge, match=said):
        merge({V45: old, V50: new})


F = "import bpy\n\nlevel = 7\n\n\ndef f(one=1):\n"
SAID = "\n\nsaid = list(f()), f.__doc__, level\n"

SCOPES: list[tuple[str, str, str, int]] = [
    ("a name that is local in one", F + "    level = 3\n    return [level]" + SAID, F + "    return [level]" + SAID, 2),
    ("a name that is local in both", F + "    level = 3\n    return [level]" + SAID,
     F + "    level = 4\n    return [level]" + SAID, 1),
    ("a generator", F + "    return [1]" + SAID, F + "    yield 1" + SAID, 2),
    ("generators", F + "    yield 2" + SAID, F + "    yield 1" + SAID, 1),
    ("a global of one", F + "    global level\n    level = 3\n    return []" + SAID,
     F + "    level = 3\n    return []" + SAID, 2),
    ("a global of both", F + "    global level\n    level = 3\n    return []" + SAID,
     F + "    global level\n    level = 4\n    return []" + SAID, 1),
    ("a docstring", F + '    """Old."""\n    return []' + SAID, F + '    """New."""\n    return []' + SAID, 2),
    ("the module in one", F + "    import bpy\n    return [1]" + SAID, F + "    return [2]" + SAID, 2),
    ("the module in both", F + "    import bpy\n    return [1]" + SAID, F + "    import bpy\n    return [2]" + SAID, 1),
    ("a parameter called as the module", F.replace("one", "bpy") + "    return [bpy]" + SAID,
     F.replace("one", "bpy") + "    return [bpy, 2]" + SAID, 2),
    ("a name of a function inside", F + "    level = 3\n    g = lambda: [level]\n    return g()" + SAID,
     F + "    g = lambda: [level]\n    return g()" + SAID, 2),
    ("the module on a line with others", "import bpy; said = 1\n", "import bpy; said = 2\n", 0),
    ("a docstring above the module", '"""Old."""\nimport bpy\nsaid = 1\n', '"""New."""\nimport bpy\nsaid = 2\n', 0),
    ("the module with others", "import os, bpy; said = 1\n", "import sys, bpy; said = 2\n", 0),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "functions"), [case[1:] for case in SCOPES], ids=[case[0] for case in SCOPES])
def test_what_is_merged_does_on_each_blender_what_its_own_text_does(
    old: str, new: str, functions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    merged = merge({V45: old, V50: new})
    for version, own in ((V45, old), (V50, new)):
        monkeypatch.setitem(sys.modules, "bpy", SimpleNamespace(app=SimpleNamespace(version=version)))
        ends: list[Any] = []
        for text in (own, merged):
            names: dict[str, Any] = {}
            exec(compile(text, "<snippet>", "exec", dont_inherit=True), names)
            ends.append(names["said"])
        assert ends[0] == ends[1]
    assert merged.count("def f") == functions


NESTED = ["if x == 0:\n    a()\n" + "".join(f"elif x == {at}:\n    a()\n" for at in range(1, 400)), "a" + ".b()" * 400]


@pytest.mark.parametrize("nested", NESTED, ids=["elif", "calls"])
def test_what_nests_too_deep_is_not_merged_and_not_blanked(nested: str) -> None:
    with pytest.raises(CannotMerge, match="too deep"):
        merge({V45: f"import bpy\na()\n{nested}\n", V50: f"import bpy\nb()\n{nested}\n"})
    for text in (nested, "if a" + ".b" * 900 + " >= (1,):\n    x = 1\n"):
        assert as_seen_by(text, V50) == text


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


@pytest.mark.parametrize(
    ("snippet", "known"),
    [
        ("import bpy\nmat = 1\ndef b():\n    if bpy.app.version >= (5, 0, 0):\n        use(mat)\n", "mat"),
        ("import bpy\ndef b(mat):\n    if bpy.app.version >= (5, 0, 0):\n        use(mat)\n", "mat"),
        ("import bpy\ndef a():\n    mat = 1\ndef b():\n    if bpy.app.version >= (5, 0, 0):\n        mat = a()\n"
         "        use(mat)\n", "a"),
        ("import bpy\nx = [mat for mat in ()]\nif bpy.app.version >= (5, 0, 0):\n    mat = x\n    use(mat)\n", "x"),
        ("import bpy\nif bpy.app.version > (5,):\n    mat = 1\nif bpy.app.version > (5,):\n    use(mat)\n", ""),
        ("import bpy\nif bpy.app.version >= (5, 0, 0):\n    import mat\n    mat.use()\n", ""),
    ],
    ids=["of the module", "a parameter", "of another function", "of a comprehension", "never bound", "its own"],
)  # fmt: skip
def test_no_name_is_raised_that_is_not_there(snippet: str, known: str) -> None:
    last = as_seen_by(snippet, V45).rstrip().splitlines()[-1]
    assert last.strip() == f"raise NotImplementedError({known})"


def on_small(*failed_lines: int) -> Build:
    found = [
        Finding(check="execute", code="raised", severity=Severity.ERROR, message="", line=at) for at in failed_lines
    ]
    verdict: Verdict = make_verdict([judged(name, found if name == "execute" else []) for name in STAGES], {})
    return Build(V50, small_manifest(), verdict, None)


OBJECT = 'import bpy\n\nobj = bpy.data.objects.new("a", None)\n'


@pytest.mark.parametrize(
    ("text", "repaired", "failed", "carried"),
    [
        ("obj.pass_index = 2\n", "", (), "obj.pass_index = 2\n"),
        ("obj.missing = 2\n", "", (), ""),
        ("obj.pass_index = 2\n", "", (4,), ""),
        ("obj.missing = 1\nobj.pass_index = 2\n", "", (), "obj.pass_index = 2\n"),
        ("obj.name = ''\nobj.select = True\n", "obj.name = 'a'\nobj.select_set(True)\n", (),
         "obj.name = ''\nobj.select_set(True)\n"),
        ("print()\nobj.select = True\n", "one = obj\nprint()\none.select_set(True)\n", (),
         "one = obj\nprint()\none.select_set(True)\n"),
        ("print(1)\nobj.select = True\n", "one = print(2)\nprint(one)\nobj.select_set(one)\n", (),
         "print(1)\nobj.select = True\n"),
    ],
    ids=["right here", "gone here", "failed here", "one of each", "of two changes one", "with what it needs",
         "not without what it needs"],
)  # fmt: skip
def test_a_repair_for_another_blender_leaves_what_is_right_here(
    text: str, repaired: str, failed: tuple[int, ...], carried: str
) -> None:
    assert carry_over(OBJECT + text, OBJECT + repaired, on_small(*failed)) == OBJECT + carried
