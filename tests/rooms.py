"""The rooms of the house: which package may import which.

`python -m tests.rooms` writes docs/architecture.md from this table.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "architecture.md"
FROM, TO = "<!-- rooms -->\n", "<!-- end of rooms -->"

ROOMS: Final[dict[str, str]] = {
    "app.cli": "app.main app.service app.addons app.versions app.artifacts app.repositories app.retrieval app.blenders "
    "app.runs app.observing app.checks app.settings app.values app.llm app.errors clients.mcp codebase ingest harness "
    "harness.sandbox search",
    "app.main": "app.web app.api app.service app.settings app.errors",
    "app.web": "app.api app.service app.addons app.artifacts app.repositories app.runs app.checks app.errors harness "
    "harness.readers",
    "app.api": "app.service app.artifacts app.repositories app.retrieval app.blenders app.runs app.observing "
    "app.errors clients.mcp codebase ingest harness harness.readers harness.tracing",
    "app.service": "app.pipeline app.addons app.drafting app.artifacts app.repositories app.retrieval app.blenders "
    "app.runs app.observing app.checks app.settings app.shelf app.llm app.errors ingest harness harness.engines "
    "harness.readers harness.sandbox harness.tracing search",
    "app.pipeline": "app.versions app.healing app.drafting app.artifacts app.retrieval app.blenders app.runs "
    "app.observing app.checks app.settings app.llm app.errors ingest harness harness.readers harness.sandbox "
    "harness.tracing search",
    "app.addons": "app.healing app.repositories app.runs app.checks app.llm app.errors codebase ingest harness "
    "harness.readers harness.sandbox",
    "app.versions": "app.healing app.runs app.checks ingest harness.syntax",
    "app.healing": "app.drafting app.retrieval app.runs app.checks app.llm ingest harness.readers harness.syntax",
    "app.drafting": "app.retrieval app.runs app.checks app.llm ingest harness harness.readers harness.syntax",
    "app.artifacts": "app.retrieval app.runs app.checks app.settings app.shelf app.errors ingest harness "
    "harness.readers search",
    "app.repositories": "app.runs app.checks app.llm app.errors codebase codebase.graph codebase.tracebacks "
    "codebase.units ingest harness harness.readers harness.sandbox harness.syntax",
    "app.retrieval": "app.blenders app.checks app.settings ingest harness search",
    "app.blenders": "app.checks app.settings ingest harness harness.engines harness.pool harness.sandbox "
    "harness.syntax",
    "app.runs": "app.checks app.shelf app.llm app.errors harness harness.readers harness.tracing",
    "app.observing": "app.checks app.settings",
    "app.checks": "ingest harness harness.readers harness.syntax",
    "app.settings": "app.values app.callers app.llm app.errors search",
    "app.values": "app.callers",
    "app.shelf": "app.errors",
    "app.callers": "",
    "app.llm": "",
    "app.errors": "",
    "clients.mcp": "",
    "codebase": "codebase.graph codebase.tracebacks codebase.units harness.syntax search",
    "codebase.graph": "codebase.units harness.syntax",
    "codebase.tracebacks": "",
    "codebase.units": "harness.syntax",
    "ingest": "harness harness.syntax search",
    "harness.engines": "harness harness.pool harness.readers harness.sandbox harness.tracing",
    "harness.pool": "harness harness.sandbox",
    "harness": "harness.readers harness.triage harness.sandbox harness.tracing",
    "harness.inside": "harness harness.sandbox",
    "harness.readers": "harness.sandbox",
    "harness.triage": "harness.syntax",
    "harness.sandbox": "",
    "harness.syntax": "",
    "harness.tracing": "",
    "search": "",
}
"""By room, the rooms that it may import from. Each stands above all that it imports."""

IN_BLENDER: Final = ("harness.protocol", "harness.inside", "harness.sandbox.jail")
"""All of ours that code inside Blender may import."""
BLENDER: Final = {"bpy", "bmesh", "mathutils", "bpy_extras", "gpu", "blf", "aud", "idprop"}
OURS: Final = {"app", "clients", "codebase", "harness", "ingest", "search", "tests", "bench"}


def room_of(module: str) -> str:
    """The room of a module: the longest name in the table that it begins with; the module itself if there is none."""
    fitting = [room for room in ROOMS if module == room or module.startswith(f"{room}.")]
    return max(fitting, key=len, default=module)


def wrong_imports(path: str, source: str) -> Iterator[str]:
    """Each import that the file at this path (relative to the project) must not make, as `path:line: name`."""
    room = room_of(path.removesuffix(".py").replace("/", "."))
    may = set(ROOMS.get(room, "").split()) | {room}
    for line, name in imported(ast.parse(source)):
        top = name.partition(".")[0]
        wrong = top in OURS and room_of(name) not in may
        if room == "harness.inside":
            wrong = top in OURS and not any(name == one or name.startswith(f"{one}.") for one in IN_BLENDER)
        elif top in BLENDER:
            wrong = True
        if wrong:
            yield f"{path}:{line}: {name}"


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each import with its line, those inside functions too."""
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
        for top in ("app", "clients/mcp", "codebase", "harness", "ingest", "search")
        for path in sorted((ROOT / top).rglob("*.py"))
    ]


def levels() -> dict[str, int]:
    """How high each room stands: one above the highest that it imports."""
    found: dict[str, int] = {}
    for room in reversed(list(ROOMS)):
        found[room] = 1 + max((found[one] for one in ROOMS[room].split() if one in found), default=-1)
    return found


def purpose(room: str) -> str:
    """The first line of the docstring of a room."""
    place = ROOT / room.replace(".", "/")
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return (ast.get_docstring(ast.parse(file.read_text())) or "").splitlines()[0]


def drawing() -> str:
    """The rooms by their height, and what each is for."""
    height = levels()
    lines = ["```"]
    for level in range(max(height.values()), -1, -1):
        lines.append("   ".join(room for room in ROOMS if height[room] == level))
    lines += ["```", "", "| room | what it is |", "| --- | --- |"]
    lines += [f"| `{room}` | {purpose(room)} |" for room in ROOMS]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    before, _, rest = PAGE.read_text().partition(FROM)
    PAGE.write_text(before + FROM + drawing() + TO + rest.partition(TO)[2])
