"""The edges of JavaScript and TypeScript: one small repository per trap."""

from __future__ import annotations

import pytest

from tests.codebase.graphs import Trap

BASE = "export class Base {\n  render() {}\n}\n"
OWN = "import { Base } from './base.js';\nclass Own extends Base {\n  render() {\n    super.render();\n  }\n}\n"
DEEPER = "class Deeper extends Own {\n  render() {\n    const f = () => {\n      super.render();\n    };\n  }\n}\n"
USE = "import { f } from './all.js';\nfunction run() {\n  f();\n}\n"
F = "export function f() {}\n"
G = "const x = 1;\nexport function g() {}\n"
TRAPS = {
    "a method of the class that is extended": Trap(
        {"base.js": BASE, "own.js": OWN},
        ("own.js:Own.render calls base.js:Base.render exact",),
        ("own.js:Own.render calls own.js",),
    ),
    "a method of a class further up": Trap(
        {"base.js": BASE, "own.js": OWN.replace("  render() {\n    super.render();\n  }\n", "") + DEEPER},
        ("own.js:Deeper.render.f calls base.js:Base.render exact",),
    ),
    "a class from outside is extended": Trap(
        {"own.js": OWN.replace("./base.js", "outside")}, (), ("own.js:Own.render calls",)
    ),
    "a class extends itself": Trap({"own.js": OWN.replace("extends Base", "extends Own")}, (), ("calls",)),
    "the second of two modules passes a name on": Trap(
        {
            "use.js": USE,
            "all.js": "".join(f"export * from './{name}.js';\n" for name in "abc"),
            "a.js": G,
            "b.js": F,
            "c.js": G,
        },
        ("use.js:run calls b.js:f exact",),
        ("calls a.js", "calls c.js"),
    ),
    "modules pass each other's names on": Trap(
        {
            "use.js": USE,
            "all.js": "export * from './a.js';\nexport * from './b.js';\n",
            "a.js": "export * from './all.js';\n",
            "b.js": "export * from './a.js';\nexport { g as f } from './c.js';\n",
            "c.js": G,
        },
        ("use.js:run calls c.js:g exact",),
    ),
    "a name that no module has is taken for the module": Trap(
        {"use.js": USE, "all.js": "export * from './a.js';\n", "a.js": G}, ("use.js:run calls all.js: exact",)
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_edges(name: str) -> None:
    TRAPS[name].check()
