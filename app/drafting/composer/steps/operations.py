"""Blender's own operations, a row of operations.toml each: how it is asked for, and the lines that carry it out.

    ["switch the direction of the splines"]
    said = ["(switch|reverse|flip) [the] [spline] direction", ...]
    type = "CURVE"
    code = "for {spline} in expect({obj}.data, bpy.types.Curve).splines: ..."

A row's patterns are those of patterns.py. "Of X" may follow at any place where {obj} is in the code.
`code` has the object as {obj}, what the slots found under their names ({n}, {name}; {axis!i} is the number of an axis,
{axis!l} its small letter, {path!p} the expression of a path), and every other name in braces is a variable of its own. Choices stand in `words`: {how} in a
pattern is one of the words of `words.how`, and what belongs to it in the code. `settings` names an operator whose
arguments may be set by their labels ({settings} in the code). `defaults` are what is not said, as source; `since` is the first Blender that has it; `same` says that
a second run changes nothing by itself, `one` that one object is meant, and `edited` that {part} is one of the mesh in edit.
"""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from app.drafting.composer.build import Build, Known
from app.drafting.composer.grammar import add_rules
from app.drafting.composer.lexicon import Kind, Place
from app.drafting.composer.parts import PARTS
from app.drafting.composer.patterns import slots_of
from app.drafting.composer.slots import Set, Target
from app.drafting.composer.steps.data import placed
from app.drafting.composer.steps.editing import MeshPart, listed
from app.drafting.composer.values import Vec, refuse
from harness.versions import version_key

OF: Final = "(of|on|for|from|in|to|at) {target:object} ['s]"
NAMES: Final = re.compile(r"\{(\w+)(?:!([ilp]))?\}")
IMPORTS: Final = {
    "Vector(": "mathutils: Vector",
    "Matrix.Diagonal(": "mathutils: Matrix",
    "Matrix.Rotation(": "mathutils: Matrix",
    "Matrix.Translation(": "mathutils: Matrix",
    "bmesh.": "bmesh",
    "radians(": "math: radians",
    "sin(": "math: sin",
    "cos(": "math: cos",
    "Random(": "random: Random",
    "Path(": "pathlib: Path",
    "Path.cwd(": "pathlib: Path",
    "Any": "typing: Any",
}
"""What code with such words imports."""


@dataclass(frozen=True)
class Operation:
    """One row of operations.toml."""

    does: str
    code: str
    example: str
    said: tuple[str, ...]
    type: str = ""
    more: str = ""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    settings: str = ""
    same: bool = False
    defaults: Mapping[str, str] = field(default_factory=dict[str, str])
    one: bool = False
    edited: bool = False
    since: str = ""

    @property
    def about_objects(self) -> bool:
        """Whether it is done to objects."""
        return self.edited or "{obj}" in self.code

    def patterns(self) -> tuple[str, ...]:
        """The patterns as the grammar takes them."""
        return tuple(self._pattern(said) for said in self.said)

    def _pattern(self, said: str) -> str:
        for name, words in self.words.items():
            said = said.replace(f"{{{name}}}", f"{{{name}={'|'.join(words)}}}")
        anyhow: list[str] = []
        if self.about_objects:
            anyhow.append(OF.replace(":object", ":object of one") if self.one else OF)
        if self.more:
            more = self.more
            for name, words in self.words.items():
                more = more.replace(f"{{{name}}}", f"{{{name}={'|'.join(words)}}}")
            anyhow.append(more)
        if self.settings:
            anyhow.append(f"{{s:settings of {self.settings}}}")
        return f"{said} ~( {' ; '.join(anyhow)} )" if anyhow else said


def rows() -> tuple[Operation, ...]:
    """Every operation, in the order of the file."""
    text = Path(__file__).parent.parent.joinpath("operations.toml").read_text(encoding="utf-8")
    return tuple(
        Operation(does, said=tuple(row.pop("said", (does,))), **row) for does, row in tomllib.loads(text).items()
    )


