"""Set: properties of objects, their data and parts, of data blocks, and of the scene."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Sequence
from typing import Any, Final

from app.drafting.commands import operations as op
from app.drafting.commands.checks import PLACING
from app.drafting.commands.literals import literal
from app.drafting.commands.names import DATA_OF_TYPES, Fits, Names, PropertyPath
from app.drafting.commands.subject import Subject, each
from app.drafting.commands.values import DATA_OF_POINTERS, take, takes
from app.drafting.commands.words import plain
from app.drafting.commands.write.placing import PLACES, transform
from app.drafting.commands.write.writing import Context, writes
from app.drafting.draft import NotUnderstood
from app.reading.usage.needed import needs
from ingest.manifest import Property

_ENGINES: Final = {"CYCLES": "cycles", "BLENDER_EEVEE": "eevee", "BLENDER_EEVEE_NEXT": "eevee"}
"""The structs of the scene with the settings of each engine."""
SHADER: Final = "Principled BSDF"
_SHOWN: Final = 25
"""The most settings that a refusal lists."""


@writes("set")
def write_set(context: Context, operation: op.Set) -> None:
    """Set each of the settings."""
    subjects = context.subjects.resolve(operation.of) or [_owner_of(context, operation.settings)]
    if all(subject.is_object for subject in subjects):
        # Parents come before their children.
        places = [setting for setting in operation.settings if plain(setting.name) in PLACES]
        for setting in places:
            _place(context, subjects, setting)
        rest = [setting for setting in operation.settings if setting not in places]
    else:
        rest = list(operation.settings)
    for subject in subjects if rest else ():
        with each(context.script, subject) as single:
            assign(context, single, rest)


def _place(context: Context, subjects: Sequence[Subject], setting: op.NamedValue) -> None:
    do = PLACES[plain(setting.name)]
    transform(context, subjects, op.Transform(do=do, things=(), how="to", value=setting.value))


def _owner_of(context: Context, settings: Sequence[op.NamedValue]) -> Subject:
    """The owner of a setting without a reference: the last thing named if it has the setting, otherwise the scene."""
    last = context.subjects.last_thing
    for spoken in (context.subjects.part, last):
        if spoken is not None and all(_has(context.names, spoken, setting.name) for setting in settings):
            return spoken
    scene = context.subjects.meaning(op.Mention(words="scene"))
    for setting in settings:
        if not _has(context.names, scene, setting.name):
            raise unknown(context.names, last or scene, setting.name)
    return scene


def _has(names: Names, subject: Subject, words: str, value: op.Value | None = None) -> bool:
    """True if a thing has a setting of this name that takes the value."""

    def fits(prop: Property) -> bool:
        return value is None or takes(prop, value)

    if subject.type == "Object" and plain(words) in PLACES:
        return True
    if subject.type == "Material" and plain(words) in _inputs(names):
        return True
    if _socket(names, subject, words):
        return True
    types = [subject.type, *([subject.data, *names.manifest.subtypes.get(subject.data, ())] if subject.data else [])]
    return any(names.find(type_name, words, fits) for type_name in types)


def assign(context: Context, subject: Subject, settings: Sequence[op.NamedValue]) -> None:
    """Write the settings of one thing, and the settings that they need; raises NotUnderstood."""
    given: dict[str, Any] = {}
    for written in settings:
        setting = split(context.names, subject, written)
        if subject.is_object and plain(setting.name) in PLACES:
            _place(context, [subject], setting)
            continue
        owner, found = locate(context, subject, setting.name, setting.value)
        if isinstance(found, str):
            set_input(context, owner, found, setting.value)
            continue
        for needed in requirements_of(context.names, found):
            if needed[0].dotted_path not in given:
                given[needed[0].dotted_path] = needed[1]
                write_value(context, owner, *needed)
        given[found.dotted_path] = value = take(context.names, found, setting.value)
        write_value(context, owner, found, value)


def split(names: Names, subject: Subject, setting: op.NamedValue) -> op.NamedValue:
    """A setting whose name and value are still one phrase: "operation difference" is the operation and its value."""
    if setting.value != op.Word(text="on") or _has(names, subject, setting.name):
        return setting
    words = setting.name.split()
    for length in range(len(words) - 1, 0, -1):
        name = " ".join(words[:length])
        value = op.Word(text=" ".join(words[length:]))
        if _has(names, subject, name, value):
            return op.NamedValue(name=name, value=value)
    return setting


def _check_settable(subject: Subject, words: str) -> None:
    """Raise NotUnderstood for settings of objects that are operations of their own."""
    named = plain(words)
    if named == "name":
        raise NotUnderstood([words], 'To give a name, write: rename the cube to "Box".')
    if subject.is_object and named == "parent":
        raise NotUnderstood([words], "To set a parent, write: parent the cube to the empty.")
    if subject.is_object and named == "color" and not subject.data.endswith("Light"):
        raise NotUnderstood([words], 'Write "make the cube red" for its material, or "the light Key" for a light.')
    parts = named.split()
    if subject.is_object and len(parts) == 2 and {"x", "y", "z"} & set(parts) and set(parts) & set(PLACES):
        raise NotUnderstood([words], "A place has three numbers: move the cube to (0, 0, 3).")


def locate(context: Context, subject: Subject, words: str, value: op.Value) -> tuple[Subject, PropertyPath | str]:
    """The thing that has a setting, and the property or the input of its shader or node."""
    names = context.names
    _check_settable(subject, words)

    def fits(prop: Property) -> bool:
        return takes(prop, value)

    if subject.type == "Material" and plain(words) in _inputs(names):
        return context.subjects.node(subject, SHADER), _inputs(names)[plain(words)]
    if context.names.manifest.is_a(subject.type, "Node"):
        return subject, _socket(names, subject, words) or _single(names, subject, words, fits)
    if subject.type == "World" and plain(words) in {"color", "strength"}:
        return context.subjects.node(subject, "Background"), words.capitalize()
    if subject.type == "Scene":
        engine = context.script.checks.scene_value("render.engine") or ""
        return subject, _single(names, subject, words, fits, _ENGINES.get(engine, ""))
    if not subject.is_object:
        return subject, _single(names, subject, words, fits)
    own = [] if plain(words) == "color" else names.find("Object", words, fits)
    if own and len(own[0].path) == 1:
        return subject, _only(own, words)
    types = _data_types(names, subject, words, fits)
    if types:
        holder = context.subjects.data_of(subject, types[0]) if len(types) == 1 else _any_of(context, subject, types)
        return holder, _single(names, dataclasses.replace(holder, type=types[0]), words, fits)
    own = own or names.find("Object", words)
    if own:
        return subject, _only(own, words)
    anyway = _data_types(names, subject, words, lambda _: True)
    if anyway:
        # The setting exists, so the refusal is about the value.
        take(names, _single(names, dataclasses.replace(subject, type=anyway[0]), words, fits), value)
    raise unknown(names, subject, words)


def _data_types(names: Names, subject: Subject, words: str, fits: Fits) -> list[str]:
    """The data types of this object that have the setting; raises NotUnderstood if they are of several kinds."""
    every = [] if subject.made else list(DATA_OF_TYPES.values())
    bases = [subject.data] if subject.data else every
    found: dict[str, list[str]] = {}
    for base in bases:
        if names.find(base, words, fits):
            found[base] = [base]
            continue
        below = [name for name in names.manifest.subtypes.get(base, ()) if names.find(name, words, fits)]
        if below:
            found[base] = below
    own = {
        base: types
        for base, types in found.items()
        if not any(names.manifest.is_a(base, other) for other in found if other != base)
    }
    if len(own) > 1:
        raise NotUnderstood([words], f'"{words}" is a setting of {", ".join(own)}: say which, such as the light "Key".')
    return [type_name for types in own.values() for type_name in types]


def _any_of(context: Context, subject: Subject, types: list[str]) -> Subject:
    """The data of an object whose type may be any of these."""
    code = context.script.variable("data")
    context.script.line(f"{code} = {subject.code}.data")
    classes = ", ".join(f"bpy.types.{name}" for name in types)
    context.script.line(f"assert isinstance({code}, ({classes}))")
    return Subject(code, types[0], subject.where.below("data"))


def _single(names: Names, subject: Subject, words: str, fits: Fits, struct: str = "") -> PropertyPath:
    # If no setting of this name takes the value, the refusal is about the value.
    found = names.find(subject.type, words, fits) or names.find(subject.type, words)
    if not found:
        raise unknown(names, subject, words)
    return _only([path for path in found if path.path[0] == struct] or found, words)


def _only(paths: list[PropertyPath], words: str) -> PropertyPath:
    if len({path.dotted_path for path in paths}) > 1:
        known = ", ".join(sorted({path.dotted_path for path in paths}))
        raise NotUnderstood([words], f'"{words}" may be {known}: write the one you mean.')
    return paths[0]


def unknown(names: Names, subject: Subject, words: str) -> NotUnderstood:
    """A refusal that lists the settings."""
    for kind in (words, f"{words} modifier"):
        if names.part(kind) or names.kind(kind):
            return NotUnderstood(
                [words], f'"{words}" is not a setting; to add one, write "with a {kind}" or "and a {kind}".'
            )
    type_name = subject.data if subject.is_object and subject.data else subject.type
    known = names.settings(type_name)
    near = difflib.get_close_matches(words.title(), known, 6, 0.5)
    known = [*near, *(name for name in known if name not in near)]
    listed = ", ".join(known[:_SHOWN]) + (", ..." if len(known) > _SHOWN else "")
    return NotUnderstood([words], f'{type_name} has no setting "{words}". It has: {listed}.')


def write_value(context: Context, owner: Subject, target: PropertyPath, value: Any) -> None:
    """One assignment, with its acceptance check."""
    script = context.script
    code = context.subjects.struct(owner, target.path[:-1]).code
    place = f"[{target.index}]" if target.index is not None else ""
    written = script.literal(value)
    if target.prop.type == "POINTER":
        pointed = _pointer(context, target, value)
        written, value = pointed.code, pointed.name
        if (owner.type, target.path) == ("Scene", ("camera",)):
            context.subjects.other_camera(pointed)
    script.line(f"{code}.{target.path[-1]}{place} = {written}")
    if owner.is_object and target.path[0].startswith(PLACING):
        script.checks.drop_places(owner.where)
    if value != "":
        script.expect(owner.where.has({target.dotted_path: value}))


def _pointer(context: Context, target: PropertyPath, name: str) -> Subject:
    """A data block: a known object, or a data block by its name."""
    if target.prop.of == "Object":
        words = "" if name != name.lower() else name
        return context.subjects.object(op.Mention(words=words, name="" if words else name))
    where = DATA_OF_POINTERS.get(target.prop.of)
    if where is None:
        raise NotUnderstood([name], f"{target.prop.label} cannot be set by a name.")
    return context.subjects.data_block(target.prop.of, where, name)


def requirements_of(names: Names, target: PropertyPath) -> list[tuple[PropertyPath, Any]]:
    """The settings without which this one has no effect, with the values that they need."""
    rows = needs().get(f"{target.owner}.{target.prop.name}", {})
    needed: list[tuple[PropertyPath, Any]] = []
    for name, value in rows.items():
        prop = names.property(target.owner, name)
        if prop is not None:
            needed.append((PropertyPath((*target.path[:-1], name), prop, target.owner), value))
    return needed


# Nodes and their sockets


def _inputs(names: Names) -> dict[str, str]:
    """The inputs of the shader of materials by their names in requests."""
    node = names.manifest.nodes["ShaderNodeBsdfPrincipled"]
    return {
        **{plain(socket.name).removesuffix(" weight"): socket.name for socket in node.inputs},
        **{plain(socket.name): socket.name for socket in node.inputs},
        "color": "Base Color",
    }


def input_by_name(names: Names, words: str) -> str | None:
    """The input of the shader of materials with this name."""
    return _inputs(names).get(plain(words))


def _socket(names: Names, node: Subject, words: str) -> str | None:
    known = names.manifest.nodes.get(node.type)
    sockets = (
        [socket.name for socket in known.inputs if plain(words) in {plain(socket.name), plain(socket.identifier)}]
        if known
        else []
    )
    return sockets[0] if sockets else None


def set_input(context: Context, node: Subject, socket: str, value: op.Value) -> None:
    """Set an input of a node."""
    write_input(context, node, socket, socket_value(context.names, node.type, socket, value))


def write_input(context: Context, node: Subject, socket: str, value: Any) -> None:
    """Set an input of a node to a value in Blender's form, with its acceptance check."""
    written = context.script.literal(value)
    context.script.line(f"{node.code}.inputs[{context.script.literal(socket)}].default_value = {written}")
    context.script.expect(node.where.has({f"inputs[{literal(socket)}].default_value": value}))


