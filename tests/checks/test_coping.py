"""Sources at the edge of what Python parses: each judge copes, or says in a finding that it does not."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Final

import pytest

from app.artifacts.exemplars import code_words
from app.artifacts.store.record import title_of
from app.blenders.api_differences import symbols_used
from app.checks.annotations import unevaluated_spans
from app.checks.policy import check_policy
from app.checks.types.script_names import script_names
from app.checks.types.unread import unread_lines
from app.checks.types.unsilenced import unsilenced_text
from app.healing.heal import heal_by_rules
from app.reading import addresses_used, check_api
from app.verdict.coping import TOO_DEEP
from app.verdict.parse import parse_snippet
from app.verdict.verdict import STAGES, Finding, Severity, Verdict, judged, make_verdict
from app.versions.branches import as_seen_by
from harness.triage import triage
from ingest.manifest import Manifest

pytestmark = pytest.mark.slow

DEEP: Final = {
    "900 minus": "x = " + "-" * 900 + "1\n",
    "900 not": "x = " + "not " * 900 + "1\n",
    "attributes": "import bpy\nx = bpy" + ".b" * 880 + "\n",
    "operators": "import bpy\nif 0:\n    x = bpy.ops" + ".b" * 880 + "()\n",
    "calls": "import bpy\nif 0:\n    x = bpy" + ".b()" * 430 + "\n",
    "items": "import bpy\nif 0:\n    x = bpy.data" + "[0]" * 430 + "\n",
    "lambdas": "x = " + "lambda: " * 900 + "1\n",
    "ternaries": "x = " + "1 if 1 else " * 900 + "1\n",
    "elifs": "x = 1\nif x == 0: pass\n" + "".join(f"elif x == {n}: pass\n" for n in range(900)),
    "powers": "x = " + "1**" * 900 + "1\n",
    "sums": "x = " + "1+" * 2000 + "1\n",
    "brackets": "x = " + "[" * 190 + "]" * 190 + "\n",
    "blocks": "import contextlib as c\n"
    + "".join(" " * n + "with c.nullcontext():\n" for n in range(19))
    + " " * 19
    + "x = 1\n",
    "comparison": "x = 1" + "<1" * 2800 + "\n",
    "and": "x = " + "1 and (" * 90 + "1" + ")" * 90 + "\n",
    "await": "async def f():\n    return " + "await " * 900 + "1\n",
    "annotation": "import bpy\nx: bpy" + ".b" * 880 + " = 1\n",
    "property": "import bpy\nclass A(bpy.types.PropertyGroup):\n    x" + ".b" * 800 + ": bpy.props.IntProperty()\n",
    "format": "x = f'{1" + "+1" * 900 + "}'\n",
    "stars": "x = [" + "*[]," * 3000 + "]\n",
    "match": "match 1:\n    case " + "|".join(str(n) for n in range(3000)) + ": pass\n",
    "patterns": "match 1:\n    case " + "[" * 8 + "x" + "]" * 8 + ": pass\n",
    "decorators": "def d(f): return f\n" + "@d\n" * 900 + "def f(): pass\n",
    "version": "import bpy\nif bpy.app.version >= (5, 0, 0):\n    pass\nx = " + "-" * 900 + "1\n",
    "many names": "".join(f"v{n}=v{n - 1}\n" if n else "v0=1\n" for n in range(2000)),
    "handlers": "try: pass\n" + "".join(f"except E{n}: pass\n" for n in range(900)),
}
ODD: Final = {
    "digits": "x = " + "9" * 4300 + "\n",
    "more digits": "x = " + "9" * 4301 + "\n",
    "hex digits": "x = 0x" + "f" * 50_000 + "\n",
    "a large exponent": "x = 1e" + "9" * 400 + "\n",
    "carriage returns": "import bpy\rx = 1\r\ry = 2\r",
    "form feed": "x = 1\f\ny = '\u2028\u2029\x85'\n\x0cz = 3\n",
    "a mark": "\ufeffx = 1\n",
    "a mark within": "x = 1\n\ufeffy = 2\n",
    "half a pair": "x = '\ud800'\n",
    "half a pair in a comment": "# \udfff\nx = 1\n",
    "nul": "x = 1\0\n",
    "control Z": "x = 1\x1a\n",
    "only spaces": "   \n",
    "nothing": "",
    "a cookie": "# -*- coding: rot13 -*-\nx = 1\n",
    "a wrong cookie": "# -*- coding: no-such -*-\nx = 1\n",
    "odd names": "\u212bngstr\u00f6m = 1\n\ufb01 = 2\nprint(fi)\n",
    "tabs": "if 1:\n\tx = 1\n        y = 2\n",
    "a string that does not end": "x = '''\n",
    "a bracket that does not end": "x = (\n",
    "a line that is joined to nothing": "x = 1\\",
    "an indent alone": "  x = 1\n y = 2\n",
    "a long line": "x = 1; y = '" + "z" * 60_000 + "'\n",
    "names in many scripts": "\u0660 = 1\n\u00b2 = 2\n\U0001d7d8 = 3\n",
}
CASES: Final = {**DEEP, **ODD}


def severity(_: str) -> Severity:
    return Severity.ERROR


def healed(code: str, verdict: Verdict, manifest: Manifest) -> None:
    # The step that heals ends the loop if the snippet nests too deep.
    with contextlib.suppress(*TOO_DEEP):
        heal_by_rules(code, verdict, manifest)


def readers(manifest: Manifest) -> dict[str, Callable[[str], Any]]:
    """Everything that reads the text of a snippet."""
    api = Finding(check="api", code="unknown", severity=Severity.ERROR, message="x", line=1)
    verdict = make_verdict([judged(name, [api] if name == "api" else []) for name in STAGES], {})
    scene: dict[str, Any] = {"scene": {"objects": {}, "materials": {}}, "render": {}}
    return {
        "parse": parse_snippet,
        "policy": lambda code: check_policy(code, severity),
        "api": lambda code: check_api(code, manifest, severity),
        "used": lambda code: addresses_used(code, manifest),
        "changes": lambda code: symbols_used(code, [manifest]),
        "annotations": unevaluated_spans,
        "names": script_names,
        "unsilenced": unsilenced_text,
        "unread": unread_lines,
        "branches": lambda code: as_seen_by(code + "\n# version\n", (5, 0, 1)),
        "title": lambda code: title_of(None, code, scene),
        "words": code_words,
        "healing": lambda code: healed(code, verdict, manifest),
        "triage": lambda code: triage(code, "TypeError", "'NoneType' object is not callable", 1, "", None),
    }


@pytest.mark.parametrize("case", CASES)
def test_whatever_reads_a_snippet_copes_with_it(case: str, manifest: Manifest) -> None:
    for name, read in readers(manifest).items():
        try:
            read(CASES[case])
        except Exception as error:
            pytest.fail(f"{name}: {type(error).__name__}: {str(error)[:200]}")


@pytest.mark.parametrize("case", ["900 minus", "lambdas", "elifs"])
def test_a_judge_that_stops_within_a_snippet_says_so(case: str, manifest: Manifest) -> None:
    hidden = CASES[case] + "import bpy\nbpy.ops.mesh.primitive_cube_add(siz=2)\nimport os\nos.system('x')\n"
    assert not parse_snippet(hidden)
    api, policy = check_api(hidden, manifest, severity), check_policy(hidden, severity)
    assert {one.code for one in api} & {"does-not-cope", "unknown-argument"}, api
    assert any(one.severity is Severity.ERROR for one in policy)
    plain = "import bpy\nbpy.ops.mesh.primitive_cube_add(size=2)\n"
    assert (check_api(plain, manifest, severity), check_policy(plain, severity)) == ([], [])
