"""Add: parts of an object or of the file that are neither objects nor modifiers, one function per part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.accept import DataCheck
from app.accept.check_values import LARGEST_INT
from app.drafting.commands import operations as op
from app.drafting.commands.checks import Where
from app.drafting.commands.literals import literal
from app.drafting.commands.subject import Subject, each
from app.drafting.commands.write.looks import inputs_of, title_of
from app.drafting.commands.write.managing import collect, collection_by_name
from app.drafting.commands.write.setting import SHADER, assign, write_input
from app.drafting.commands.write.writing import Context
from app.drafting.draft import NotUnderstood


def _each_object(context: Context, add: op.Add, write: Callable[[Subject], Subject | None]) -> None:
    """Write the part of each referenced object, and its settings."""
    for subject in context.subjects.objects(add.to):
        with each(context.script, subject) as single:
            part = write(single)
            if part is not None:
                assign(context, part, add.settings)
                context.subjects.part = part


def _rigid_body(context: Context, add: op.Add) -> None:
    """A rigid body, active unless the request says passive."""
    script = context.script

    def write(owner: Subject) -> Subject:
        with script.block(f"if {owner.code}.rigid_body is None:"):
            override = f"object={owner.code}, active_object={owner.code}, selected_objects=[{owner.code}]"
            with script.block(f"with bpy.context.temp_override({override}):"):
                script.line("bpy.ops.rigidbody.object_add()")
        body = script.variable("body")
        script.line(f"{body} = {owner.code}.rigid_body")
        script.line(f"assert {body} is not None")
        kind = "PASSIVE" if add.kind.lower().startswith("passive") else "ACTIVE"
        script.line(f'{body}.type = "{kind}"')
        script.expect(owner.where.has({"rigid_body.type": kind}))
        return Subject(body, "RigidBodyObject", owner.where.below("rigid_body"))

    _each_object(context, add, write)


def _named_member(collection: str, type_name: str, mesh: bool = False) -> Callable[[Context, op.Add], None]:
    """Something with a name in a collection of an object, or of its mesh."""

    def write_all(context: Context, add: op.Add) -> None:
        script, name = context.script, add.name or add.kind.title()

        def write(owner: Subject) -> Subject:
            holder = context.subjects.data_of(owner, "Mesh").code if mesh else owner.code
            code = script.variable(name)
            members = f"{holder}.{collection}"
            script.line(f"{code} = {members}.get({literal(name)}) or {members}.new(name={literal(name)})")
            if mesh:
                # `new` returns None on a mesh without faces or if a member of another kind has the name.
                script.line(f"assert {code} is not None")
            where = owner.where.below(f"{'data.' if mesh else ''}{collection}[{literal(name)}]")
            script.expect(where.has({"name": name}))
            return Subject(code, type_name, where, name=name)

        _each_object(context, add, write)

    return write_all


def _shape_key(context: Context, add: op.Add) -> None:
    """A shape key, with the basis that it differs from."""
    script, name = context.script, add.name or "Key"

    def write(owner: Subject) -> Subject:
        script.imports("from typing import Any")
        data, code = script.variable("data"), script.variable(name)
        script.line(f"{data}: Any = {owner.code}.data")
        keys, blocks = script.variable("keys"), script.variable("blocks")
        script.line(f"{keys} = {data}.shape_keys")
        with script.block(f"if {keys} is None:"):
            script.line(f'{owner.code}.shape_key_add(name="Basis")')
        script.line(f"{blocks} = {data}.shape_keys.key_blocks")
        with script.block(f"if {literal(name)} not in {blocks}:"):
            script.line(f"{owner.code}.shape_key_add(name={literal(name)})")
        script.line(f"{code} = {blocks}[{literal(name)}]")
        where = owner.where.below(f"data.shape_keys.key_blocks[{literal(name)}]")
        script.expect(where.has({"name": name}))
        return Subject(code, "ShapeKey", where, name=name)

    _each_object(context, add, write)


def _particle_system(context: Context, add: op.Add) -> None:
    """A particle system; the settings belong to its particle settings."""
    script, name = context.script, add.name or "Particles"

    def write(owner: Subject) -> Subject:
        modifiers = f"{owner.code}.modifiers"
        with script.block(f"if {literal(name)} not in {modifiers}:"):
            script.line(f'{modifiers}.new({literal(name)}, "PARTICLE_SYSTEM")')
        particles = script.variable("particles")
        script.line(f"{particles} = {owner.code}.particle_systems[{literal(name)}].settings")
        script.expect(owner.where.has({}, modifiers=[{"type": "PARTICLE_SYSTEM", "name": name}]))
        where = owner.where.below(f"particle_systems[{literal(name)}].settings")
        return Subject(particles, "ParticleSettings", where, name=name)

    _each_object(context, add, write)


def _custom_property(context: Context, add: op.Add) -> None:
    """A custom property of an object: a number, a vector, a truth value or a text."""
    if not add.name or len(add.settings) != 1:
        raise NotUnderstood([add.kind], 'Write: add a custom property called "hp" with value 100 to the cube.')
    script, value = context.script, add.settings[0].value
    match value:
        case op.Number() if value.unit:
            raise NotUnderstood([value.unit], "A custom property has no unit: give the number alone.")
        case op.Number():
            whole = abs(value.number) < LARGEST_INT and value.number == int(value.number)
            said: object = int(value.number) if whole else value.number
        case op.Vector():
            said = tuple(part.number for part in value.parts)
        case op.Word():
            said = value.text == "on" if value.text in {"on", "off"} and not value.quoted else value.text

    def write(owner: Subject) -> None:
        script.line(f"{owner.code}[{literal(add.name)}] = {literal(said)}")
        script.expect(owner.where.has({f"[{literal(add.name)}]": said}))

    _each_object(context, add, write)


def _collection(context: Context, add: op.Add) -> None:
    """A collection of the scene, with the named objects."""
    if not add.name:
        raise NotUnderstood([add.kind], 'Name the collection: add a collection called "Props".')
    code = collection_by_name(context, add.name)
    where = Where(DataCheck, (("collection", "collections"), ("name", add.name)))
    assign(context, Subject(code, "Collection", where, name=add.name), add.settings)
    for subject in context.subjects.objects(add.to) if add.to else []:
        with each(context.script, subject) as single:
            collect(context, single, add.name)


def _data_block(where: str, type_name: str) -> Callable[[Context, op.Add], None]:
    """A data block by its name."""

    def write(context: Context, add: op.Add) -> None:
        script = context.script
        name = add.name or (title_of(add.look) if add.look else "")
        if not name:
            raise NotUnderstood([add.kind], f'Name the {add.kind}: add a {add.kind} called "Fresh".')
        code = script.variable(name)
        with script.make_once(code, where, name, name):
            script.line(f"{code} = bpy.data.{where}.new({literal(name)})")
        if where in {"materials", "worlds"} and script.series < (5, 0):
            script.line(f"{code}.use_nodes = True")
        script.line(f"{code}.use_fake_user = True  # it is kept though nothing uses it yet")
        check = Where(DataCheck, (("collection", where), ("name", name)))
        made = Subject(code, type_name, check, name=name)
        script.expect(check.has({"use_fake_user": True}))
        context.subjects.know(where, name, made)
        for socket, value in (inputs_of(add.look) if add.look else {}).items():
            write_input(context, context.subjects.node(made, SHADER), socket, value)
        assign(context, made, add.settings)
        context.subjects.part = made
        if where in {"materials", "worlds"}:
            context.subjects.trees = made

    return write


def _marker(context: Context, add: op.Add) -> None:
    """A marker of the timeline."""
    frame = next((setting.value for setting in add.settings if setting.name == "frame"), None)
    whole = isinstance(frame, op.Number) and frame.number == int(frame.number) and len(add.settings) == 1
    if not add.name or not isinstance(frame, op.Number) or not whole:
        raise NotUnderstood([add.kind], 'Write: add a marker called "Hit" with frame 42.')
    script = context.script
    code, markers = script.variable(add.name), f"{script.scene()}.timeline_markers"
    script.line(f"{code} = {markers}.get({literal(add.name)}) or {markers}.new({literal(add.name)})")
    script.line(f"{code}.frame = {int(frame.number)}")
    where = context.subjects.meaning(op.Mention(words="scene")).where.below(f"timeline_markers[{literal(add.name)}]")
    script.expect(where.has({"frame": int(frame.number)}))


ON_OBJECTS: Final = frozenset(
    {"rigid body", "active rigid body", "passive rigid body", "vertex group", "uv map", "shape key", "particle system"}
    | {"custom property", "collection"}
)
"""The parts that are added to objects."""
PARTS: Final[dict[str, Callable[[Context, op.Add], None]]] = {
    "rigid body": _rigid_body,
    "active rigid body": _rigid_body,
    "passive rigid body": _rigid_body,
    "vertex group": _named_member("vertex_groups", "VertexGroup"),
    "uv map": _named_member("uv_layers", "MeshUVLoopLayer", mesh=True),
    "shape key": _shape_key,
    "particle system": _particle_system,
    "custom property": _custom_property,
    "collection": _collection,
    "marker": _marker,
    "material": _data_block("materials", "Material"),
    "world": _data_block("worlds", "World"),
    "text block": _data_block("texts", "Text"),
    "action": _data_block("actions", "Action"),
}
"""Everything that can be added besides objects, modifiers, constraints and nodes."""
