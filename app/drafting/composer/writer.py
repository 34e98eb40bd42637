"""Writes a plan as a snippet: constants, the helper functions it needs, a function for each thing, and `main`.

Running a snippet again changes nothing. Modifiers are found by their name. Objects and materials that it made are found
by a custom property, since a scene may have others of the same name, and since Blender renames a second "Cube".
"""

from __future__ import annotations

import hashlib
import re
import textwrap
from collections import Counter
from collections.abc import Mapping
from typing import Final

from app.drafting.composer.lexicon import Lexicon, Primitive
from app.drafting.composer.parts import PARTS
from app.drafting.composer.plan import (
    Active,
    AddModifier,
    AddPrimitive,
    Degrees,
    EnsureActive,
    Made,
    Move,
    Named,
    Plan,
    SetMaterial,
    Shade,
    Step,
    Target,
    Value,
)
from app.drafting.composer.source import docstring, literal, quoted

_MARK: Final = """\
# The custom property that marks what this snippet made, so that a second run finds it. A name would not do:
# the scene may have another "Cube" already, and Blender would then call this one "Cube.001".
MARK = "blendproof"
"""
_SLUG: Final = 30
"""How much of an object's name its variable shows."""

_FIRST: Final = "import bpy  # first: the modules below come with it"


def write(plan: Plan, lexicon: Lexicon, request: str) -> str:
    """Write the snippet for a plan. The same plan and request give the same snippet."""
    return _Writer(plan, lexicon, request).write()


