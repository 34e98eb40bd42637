"""The rooms of the house: which package may import which.

`python -m tests.rooms` writes docs/architecture.md from this table.
"""

from __future__ import annotations

import ast
import functools
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "architecture.md"
FROM, TO = "<!-- rooms -->\n", "<!-- end of rooms -->"

ROOMS: Final[dict[str, str]] = {
    "app.cli": "app.handbook app.main app.service app.pipeline app.addons app.artifacts app.repositories app.retrieval "
    "app.blenders app.checks app.observing app.jobs app.prompting app.settings app.accept app.verdict "
    "app.setting_values app.llm app.errors clients.lsp clients.mcp codebase.diagnosis codebase.ask codebase.index "
    "codebase.tree codebase.errors ingest harness harness.readers harness.sandbox python search",
    "app.main": "app.web app.api app.service app.http app.settings app.errors",
    "app.web": "app.handbook app.service app.http app.addons app.artifacts app.repositories app.jobs app.verdict "
    "app.errors harness harness.readers",
    "app.api": "app.service app.addons app.http app.pipeline app.artifacts app.repositories app.blenders "
    "app.observing app.jobs app.settings app.errors clients.mcp codebase.diagnosis codebase.ask ingest harness "
    "harness.readers harness.tracing",
    "app.service": "app.pipeline app.addons app.drafting app.artifacts app.repositories app.retrieval app.blenders "
    "app.checks app.observing app.jobs app.prompting app.settings app.verdict app.llm app.errors ingest "
    "harness.engines harness harness.readers harness.sandbox harness.tracing search",
    "app.http": "app.artifacts app.errors",
    "app.pipeline": "app.healing app.drafting app.artifacts app.retrieval app.blenders app.checks app.observing "
    "app.jobs app.prompting app.reading app.settings app.versions app.accept app.verdict app.llm app.errors ingest "
    "harness harness.readers harness.sandbox harness.tracing search",
    "app.addons": "app.healing app.repositories app.jobs app.reading app.verdict app.llm app.errors codebase.index "
    "codebase.tree ingest harness harness.readers harness.sandbox python",
    "app.healing": "app.jobs app.prompting app.reading app.versions app.accept app.verdict app.llm codebase.units "
    "ingest harness.readers python",
    "app.drafting": "app.jobs app.prompting app.reading app.accept app.verdict app.llm ingest harness harness.readers "
    "harness.inside.scene python search",
    "app.artifacts": "app.jobs app.prompting app.settings app.verdict app.errors harness harness.readers search",
    "app.repositories": "app.jobs app.reading app.llm app.errors codebase.diagnosis codebase.ask codebase.index "
    "codebase.tree codebase.graph codebase.tracebacks codebase.units codebase.errors ingest harness harness.readers "
    "harness.sandbox python",
    "app.retrieval": "app.prompting app.reading app.settings ingest harness search",
    "app.blenders": "app.reading app.settings app.verdict ingest harness.engines harness.pool harness harness.sandbox "
    "python",
    "app.checks": "app.reading app.versions app.accept app.verdict ingest harness harness.readers python",
    "app.observing": "app.settings app.verdict",
    "app.jobs": "app.accept app.verdict app.llm app.errors harness harness.readers harness.tracing",
    "app.prompting": "app.accept app.llm ingest harness search",
    "app.reading": "app.verdict ingest harness python",
    "app.handbook": "app.settings",
    "app.settings": "app.setting_values app.llm app.errors search",
    "app.versions": "python",
    "app.accept": "",
    "app.verdict": "python",
    "app.setting_values": "",
    "app.llm": "",
    "app.errors": "",
    "clients.lsp": "",
    "clients.mcp": "",
    "codebase.diagnosis": "codebase.ask codebase.index codebase.tree codebase.graph codebase.tracebacks "
    "codebase.units codebase.errors python",
    "codebase.ask": "codebase.index codebase.graph codebase.tracebacks codebase.units codebase.errors search",
    "codebase.index": "codebase.tree codebase.graph codebase.units codebase.errors search",
    "codebase.tree": "codebase.errors",
    "codebase.graph": "codebase.units python",
    "codebase.tracebacks": "",
    "codebase.units": "python",
    "codebase.errors": "",
    "ingest": "harness python search",
    "harness.engines": "harness.pool harness harness.readers harness.sandbox harness.tracing",
    "harness.pool": "harness harness.sandbox",
    "harness.inside.enter": "harness.inside.warm harness.inside.do harness.inside.api harness",
    "harness.inside.warm": "harness.inside.do harness.inside.scene harness harness.sandbox",
    "harness.inside.do": "harness.inside.untrusted harness.inside.witness harness harness.sandbox",
    "harness.inside.untrusted": "harness.inside.scene harness.inside.channel harness python",
    "harness.inside.witness": "harness.inside.scene harness.inside.channel harness",
    "harness.inside.scene": "",
    "harness.inside.channel": "harness",
    "harness.inside.api": "harness",
    "harness": "harness.readers harness.triage harness.sandbox harness.tracing",
    "harness.readers": "harness.sandbox python",
    "harness.triage": "python",
    "harness.sandbox": "",
    "harness.tracing": "",
    "search": "",
    "python": "",
}
"""By room, the rooms that it may import from. Each stands above all that it imports."""
MOST_FLOORS: Final = 8
"""Floors of a package: what is in it stands above all that it imports of it."""

