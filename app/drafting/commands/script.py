"""A snippet in the making: lines, imports, variables, and the acceptance checks and notes that go with it."""

from __future__ import annotations

import builtins
import contextlib
import hashlib
import keyword
import re
import textwrap
from collections.abc import Generator
from typing import Any, Final

from app.accept import Check
from app.drafting.commands import operations as op
from app.drafting.commands.checks import Checks
from app.drafting.commands.literals import literal
from app.drafting.commands.names import Names
from app.drafting.commands.say import say
from app.drafting.draft import NotUnderstood

WIDTH: Final = 110
INDENT: Final = "    "
_TAKEN: Final = frozenset({*keyword.kwlist, *dir(builtins), "bpy", "scene", "view_layer", "MADE_BY"})


class Script:
    """The snippet of one request for one Blender."""

    def __init__(self, request: str, names: Names) -> None:
        self.request: Final = request
        self.names: Final = names
        self.notes: Final[list[str]] = []
        self.checks: Final = Checks()
        self.stale = False
        """True if places in the world may be out of date because something was moved or added."""
        self._prelude: Final[dict[str, str]] = {}
        self._imports: Final[set[str]] = set()
        self._lines: Final[list[str]] = []
        self._depth = 0
        self._recipe = ""
        self._variables: Final[set[str]] = set()

    @property
    def series(self) -> tuple[int, ...]:
        """The series of the Blender, such as (5, 0)."""
        return tuple(int(part) for part in self.names.manifest.series.split("."))

    def line(self, text: str) -> None:
        """Add one or more lines at the current depth."""
        self._lines.extend(INDENT * self._depth + line if line else "" for line in text.split("\n"))

    @contextlib.contextmanager
    def block(self, header: str) -> Generator[None]:
        """Lines below a header such as "if x:"."""
        self.line(header)
        self._depth += 1
        yield
        self._depth -= 1

    @property
    def in_block(self) -> bool:
        """True if the lines written now may run never or several times."""
        return self._depth > 0

    def literal(self, value: Any) -> str:
        """A value as Python; adds the imports that it needs."""
        text = literal(value)
        if "radians(" in text and not isinstance(value, str):
            self.imports("from math import radians")
        return text

    def imports(self, line: str) -> None:
        """Import something, once."""
        self._imports.add(line)

    def variable(self, hint: str) -> str:
        """An unused name for a variable, made from `hint`."""
        name = re.sub(r"\W+", "_", hint.lower(), flags=re.ASCII).strip("_")[:24].strip("_") or "it"
        name = f"the_{name}" if name[0].isdigit() or name in _TAKEN else name
        number, free = 2, name
        while free in self._variables:
            free, number = f"{name}_{number}", number + 1
        self._variables.add(free)
        return free

    def scene(self) -> str:
        """The scene that is open."""
        return self._once("scene", "scene = bpy.context.scene\nassert scene is not None")

    def view_layer(self) -> str:
        """The view layer that is open."""
        return self._once("view_layer", "view_layer = bpy.context.view_layer\nassert view_layer is not None")

    def mark(self) -> str:
        """The custom property that lets a second run find what the first one made."""
        found = "by this a second run finds what the first one made"
        return self._once("MADE_BY", f'MADE_BY = "made by {self._digest()}"  # {found}')

    def object_mode(self) -> None:
        """Switch to object mode: operators that add, join and apply work on whole objects only there."""
        self._once("mode", 'if bpy.context.mode != "OBJECT":\n    bpy.ops.object.mode_set(mode="OBJECT")')

    @contextlib.contextmanager
    def make_once(self, code: str, where: str, key: str, name: str = "") -> Generator[None]:
        """Lines that make a data block the first time; a second run finds it by its mark. `name` must be free."""
        mark = self.mark()
        self.line(f"{code} = next((one for one in bpy.data.{where} if one.get({mark}) == {literal(key)}), None)")
        with self.block(f"if {code} is None:"):
            if where != "objects":
                self.checks.take_name(where, key)
            if name:
                reason = f"an object {name}" if where == "objects" else f"{name} in bpy.data.{where}"
                self.line(f"assert {literal(name)} not in bpy.data.{where}, {literal(f'there is {reason} already')}")
            yield
            self.line(f"{code}[{mark}] = {literal(key)}")

    @property
    def mark_path(self) -> str:
        """The path of the custom property of `mark`, for checks."""
        return f'["made by {self._digest()}"]'

    def _digest(self) -> str:
        return hashlib.sha256(self.request.encode("utf-8", "backslashreplace")).hexdigest()[:8]

    def _once(self, name: str, text: str) -> str:
        self._prelude.setdefault(name, text)
        return name

    def note(self, operation: op.Operation) -> None:
        """Add a note on the reading of a sentence."""
        self.notes.append(say(operation))

    def take_recipe(self, source: str) -> None:
        """Make a recipe the whole snippet; raises NotUnderstood if it is not the only sentence."""
        if self._lines or self._recipe:
            raise NotUnderstood([], "A recipe is a request of its own: send it alone.")
        self._recipe = source

    def settle(self) -> None:
        """Have Blender compute the places of things, if something was moved before."""
        if self.stale:
            self.line(f"{self.view_layer()}.update()")
            self.stale = False

    def expect(self, check: Check | None) -> None:
        """Add an acceptance check for the lines just written."""
        self.checks.add(check)

    def amend(self, old: str, new: str) -> None:
        """Write another expression where a line ends in this one."""
        self._lines[:] = [
            f"{line.removesuffix(old)}{new}" if line.endswith(f" {old}") else line for line in self._lines
        ]

    def finish(self) -> str:
        """The whole snippet."""
        if self._recipe:
            if self._lines:
                raise NotUnderstood([], "A recipe is a request of its own: send it alone.")
            return self._recipe
        said = " ".join(self.request.replace("\\", "/").replace('"""', "'''").split())
        said = said if said.endswith((".", "!")) else f"{said}."
        doc = textwrap.wrap(said, WIDTH - 6, break_long_words=False, break_on_hyphens=False)
        docstring = [f'"""{doc[0]}"""'] if len(doc) == 1 else [f'"""{doc[0]}', *doc[1:], '"""']
        modules = sorted(
            line for line in self._imports if not line.startswith(("from mathutils", "from bpy", "import bmesh"))
        )
        blender = _import_lines(self._imports - set(modules))
        order = [key for key in ("MADE_BY", "scene", "view_layer", "mode") if key in self._prelude]
        prelude = [line for key in order for line in self._prelude[key].split("\n")]
        parts = [docstring, modules, ["import bpy", *blender], [*prelude, *self._lines]]
        return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _import_lines(imports: set[str]) -> list[str]:
    """The import lines, one per module."""
    names: dict[str, list[str]] = {}
    for line in sorted(imports):
        module, _, name = line.partition(" import ")
        names.setdefault(module, []).append(name)
    return [f"{module} import {', '.join(members)}" if members != [""] else module for module, members in names.items()]
