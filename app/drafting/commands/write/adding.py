"""Add: objects by the operators of Blender, and modifiers and constraints to objects. Other parts are in parts.py."""

from __future__ import annotations

from typing import Any, Final

from app.accept import ObjectCheck
from app.drafting.commands import operations as op
from app.drafting.commands.checks import PLACED, Where
from app.drafting.commands.literals import literal
from app.drafting.commands.names import Kind, PartKind, PropertyPath
from app.drafting.commands.subject import Subject, each, narrow
from app.drafting.commands.subjects import ACTIVE
from app.drafting.commands.values import take, vector
from app.drafting.commands.words import WORDS, plain
from app.drafting.commands.write.looks import paint
from app.drafting.commands.write.managing import collect
from app.drafting.commands.write.parts import ON_OBJECTS, PARTS
from app.drafting.commands.write.placing import CHANNELS
from app.drafting.commands.write.recipes import add_recipe, recipe_by_name
from app.drafting.commands.write.setting import assign
from app.drafting.commands.write.shader_nodes import add_node, give_group
from app.drafting.commands.write.writing import Context, writes
from app.drafting.draft import NothingSuch, NotUnderstood

_ROUNDED: Final = 0.02
"""Tolerance for the size of a round thing, which is made of straight edges."""


@writes("add")
def write_add(context: Context, add: op.Add) -> None:
    """Write an addition of any kind; raises NotUnderstood if this Blender has nothing with that name."""
    words = plain(add.kind)
    _check_details(context, add, words)
    if add.if_missing:
        _ensure_active(context, add, words)
        return
    part = context.names.part(add.kind)
    if part is not None:
        for subject in context.subjects.objects(add.to):
            with each(context.script, subject) as single:
                add_part(context, single, part, add.name, add.settings)
        return
    if words in PARTS:
        PARTS[words](context, add)
        return
    if words.endswith(" node"):
        add_node(context, add)
        return
    kind = context.names.kind(add.kind)
    if kind is not None:
        _add_object(context, add, kind)
        return
    recipe = recipe_by_name(add.kind)
    if recipe is None:
        raise NothingSuch([add.kind], f'nothing like "{add.kind}" is known.', _addable(context))
    add_recipe(context, recipe, add.settings)


def _check_details(context: Context, add: op.Add, words: str) -> None:
    """Raise NotUnderstood for details that have no effect on a thing of this kind."""
    said = {
        "a place": add.at is not None, "a material": add.look is not None, "a collection": bool(add.collection),
        "what it is added to": bool(add.to), "a name": bool(add.name), "settings": bool(add.settings),
    }  # fmt: skip
    if context.names.part(add.kind) or words.endswith(" node"):
        taken = {"what it is added to", "a name", "settings"}
    elif words in PARTS:
        taken = {"settings"}
        if not words.endswith("rigid body"):
            taken.add("a name")
        if words == "material":
            taken.add("a material")
        if words in ON_OBJECTS:
            taken.add("what it is added to")
    elif context.names.kind(add.kind):
        taken = set(said) - {"what it is added to"}
    else:
        taken = {"settings"}
    unused = [name for name, is_said in said.items() if is_said and name not in taken]
    if unused and not add.if_missing:
        raise NotUnderstood([add.kind], f"{unused[0].capitalize()} has no meaning for a {add.kind}.")


def _addable(context: Context) -> str:
    kinds = ", ".join(context.names.kinds())
    return (
        f"{kinds}, an empty, a wind force field, a bevel modifier and every other modifier, "
        f"constraint and node by its label, {', '.join(PARTS)}, and the recipes of the cookbook"
    )


def _ensure_active(context: Context, add: op.Add, words: str) -> None:
    """Add a cube if there is no active object."""
    if words not in ACTIVE:
        raise NotUnderstood([add.kind], 'Only "the active object" is added if missing.')
    with context.script.block("if bpy.context.object is None:"):
        context.script.line("bpy.ops.mesh.primitive_cube_add()")
    context.subjects.one_more("MESH", "", "Cube")
    context.subjects.last_thing = context.subjects.active()


def add_part(context: Context, owner: Subject, part: PartKind, name: str, settings: tuple[op.NamedValue, ...]) -> None:
    """Find a modifier or constraint of an object by its name, or add it."""
    script = context.script
    number = context.subjects.count(f"{owner.code} {name or part.label}")
    if number > 1 and name:
        raise NotUnderstood([name], f'It has a {part.label} called "{name}" already: give the new one another name.')
    called = name or (part.label if number == 1 else f"{part.label}.{number - 1:03}")
    code = script.variable(called)
    family = f"{owner.code}.{part.family}"
    made = f'{family}.new("{part.identifier}")'
    if part.family != "constraints":
        made = f'{family}.new({script.literal(called)}, "{part.identifier}")'
    script.line(f"{code} = {family}.get({script.literal(called)}) or {made}")
    if part.family == "constraints" and name:
        script.line(f"{code}.name = {script.literal(name)}")
    if settings and part.identifier != "NODES":
        narrow(script, code, part.type)
    subject = Subject(code, part.type, owner.where.below(f"{part.family}[{literal(called)}]"), name=called)
    if part.family in {"modifiers", "constraints"}:
        has: dict[str, Any] = {part.family: [{"type": part.identifier, "name": called}]}
        script.expect(owner.where.has({}, **has))
    if part.family == "constraints":
        tracks = "TRACK" in part.identifier
        script.checks.drop_places(owner.where, CHANNELS["rotate"] if tracks else PLACED)
    if part.identifier == "NODES":
        narrow(script, code, part.type)
        give_group(context, code, called)
    assign(context, subject, settings)
    context.subjects.part = subject


