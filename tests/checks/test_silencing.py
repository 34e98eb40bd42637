"""No comment and no construct of a snippet switches a judge off: what is wrong is found, or said not to be read."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio

from app.checks.ruff import check_ruff
from app.checks.types.check import check_mypy, check_pyright
from app.checks.types.unread import check_unread, unread_lines
from app.checks.types.unsilenced import unsilenced_text
from app.checks.types.warm.keep import WarmCheckers
from app.reading import check_api
from app.verdict.rules import Rules, load_rules
from app.verdict.verdict import Finding, Severity
from ingest.manifest import Manifest

pytestmark = pytest.mark.slow

on_warm_checkers = pytest.mark.asyncio(loop_scope="module")

SAFE: Final = (
    "import bpy\ndef never():\n    bpy.ops.mesh.primitive_cube_add(siz=2)\n"
    "    bpy.context.scene.nothing_here = undefined_zz\n"
)


def inside(head: str, code: str = SAFE) -> str:
    return head + "".join(f"    {line}\n" for line in code.splitlines())


def in_never(statement: str, depth: int = 1) -> str:
    return SAFE.replace("never():\n", f"never():\n{'    ' * depth}{statement}\n")


VARIANTS: Final = {
    "mypy in a docstring": '"""\n# mypy: ignore-errors\n"""\n' + SAFE,
    "mypy disables codes in a docstring": '"""\n# mypy: disable-error-code="attr-defined,call-arg,name-defined"\n"""\n'
    + SAFE,
    "mypy in a string": "x = '''\n# mypy: ignore-errors\n'''\n" + SAFE,
    "no_type_check given again": "import typing\nd = typing.no_type_check\n"
    + SAFE.replace("def never", "@d\ndef never"),
    "behind what is said never to return": "import typing\ndef stop() -> typing.NoReturn:\n    raise ValueError\n"
    + in_never("stop()"),
    "never to return by another name": "from typing import NoReturn as N\ndef stop() -> N:\n    raise ValueError\n"
    + in_never("stop()"),
    "never to return by a name given twice": "import typing\nN = typing.NoReturn\nNo = N\n"
    "def stop() -> No:\n    raise ValueError\n" + in_never("stop()"),
    "never to return in a string": "import typing as t\ndef stop() -> 't.NoReturn':\n    raise ValueError\n"
    + in_never("stop()"),
    "never to return over lines": "import typing as t\ndef stop() -> (t.Annotated[\n        t.NoReturn, 1]):\n"
    "    raise ValueError\n" + in_never("stop()"),
    "mypy at the end": SAFE + "# mypy: ignore-errors\n",
    "mypy without a space": "#mypy: ignore-errors\n#mypy:ignore-errors\n" + SAFE,
    "mypy with a form feed": "\f# mypy: ignore-errors\n" + SAFE,
    "first line type: ignore[x]": "# type: ignore[x]\n" + SAFE,
    "second line type: ignore[x]": "# a script\n\n#   type:   ignore[attr-defined]\n" + SAFE,
    "type: ignore behind a comment": "# noqa # type: ignore\n" + SAFE,
    "first line pyright: ignore[x]": "# pyright: ignore[x]\n" + SAFE,
    "type: ignore on each line": SAFE.replace("\n", "  # type: ignore\n"),
    "named ignores on each line": SAFE.replace(
        "\n", "  # type: ignore[attr-defined,call-arg,name-defined]  # pyright: ignore[reportCallIssue]\n"
    ),
    "pyright settings behind an ignore": "# pyright: ignore[x], basic, reportAttributeAccessIssue=false\n" + SAFE,
    "pyright settings with tabs": "#\tpyright:\tbasic, reportCallIssue=false\n" + SAFE,
    "pyright in a string": "x = '''\n# pyright: basic, reportAttributeAccessIssue=false\n'''\n" + SAFE,
    "pyright behind code": "x = 1  # pyright: reportAttributeAccessIssue=false, reportCallIssue=false\n" + SAFE,
    "carriage returns": "# a\r# mypy: ignore-errors\r# type: ignore\r# pyright: reportCallIssue=false\r" + SAFE,
    "joined lines": "# mypy: \\\n# pyright: \\\n" + SAFE,
    "a bracket in a comment": "# (((\n# type: ignore\n" + SAFE,
    "ruff noqa": "# ruff: noqa\n# flake8: noqa\n" + SAFE.replace("undefined_zz", "undefined_zz  # noqa"),
    "ruff noqa of a code": "# ruff: noqa: F821\n" + SAFE.replace("undefined_zz", "undefined_zz  # noqa: F821"),
    "ruff disables a block": "# ruff: disable[F821]\n" + SAFE + "# ruff: enable[F821]\n",
    "ruff ignores": SAFE.replace("undefined_zz", "undefined_zz  # ruff: ignore[F821]"),
    "ruff ignores a file": "# ruff: file-ignore[F821]\n" + SAFE,
    "ruff skips a file": "# isort: skip_file\n# fmt: off\n# ruff: isort: skip_file\n" + SAFE,
    "script metadata": "# /// script\n# requires-python = '>=3.99'\n# [tool.ruff]\n# ignore = ['F821']\n# ///\n" + SAFE,
    "not TYPE_CHECKING": inside("from typing import TYPE_CHECKING\nif not TYPE_CHECKING:\n"),
    "TYPE_CHECKING or else": inside("import typing\nif typing.TYPE_CHECKING:\n    pass\nelse:\n"),
    "TYPE_CHECKING by another name": inside("from typing import TYPE_CHECKING as T\nif T:\n    pass\nelse:\n"),
    "MYPY": inside("MYPY = False\nif not MYPY:\n"),
    "True or else": inside("if True:\n    pass\nelse:\n"),
    "False": inside("if False:\n"),
    "zero": inside("if 0:\n"),
    "not True": inside("if not True:\n"),
    "False and": inside("if len('x') and False:\n"),
    "while False": inside("while False:\n"),
    "None": inside("if None:\n"),
    "an empty tuple": inside("if ():\n"),
    "an empty string": inside("if '':\n"),
    "another system": inside("import sys\nif sys.platform == 'win32':\n    pass\nelse:\n"),
    "assert False": in_never("assert False"),
    "assert 0": in_never("assert 0"),
    "assert not True": in_never("assert not True, 'never'"),
    "no_type_check": "import typing\n" + SAFE.replace("def never", "@typing.no_type_check\ndef never"),
    "no_type_check by another name": "from typing import no_type_check as n\n" + SAFE.replace("def", "@n\ndef"),
    "no_type_check over lines": "import typing\n" + SAFE.replace("def", "@(\n    typing\n    .no_type_check\n)\ndef"),
    "hasattr": in_never("hasattr(bpy, 'nothing_here')"),
    "hasattr of something else": in_never("print(hasattr(bpy, 'nothing_here'))"),
    "a name in a comparison": in_never("'nothing_here' in {}"),
    "dir": in_never("dir(bpy)"),
}  # fmt: skip
UNREAD: Final = {
    "after a return": in_never("return"),
    "after a raise": in_never("raise ValueError"),
    "after the end of the program": in_never("import sys; sys.exit()"),
    "after an endless loop": in_never("while True: pass"),
    "after both branches": in_never("if bpy.data:\n        return\n    else:\n        raise ValueError"),
    "in a loop": in_never("for x in ():\n        continue\n        bpy.nothing_here.x\n    return"),
    "on another system": inside("import sys\nif sys.platform == 'win32':\n"),
    "by version": inside("import sys\nif sys.version_info >= (4,):\n"),
    "by version or else": inside("import sys\nif sys.version_info >= (3, 6):\n    pass\nelse:\n"),
    "on the line of the condition": "if 0: import bpy; bpy.context.scene.nothing_here = 1\n",
}
READ: Final = {
    "a return at the end": SAFE + "    return\n",
    "a guard": in_never("if bpy.data is None:\n        return"),
    "a loop that ends": in_never("while True:\n        if bpy.data:\n            break"),
    "an assertion at the end": SAFE + "    assert False\n",
    "an import for checkers": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os\n" + SAFE,
    "a version that is there": inside("import sys\nif sys.version_info >= (3, 6):\n"),
}  # fmt: skip


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def warm() -> AsyncGenerator[WarmCheckers]:
    checkers = WarmCheckers(1)
    yield checkers
    await checkers.close()