IN_BLENDER: Final = ("harness.protocol", "harness.inside", "harness.sandbox.jail", "python")
"""All of ours that code inside Blender may import."""
BLENDER: Final = {"bpy", "bmesh", "mathutils", "bpy_extras", "gpu", "blf", "aud", "idprop"}
OURS: Final = {"app", "clients", "codebase", "harness", "ingest", "python", "search", "tests", "bench"}


def room_of(module: str) -> str:
    """The room of a module: the longest name in the table that it begins with; the module itself if there is none."""
    fitting = [room for room in ROOMS if module == room or module.startswith(f"{room}.")]
    return max(fitting, key=len, default=module)


def wrong_imports(path: str, source: str) -> Iterator[str]:
    """Each import that the file at this path (relative to the project) must not make, as `path:line: name`."""
    room = room_of(path.removesuffix(".py").replace("/", "."))
    may = set(ROOMS.get(room, "").split()) | {room}
    for line, name in imported(source):
        top = name.partition(".")[0]
        wrong = top in OURS and room_of(name) not in may
        if room.startswith("harness.inside."):
            wrong |= top in OURS and not any(f"{name}.".startswith(f"{reachable}.") for reachable in IN_BLENDER)
        elif top in BLENDER:
            wrong = True
        if wrong:
            yield f"{path}:{line}: {name}"


@functools.cache
def imported(source: str) -> tuple[tuple[int, str], ...]:
    """Each import of a text with its line, those inside functions too. Several tests ask for those of all files."""
    return tuple(imports_in(ast.parse(source)))


def imports_in(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each import of a tree, in no order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def sources() -> list[Path]:
    """The files of all rooms. The extension is none: it runs in the Blender of somebody else, under another name."""
    return [
        path
        for top in ("app", "clients/lsp", "clients/mcp", "codebase", "harness", "ingest", "python", "search")
        for path in sorted((ROOT / top).rglob("*.py"))
    ]


def floors_of(package: str, imports: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """The floor of each file and folder of a package, from 1: one above the highest that it imports of the package.

    `imports` are the names that each module of the tree imports. Raises ValueError for a circle.
    """
    within: dict[str, set[str]] = {}
    modules = {name.removesuffix(".__init__") for name in imports}
    for module, names in imports.items():
        if module.startswith(f"{package}.") and (own := child_of(package, module)) != "__init__":
            others = {child_of(package, name) for name in names if name.startswith(f"{package}.")}
            known = {other for other in others if any(f"{name}.".startswith(f"{package}.{other}.") for name in modules)}
            within.setdefault(own, set()).update(known - {own})
    floors: dict[str, int] = {}
    while waiting := within.keys() - floors.keys():
        standing = {name for name in waiting if within[name] <= floors.keys()}
        if not standing:
            raise ValueError(f"{package} has a circle among {', '.join(sorted(waiting))}")
        floors |= {name: 1 + max((floors[other] for other in within[name]), default=0) for name in standing}
    return floors


def child_of(package: str, name: str) -> str:
    """The file or folder of a package that a name in it leads to."""
    return name.removeprefix(f"{package}.").partition(".")[0]


def imports_of_all() -> dict[str, list[str]]:
    """The names that each of our modules imports."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): [name for _, name in imported(path.read_text())]
        for path in sources()
    }


def levels() -> dict[str, int]:
    """How high each room stands: one above the highest that it imports."""
    found: dict[str, int] = {}
    for room in reversed(list(ROOMS)):
        found[room] = 1 + max((found[below] for below in ROOMS[room].split() if below in found), default=-1)
    return found


def purpose(room: str) -> str:
    """The first line of the docstring of a room."""
    place = ROOT / room.replace(".", "/")
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return (ast.get_docstring(ast.parse(file.read_text())) or "").splitlines()[0]


def drawing() -> str:
    """The rooms by their height, and what each is for, in lines of the docs."""
    height = levels()
    lines = ["```text"]
    for level in range(max(height.values()), -1, -1):
        here = [room.ljust(len(room) + 2) for room in ROOMS if height[room] == level]
        lines.append(wrapped(" ".join(here), f"{level:2}  ", "    "))
    lines += ["```", "", *(wrapped(f"- `{room}`: {purpose(room)}", "", "  ") for room in ROOMS)]
    return "\n".join(lines) + "\n"


def wrapped(text: str, first: str, rest: str) -> str:
    return textwrap.fill(text, 116, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


if __name__ == "__main__":
    before, _, rest = PAGE.read_text().partition(FROM)
    PAGE.write_text(before + FROM + drawing() + TO + rest.partition(TO)[2])