def _add_object(context: Context, add: op.Add, kind: Kind) -> None:
    """Add an object once, and set the properties that its operator does not take."""
    script = context.script
    arguments, rest, given = _arguments(context, add, kind)
    hint = add.name or add.kind
    context.subjects.check_free(add.name)
    code, key = script.variable(hint), add.name or _key(context, add)
    script.object_mode()
    with script.make_once(code, "objects", key, add.name):
        script.line(f"bpy.ops.{kind.operator}({', '.join(f'{name}={value}' for name, value in arguments.items())})")
        script.line(f"{code} = bpy.context.object")
        script.line(f"assert {code} is not None")
        if add.name:
            script.line(f"{code}.name = {script.literal(add.name)}")
    fields = (("name", add.name),) if add.name else ()
    where = Where(ObjectCheck, (*fields, ("type", kind.object_type)), mark=((script.mark_path, key),))
    made = Subject(code, "Object", where, kind.data_type, name=add.name, made="added")
    context.subjects.made(made, plain(add.kind))
    expected: dict[str, Any] = {"location": list(vector(add.at))} if add.at is not None else {}
    size = _dimensions(kind, given)
    if size:
        expected |= {"dimensions": size, "tolerance": _ROUNDED}
    script.expect(where.has({}, **expected))
    if not given.keys() & {"scale", "rotation", "align"}:
        script.checks.suppose(where.has({}, rotation=[0.0] * 3, scale=[1.0] * 3))
    script.stale = True
    assign(context, made, rest)
    if add.look:
        paint(context, made, add.look)
    if add.collection:
        collect(context, made, add.collection)


def _key(context: Context, add: op.Add) -> str:
    """The mark of an object without a name: its kind, with a number from the second one on."""
    kind = plain(add.kind)
    number = context.subjects.count(kind)
    return kind if number == 1 else f"{kind} {number}"


def _arguments(
    context: Context, add: op.Add, kind: Kind
) -> tuple[dict[str, str], tuple[op.NamedValue, ...], dict[str, Any]]:
    """The arguments of the operator as code, the settings that it does not take, and its plain values."""
    operator = context.names.manifest.operators[kind.operator]
    code = {name: context.script.literal(value) for name, value in kind.arguments}
    plain_values: dict[str, Any] = {}
    rest: list[op.NamedValue] = []
    for setting in add.settings:
        found = _argument(operator.arguments, setting.name)
        if found is None:
            rest.append(setting)
            continue
        value = take(context.names, PropertyPath((found.name,), found, operator.name), setting.value)
        code[found.name] = context.script.literal(value)
        plain_values[found.name] = value
    if add.at is not None:
        code["location"] = context.script.literal(vector(add.at))
    return code, tuple(rest), plain_values


def _argument(arguments: Any, words: str) -> Any:
    """The argument of an operator with this name."""
    for named in (plain(words), plain(WORDS["properties"].get(plain(words), ""))):
        for argument in arguments.values():
            if named and not argument.hidden and named in {plain(argument.name), plain(argument.label)}:
                return argument
    return None


def _dimensions(kind: Kind, given: dict[str, Any]) -> list[float]:
    """The dimensions of a primitive, if its sizes were given."""
    shape = kind.operator.removeprefix("mesh.primitive_").removesuffix("_add")
    if not given or any(name in given for name in ("scale", "rotation", "align")):
        return []
    size, radius = given.get("size"), given.get("radius")
    match shape:
        case "cube" if size:
            return [size] * 3
        case "plane" | "grid" if size:
            return [size, size, 0.0]
        case "uv_sphere" if radius and given.get("segments", 32) % 4 == 0 and given.get("ring_count", 16) % 2 == 0:
            return [2 * radius] * 3
        case "cylinder" if radius and given.get("vertices", 32) % 4 == 0:
            return [2 * radius, 2 * radius, given.get("depth", 2.0)]
        case "torus" if "major_radius" in given and "minor_radius" in given and len(given) == 2:
            wide = 2 * (given["major_radius"] + given["minor_radius"])
            return [wide, wide, 2 * given["minor_radius"]]
        case _:
            return []