def codes(findings: list[Finding]) -> set[str]:
    return {f"{one.check}/{one.code}" for one in findings}


Ask = Callable[[str], Awaitable[set[str]]]


@pytest.fixture(scope="module")
def ask(rules: Rules, stubs: Path, mypy_cache: Path, warm: WarmCheckers, manifest: Manifest) -> Ask:
    """What every static judge but the policy remarks on a snippet of a caller."""

    def severity(code: str) -> Severity | None:
        return rules.severity("api", code, "caller")

    async def said_of(snippet: str) -> set[str]:
        found = await asyncio.gather(
            check_mypy(snippet, "caller", rules, stubs, mypy_cache, warm=warm),
            check_pyright(snippet, "caller", rules, stubs, warm=warm),
            check_ruff(snippet, "caller", rules),
        )
        return {one for part in (*found, check_api(snippet, manifest, severity)) for one in codes(part)}

    return said_of


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def plain(ask: Ask) -> set[str]:
    """The remarks on the fault when nothing silences a judge."""
    return await ask(SAFE)


@on_warm_checkers
@pytest.mark.parametrize("case", VARIANTS)
async def test_the_same_fault_gets_the_same_remarks(case: str, ask: Ask, plain: set[str]) -> None:
    assert {one.partition("/")[0] for one in plain} == {"mypy", "pyright", "ruff", "api"}
    assert plain - await ask(VARIANTS[case]) == set()