def socket_value(names: Names, type_name: str, socket: str, value: op.Value) -> Any:
    """The value of an input in Blender's form."""
    node = names.manifest.nodes.get(type_name)
    found = next((other for other in node.inputs if other.name == socket), None) if node else None
    kind = found.type.removeprefix("NodeSocket") if found else ""
    default = found.default if found else None
    prop = names.property("NodeSocketColor" if kind.startswith("Color") else "NodeSocketFloat", "default_value")
    if prop is None:
        raise NotUnderstood([socket], f'"{socket}" takes no value.')
    limits: dict[str, Any] = {"min": None, "max": None, "label": socket, "subtype": prop.subtype, "unit": ""}
    if kind.startswith("Color"):
        limits |= {"array": (4,), "subtype": "COLOR"}
    elif kind.startswith(("Vector", "Rotation")):
        limits |= {"array": (3,), "unit": "ROTATION" if "Euler" in kind or "Rotation" in kind else ""}
    elif kind.startswith("Bool"):
        limits |= {"type": "BOOLEAN"}
    elif kind.startswith("Int"):
        limits |= {"type": "INT"}
    elif kind.startswith("String"):
        limits |= {"type": "STRING"}
    elif isinstance(default, list):
        limits |= {"array": (len(default),)}  # pyright: ignore[reportUnknownArgumentType]
    return take(names, PropertyPath((socket,), dataclasses.replace(prop, **limits), type_name), value)
