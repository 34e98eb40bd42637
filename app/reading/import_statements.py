"""The reader of imports: what they bind, and modules and names that this build does not have."""

from __future__ import annotations

import ast
from typing import Final

from app.reading.api.values import UNKNOWN, Mod
from app.reading.environment import Environment
from app.reading.notes import Notes
from app.reading.remark import start_of
from app.reading.usage.fits import Judge
from app.reading.usage.members import Members

_OURS: Final = ("bpy", "bmesh", "mathutils", "bpy_extras", "gpu", "gpu_extras", "blf", "bl_math")


class ImportReader:
    """Reads import statements."""

    def __init__(self, environment: Environment, judge: Judge, notes: Notes, members: Members) -> None:
        self._env = environment
        self._judge = judge
        self._notes = notes
        self._members = members

    def read(self, node: ast.Import) -> None:
        """Read `import a.b as c`."""
        modules = self._judge.api.manifest.modules
        for alias in node.names:
            self._check_module(alias.name, node)
            top = alias.name.partition(".")[0]
            name = alias.asname or top
            self._env.bind(name, Mod(alias.name if alias.asname else name) if top in _OURS else UNKNOWN)
            if top in _OURS:
                self._notes.use(alias.name if alias.name in modules else "", start_of(node))

    def read_from(self, node: ast.ImportFrom) -> None:
        """Read `from a import b as c`."""
        name = node.module or ""
        module = Mod(name) if node.level == 0 and name.partition(".")[0] in _OURS else None
        if node.level == 0:
            self._check_module(name, node)
        for alias in node.names:
            if alias.name == "*":
                self._env.stars.extend([name] if module else [])
                continue
            place = start_of(node)
            value = self._members.read(module, alias.name, place) if module else UNKNOWN
            self._env.bind(alias.asname or alias.name, value)
            member = self._judge.api.member(module, alias.name) if module else None
            self._notes.use(member.address if member else "", place)

    def _check_module(self, name: str, node: ast.stmt) -> None:
        gone = self._judge.removals.entry(name) if name not in self._judge.api.manifest.modules else None
        self._notes.say(gone, start_of(node))