@pytest.mark.parametrize("case", UNREAD)
def test_lines_that_no_type_checker_reads_are_a_finding(case: str) -> None:
    ast.parse(UNREAD[case])
    (found,) = check_unread(UNREAD[case])
    elsewhere = "system" in case or "version" in case
    assert (found.code, found.severity) == ("unread", Severity.INFO if elsewhere else Severity.WARNING)
    parts = unread_lines(unsilenced_text(UNREAD[case]))
    wrong = [number for number, line in enumerate(UNREAD[case].splitlines(), 1) if "nothing_here" in line]
    assert any(one.first <= number <= one.last for one in parts for number in wrong), parts


@pytest.mark.parametrize(
    "code",
    ["exec('import bpy')", "exec('x = 1')", "eval('bpy.nothing()')", "compile('f()', '', 'exec')", "exec(b'f()')"],
)
def test_code_in_a_text_that_is_executed_is_a_finding(code: str) -> None:
    (found,) = check_unread(f"x = 1\n{code}\n")
    assert (found.code, found.severity, found.line) == ("unread", Severity.WARNING, 2)
    assert check_unread("eval('1 + 2')\nexec(text)\nlog('import bpy')\n") == []


@pytest.mark.parametrize("case", [*READ, *VARIANTS])
def test_lines_that_are_read_are_none(case: str) -> None:
    assert check_unread({**READ, **VARIANTS}[case]) == []


@pytest.mark.parametrize("case", VARIANTS)
def test_what_the_checkers_read_has_the_lines_of_the_snippet(case: str) -> None:
    text = unsilenced_text(VARIANTS[case])
    ast.parse(text)
    assert text.count("\n") == VARIANTS[case].replace("\r", "\n").count("\n")


def test_other_comments_and_ordinary_code_stay_as_they_are() -> None:
    code = (
        "import typing\nx = []  # type: list[int]\n# a type: see above\nwhile True:\n    break\n"
        "if typing.TYPE_CHECKING:\n    import os\ndef f() -> 'Notes': ...\ny = x or None\nz = 'mypy: no'\nassert x\n"
    )
    assert unsilenced_text(code) == code.replace("# a type: see", "# a type: see")
    named = "size = 1  # type: ignore[assignment]\n"
    assert (unsilenced_text(named, named=True), unsilenced_text(named)) == (
        named,
        "size = 1  # type. ignore[assignment]\n",
    )
    assert unsilenced_text("# type: ignore[x]\n" + named, named=True) == "# type. ignore[x]\n" + named