def carry_out(build: Build, work: Operation, given: dict[str, Any]) -> None:
    """Write the lines of an operation with what was said."""
    for name in re.findall(r"bpy\.ops\.(\w+\.\w+)", work.code):
        if name not in build.lexicon.manifest.operators:
            raise refuse(work.does, f"this Blender has no operator {name}")
    if work.since and version_key(build.lexicon.manifest.version) < version_key(work.since):
        raise refuse(work.does, f"that needs Blender {work.since} or newer")
    target: Target | None = given.pop("target", None)
    said = {name: value for name, value in given.items() if value is not None}
    for name, words in work.words.items():
        if name in said:
            said[name] = words[str(said[name])]
    if work.settings:
        said["settings"] = arguments(build, work, said.pop("s", None))
        if twice := [name for name in re.findall(r"(\w+)=", said["settings"]) if f" {name}=" in f" {work.code}"]:
            raise refuse(twice[0].replace("_", " "), "it is set already")
    goals = {name: build.one(said[name]).var for name in ("goal", "source") if isinstance(said.get(name), Target)}
    if not work.same:
        build.once()
    build.comment(work.does)
    if not work.about_objects:
        write(build, work, said, goals, None)
        build.note(work.does)
        return
    found = build.one(target) if work.one else build.objects(target)
    if isinstance(found, Known) and work.type and found.type not in {"", *work.type.split("|")}:
        raise refuse(target.said if target else "it", f"it is no {work.type.lower().replace('|', ' or ')}")
    if work.one:
        write(build, work, said, goals, build.one(target))
    else:
        with build.each(target, type_=work.type if "|" not in work.type else "") as known:
            write(build, work, said, goals, known)
    build.note(f"{work.does}: {target.said if target else 'it'}")


def arguments(build: Build, work: Operation, settings: list[Set] | None) -> str:
    """The arguments of the operator as source."""
    chosen = build.choose(settings or [], (Place("", work.settings),), work.does)
    return ", ".join(f"{setting.prop.name}={build.literal(value)}" for setting, value in chosen)


def write(
    build: Build, work: Operation, said: Mapping[str, Any], goals: Mapping[str, str], known: Known | None
) -> None:
    """The lines for one object, or for none; `goals` are the variables of other objects that it is about."""
    code, own = work.code.strip("\n"), dict(goals)

    def filled(match: re.Match[str]) -> str:
        name, how = match.groups()
        if name == "obj" and known is not None:
            return known.var
        if name == "scene":
            return build.scene()
        if name in own:
            return own[name]
        if name in said:
            return str(said[name]) if name in work.words or name == "settings" else source(build, said[name], how)
        if name in work.defaults:
            return NAMES.sub(filled, work.defaults[name])
        if any(name in slots_of(pattern) for pattern in work.patterns()):
            raise refuse(work.does, f"{name}?")
        own[name] = build.var(name)
        return own[name]

    part = said.get("part")
    if not isinstance(part, MeshPart) or known is None:
        add(build, re.sub(r"\(, ", "(", NAMES.sub(filled, code)).replace(", )", ")"))
        return
    if part.same or not part.tests:
        raise refuse(part.said, "which part?")
    own["part"] = build.var("part")
    with build.editing(known) if work.edited else contextlib.nullcontext():
        if not work.edited:
            own["mesh"] = build.var("mesh")
            build.need("mesh_of")
            build.line(f"{own['mesh']} = mesh_of({known.var})")
            part = replace(part, element="verts")
        build.line(f"{own['part']} = {listed(build, part, known, 'bm' if work.edited else own['mesh'])}")
        add(build, NAMES.sub(filled, code))


def add(build: Build, code: str) -> None:
    """Add lines to the snippet, with the helpers and imports that they need."""
    for part in PARTS:
        if re.search(rf"(?<![\w.]){part}\(", code):
            build.need(part)
    for word, name in IMPORTS.items():
        if re.search(rf"(?<![\w.]){re.escape(word)}", code):
            build.imports(name)
    build.line(code)


def source(build: Build, value: Any, how: str | None) -> str:
    """What was said as source."""
    if how == "i":
        return str("XYZUVW".index(str(value)[-1].upper()) % 3)
    if how == "l":
        return str(value)[-1].lower()
    if isinstance(value, Kind):
        return f'"{value.identifier}"'
    if isinstance(value, Vec):
        if len(value.parts) != 3 or any(part is None for part in value.parts):
            raise refuse("", "a place has three numbers")
        return build.literal(value.parts)
    if how == "p":
        return placed(str(value))
    return build.literal(value)


for _row in rows():

    def operation(build: Build, _work: Operation = _row, **given: Any) -> None:
        carry_out(build, _work, given)

    add_rules(
        operation,
        tuple(sorted({name for each in _row.patterns() for name in slots_of(each)})),
        _row.patterns(),
        first=True,
    )