class _Writer:
    def __init__(self, plan: Plan, lexicon: Lexicon, request: str) -> None:
        self._plan: Final = plan
        self._lexicon: Final = lexicon
        self._request: Final = request
        self._id: Final = hashlib.sha256(" ".join(request.split()).encode()).hexdigest()[:8]
        self._constants: Final[list[str]] = []
        self._parts: Final[set[str]] = set()
        self._functions: Final[list[str]] = []
        self._main: Final[list[str]] = []
        self._imports: Final[dict[str, set[str]]] = {}
        self._names: Final[set[str]] = set()
        self._variables: Final[dict[Target, str]] = {}
        self._materials: Final[dict[object, str]] = {}
        self._marks = False

    def write(self) -> str:
        for index, step in enumerate(self._plan.steps):
            self._write_step(index, step)
        helpers = [part.code for name, part in PARTS.items() if name in self._parts]
        main = 'def main() -> None:\n    """Carry out the request."""\n' + _indented("\n".join(self._main_lines()))
        constants = ([_MARK] if self._marks else []) + (["\n".join(self._constants)] if self._constants else [])
        head = [self._docstring(), self._import_lines(), *constants]
        body = [*helpers, *self._functions, main, "main()"]
        return "\n\n".join(part.strip() for part in head) + "\n\n\n" + "\n\n\n".join(map(str.strip, body)) + "\n"

    def _main_lines(self) -> list[str]:
        """The lines of `main`; a variable that is used nowhere is left out."""
        used = Counter(re.findall(r"\w+", " ".join(self._main)))
        return [re.sub(r"^(\w+) = ", lambda m: m[0] if used[m[1]] > 1 else "", line) for line in self._main]

    def _docstring(self) -> str:
        return f'"""{docstring(self._request)}\n\nRunning it again adds nothing and changes nothing.\n"""'

    def _import_lines(self) -> str:
        maths = [_import("math", self._imports["math"]), ""] if "math" in self._imports else []
        blender = [_import(module, names) for module, names in sorted(self._imports.items()) if module != "math"]
        if not blender:
            return "\n".join([*maths, "import bpy"])
        # Sorted by name, bmesh would come before bpy, and the bpy wheel has no bmesh until bpy is imported.
        return "\n".join([*maths, _FIRST, "", "# isort: split", *blender])

    def _write_step(self, index: int, step: Step) -> None:
        match step:
            case EnsureActive():
                self._ensure_active()
            case AddPrimitive():
                self._add_primitive(Made(index), step)
            case AddModifier():
                self._add_modifier(step)
            case SetMaterial():
                self._need("use_material")
                self._main.append(f"use_material({self._object(step.target)}, {self._material(step)}())")
            case Shade():
                self._need("shade")
                self._main.append(f"shade({self._object(step.target)}, smooth={step.smooth})")
            case Move():
                place = self._constant(self._unused("location").upper(), step.location)
                self._main.append(f"{self._object(step.target)}.location = {place}")

    # Objects

    def _object(self, target: Target) -> str:
        """The variable of `main` that holds the object; a line that finds it is added when it is first spoken of."""
        if target not in self._variables:
            match target:
                case Active():
                    self._need("active_object")
                    self._assign(target, "active", "active_object()")
                case Named():
                    self._need("object_named")
                    slug = re.sub(r"[^a-z0-9]+", "_", target.name.lower()).strip("_")[:_SLUG] or "named"
                    variable = self._unused(f"the_{slug}")
                    name = self._constant(f"{variable.upper()}_NAME", target.name)
                    self._variables[target] = variable
                    self._main.append(f"{variable} = object_named({name})")
                case Made():
                    raise ValueError(f"step {target.step} makes no object")
        return self._variables[target]

    def _assign(self, target: Target, wanted: str, expression: str) -> None:
        variable = self._variables[target] = self._unused(wanted)
        self._main.append(f"{variable} = {expression}")

    def _ensure_active(self) -> None:
        self._need("current_scene")
        self._need("current_view_layer")
        cube = self._lexicon.substitute
        mesh = self._mesh(self._unused("new_cube"), cube, quoted(cube.name), {})
        self._functions.append(_ENSURE_ACTIVE.format(mesh=mesh, name=quoted(cube.name)))
        self._assign(Active(), "active", "active_or_new_cube()")

    def _add_primitive(self, made: Made, step: AddPrimitive) -> None:
        self._need("find_made")
        self._need("new_object")
        self._marks = True
        variable = self._unused(step.primitive.key)
        prefix = variable.upper()
        key = self._constant(f"{prefix}_KEY", f"{variable} of request {self._id}")
        name = self._constant(f"{prefix}_NAME", step.name) if step.called else quoted(step.name)
        mesh = self._mesh(variable, step.primitive, name, step.settings)
        lines = [f"made = find_made({key})", "if made is not None:", "    return made"]
        if step.called:
            self._need("require_free")
            lines.append(f"require_free({name})")
        lines.append(f"{variable} = new_object({name}, {mesh}(), {key})")
        lines += self._placed(variable, step)
        if not self._speaks_of_active():
            self._need("current_view_layer")
            lines.append(f"current_view_layer().objects.active = {variable}")
        lines.append(f"return {variable}")
        title = f"Add the {step.primitive.title}, or return the one that an earlier run added."
        self._functions.append(_function(f"add_{variable}() -> bpy.types.Object", title, lines))
        self._variables[made] = variable
        self._main.append(f"{variable} = add_{variable}()")

    def _placed(self, variable: str, step: AddPrimitive) -> list[str]:
        lines: list[str] = []
        if step.location is not None:
            place = self._constant(f"{variable.upper()}_LOCATION", step.location)
            lines.append(f"{variable}.location = {place}")
        if step.rotation is not None:
            self._import("math", "radians")
            turns = ", ".join("0.0" if angle == 0.0 else literal(Degrees(angle)) for angle in step.rotation)
            self._constants.append(f"{variable.upper()}_ROTATION = ({turns})")
            lines.append(f"{variable}.rotation_euler = {variable.upper()}_ROTATION")
        if step.scale is not None:
            scale = self._constant(f"{variable.upper()}_SCALE", step.scale)
            lines.append(f"{variable}.scale = {scale}")
        return lines

    def _speaks_of_active(self) -> bool:
        """Whether a second run must find the same active object, so that a new one must not become active."""
        return any(isinstance(getattr(step, "target", None), Active) for step in self._plan.steps)

    def _mesh(self, variable: str, primitive: Primitive, name: str, settings: Mapping[str, Value]) -> str:
        """Add the function that builds the mesh, and return what it is called."""
        function = f"{variable}_mesh"
        values = {**primitive.defaults, **settings}
        names = {each: self._constant(f"{variable}_{each}".upper(), value) for each, value in values.items()}
        for module, imported in primitive.imports.items():
            self._import(module, *imported)
        code = primitive.mesh.strip().format(**names, function=function, mesh_name=name)
        if not code.startswith("def "):
            self._import("bmesh")
            code = _BMESH.format(function=function, title=primitive.title, name=name, call=_indented(code))
        self._functions.append(code)
        return function

    # Modifiers

    def _add_modifier(self, step: AddModifier) -> None:
        self._need("mesh_of")
        word = self._unused(step.modifier.key.lower())
        default = step.name == step.modifier.name
        name = quoted(step.name) if default else self._constant(f"{word}_NAME".upper(), step.name)
        self._import_for(step.settings)
        lines = [f"modifier = obj.modifiers.get({name}) or obj.modifiers.new({name}, {quoted(step.modifier.key)})"]
        lines += [
            f"if not isinstance(modifier, bpy.types.{step.modifier.type}):",
            '    raise TypeError(f"{modifier.name!r} on {obj.name!r} is a modifier of type {modifier.type}.")',
        ]
        for attribute, value in step.settings.items():
            lines.append(f"modifier.{attribute} = {self._setting(word, attribute, value)}")
        title = f"Give the object a {step.modifier.title} modifier, or set up the one it has."
        self._functions.append(
            _function(f"set_up_{word}(obj: bpy.types.Object) -> None", title, ["mesh_of(obj)", *lines])
        )
        self._main.append(f"set_up_{word}({self._object(step.target)})")

    def _setting(self, word: str, attribute: str, value: Value) -> str:
        """Modes are written where they are set, figures as constants."""
        if isinstance(value, bool | str):
            return literal(value)
        return self._constant(f"{word}_{attribute}".upper(), value)

    def _import_for(self, settings: Mapping[str, Value]) -> None:
        if any(isinstance(value, Degrees) for value in settings.values()):
            self._import("math", "radians")

    # Materials

    def _material(self, step: SetMaterial) -> str:
        """The function that returns the material; steps that ask for the same one share it."""
        same = (step.name, step.colour, tuple(step.inputs.items()))
        if same not in self._materials:
            self._materials[same] = self._write_material(step)
        return self._materials[same]

    def _write_material(self, step: SetMaterial) -> str:
        self._need("principled")
        self._marks = True
        word = self._unused("material")
        prefix = word.upper()
        name = self._constant(f"{prefix}_NAME", step.name)
        key = self._constant(f"{prefix}_KEY", f"{word} of request {self._id}")
        lines = [
            f"made = next((each for each in bpy.data.materials if each.get(MARK) == {key}), None)",
            "if made is not None:",
            "    return made",
            f"{word} = bpy.data.materials.new({name})",
            f"{word}[MARK] = {key}",
            "if bpy.app.version < (5, 0, 0):",
            f"    {word}.use_nodes = True",
            f"shader = principled({word})",
        ]
        if step.colour is not None:
            self._need("set_colour")
            colour = f"{prefix}_COLOUR"
            r, g, b = step.colour
            self._constants.append(f"{colour} = {(r, g, b, 1.0)!r}  # scene-linear red, green, blue; alpha")
            lines.append(f"set_colour(shader, {colour})")
            lines.append(f"{word}.diffuse_color = {colour}  # for the Workbench engine, which knows no nodes")
        for each, value in step.inputs.items():
            self._need("set_number")
            number = self._constant(f"{prefix}_{each}".upper(), value)
            lines.append(f"set_number(shader, {quoted(self._lexicon.material_inputs[each])}, {number})")
        lines.append(f"return {word}")
        title = "Make the material, or return the one that an earlier run made."
        self._functions.append(_function(f"make_{word}() -> bpy.types.Material", title, lines))
        return f"make_{word}"

    # Names, parts, imports

    def _constant(self, name: str, value: Value) -> str:
        line = f"{name} = {literal(value)}"
        if line not in self._constants:
            self._constants.append(line)
        return name

    def _unused(self, wanted: str) -> str:
        """A name that no thing of this snippet has yet: cube, cube_2, ..."""
        name, count = wanted, 1
        while name in self._names:
            count += 1
            name = f"{wanted}_{count}"
        self._names.add(name)
        return name

    def _need(self, part: str) -> None:
        self._parts.add(part)
        for other in PARTS[part].needs:
            self._need(other)

    def _import(self, module: str, *names: str) -> None:
        self._imports.setdefault(module, set()).update(names)


def _import(module: str, names: set[str]) -> str:
    return f"from {module} import {', '.join(sorted(names))}" if names else f"import {module}"


def _function(signature: str, title: str, lines: list[str]) -> str:
    return f'def {signature}:\n    """{title}"""\n' + _indented("\n".join(lines))


def _indented(code: str) -> str:
    return textwrap.indent(code, "    ")


_BMESH: Final = '''\
def {function}() -> bpy.types.Mesh:
    """Return a new mesh for the {title}."""
    bm = bmesh.new()
    bm.loops.layers.uv.new("UVMap")
{call}
    mesh = bpy.data.meshes.new({name})
    bm.to_mesh(mesh)
    bm.free()
    return mesh
'''

_ENSURE_ACTIVE: Final = '''\
def active_or_new_cube() -> bpy.types.Object:
    """Return the active object; if there is none, add a cube and make it active."""
    objects = current_view_layer().objects
    if objects.active is not None:
        return objects.active
    cube = bpy.data.objects.new({name}, {mesh}())
    current_scene().collection.objects.link(cube)
    objects.active = cube
    return cube
'''
