"""Delete, duplicate, rename, join, collect, select and apply: operations on whole objects."""

from __future__ import annotations

from typing import Any

from app.accept import ChangeCheck, CollectionCheck, CountCheck, DataCheck, ObjectCheck
from app.drafting.commands import operations as op
from app.drafting.commands.script import literal
from app.drafting.commands.subject import Subject, Where, each
from app.drafting.commands.subjects import ACTIVE, IT
from app.drafting.commands.values import DATA_OF_POINTERS, vector
from app.drafting.commands.words import plain
from app.drafting.commands.write.placing import expect_change, placement
from app.drafting.commands.write.writing import Context, writes
from app.drafting.draft import NotUnderstood


@writes("delete")
def write_delete(context: Context, operation: op.Delete) -> None:
    """Remove objects, or parts of them; children stay where they are in the world."""
    if len({thing.of is None for thing in operation.things}) > 1:
        raise NotUnderstood([], "Delete objects and parts of objects in separate commands.")
    for thing in operation.things:
        if thing.of is not None:
            _delete_part(context, thing)
        else:
            _delete_object(context, thing)
    context.subjects.last_thing, context.subjects.deleted = None, True


def _delete_object(context: Context, thing: op.Mention) -> None:
    script, subjects = context.script, context.subjects
    name = subjects.name_of(thing)
    found, check = _not_named_before(context, thing, name)
    if found:
        # A second run finds it gone.
        code = script.variable(name or plain(thing.words))
        script.line(f"{code} = {found}")
        with script.block(f"if {code} is not None:"):
            _remove(context, code)
        script.forget(name)
        script.expect(check)
        return
    subject = subjects.object(thing)
    if not subject.items and not (subject.made and subject.name):
        reason = "An earlier command uses it, and a second run would not find it: delete it in another request."
        raise NotUnderstood([thing.words or name], reason)
    if not subject.items:
        _remove(context, subject.code)
        subjects.forget(subject.name)
        script.forget(subject.name)
    else:
        with each(script, subject) as single:
            _remove(context, single.code)
    expect_change(context, subject, gone=True)


def _not_named_before(context: Context, thing: op.Mention, name: str) -> tuple[str, ChangeCheck]:
    """The expression for an object of the start that no earlier command names, or "", and the check that it is gone."""
    subjects, words = context.subjects, "" if thing.name else plain(thing.words)
    if words == "camera":
        return f"{context.script.scene()}.camera", ChangeCheck(which="camera", gone=True)
    if name:
        found = "" if subjects.knows(name) else f"bpy.data.objects.get({literal(name)})"
        return found, ChangeCheck(name=name, gone=True)
    active = words in ACTIVE or (words in IT and subjects.meaning_of_it() is None)
    found = "bpy.context.object" if active and not subjects.knows("") else ""
    return found, ChangeCheck(which="active", gone=True)


def _remove(context: Context, code: str) -> None:
    """Remove one object; its children keep their places."""
    script = context.script
    script.settle()
    with script.block(f"for child in {code}.children:"):
        script.line("was = child.matrix_world.copy()")
        script.line("child.parent = None")
        script.line("child.matrix_world = was")
    script.line(f"bpy.data.objects.remove({code})")
    script.stale = True


def _delete_part(context: Context, thing: op.Mention) -> None:
    """Remove a modifier or constraint of an object."""
    assert thing.of is not None
    owner = context.subjects.object(thing.of)
    part = context.names.part(thing.words)
    if part is None:
        raise NotUnderstood([thing.words], f'"{thing.words}" is not a modifier or constraint that can be deleted.')
    script, name = context.script, thing.name or part.label
    with each(script, owner) as single:
        code = script.variable(name)
        script.line(f"{code} = {single.code}.{part.family}.get({literal(name)})")
        with script.block(f"if {code} is not None:"):
            script.line(f"{single.code}.{part.family}.remove({code})")
    _expect_loss(context, owner, part.family, name)


def _expect_loss(context: Context, owner: Subject, family: str, name: str) -> None:
    """Check that an object had a modifier or constraint and no longer has it."""
    place = f"{family}.{name}"
    added = context.script.drop_part(owner.where.fields, family, name)
    if owner.made and not added:
        raise NotUnderstood([name], f'{owner.name or "It"} has no "{name}".')
    if added:
        context.script.expect(owner.where.has({}, without=[place]))
    else:
        expect_change(context, owner, lost=[place])


@writes("duplicate")
def write_duplicate(context: Context, operation: op.Duplicate) -> None:
    """Copy one object once; a copy that is not linked has data of its own."""
    script, subjects = context.script, context.subjects
    subject = subjects.object(operation.thing)
    if subject.items:
        raise NotUnderstood([operation.thing.words], "Duplicate one object at a time.")
    if not subject.made:
        with placement(script, [subject]):
            pass
    else:
        script.settle()
    key = operation.name or f"copy of {subject.name or 'the object'} {subjects.count('copy')}"
    code = script.variable(operation.name or "copy")
    with script.make_once(code, "objects", key, operation.name):
        script.line(f"{code} = {subject.code}.copy()")
        if not operation.linked:
            with script.block(f"if {subject.code}.data is not None:"):
                script.line(f"{code}.data = {subject.code}.data.copy()")
        with script.block(f"for collection in {subject.code}.users_collection:"):
            script.line(f"collection.objects.link({code})")
        if operation.name:
            script.line(f"{code}.name = {literal(operation.name)}")
        if operation.at is not None or operation.by is not None:
            script.line(f"{script.view_layer()}.update()")
        if operation.at is not None:
            script.line(f"{code}.matrix_world.translation = {literal(vector(operation.at))}")
        elif operation.by is not None:
            script.imports("from mathutils import Vector")
            script.line(f"{code}.matrix_world.translation += Vector({literal(vector(operation.by))})")
    script.stale = True
    fields: dict[str, Any] = {"name": operation.name} if operation.name else {"which": "every"}
    where = Where(ObjectCheck, tuple({**fields, "added": True}.items()), mark=((script.mark_path, key),))
    place = {"location": list(vector(operation.at))} if operation.at is not None else {}
    script.expect(where.has({}, **place))
    subjects.remember(Subject(code, "Object", where, subject.data, name=operation.name, made=True), operation.name)


@writes("rename")
def write_rename(context: Context, operation: op.Rename) -> None:
    """Give an object, or another data block, a name that is free."""
    script, subjects = context.script, context.subjects
    words = plain(operation.thing.words)
    block = next(
        (name for name in DATA_OF_POINTERS if plain(name) == words and name not in {"Object", "Camera", "Light"}), None
    )
    where = DATA_OF_POINTERS[block] if block and operation.thing.name else "objects"
    name = operation.thing.name if where != "objects" else subjects.name_of(operation.thing)
    reason = f"there is {operation.name} already"
    if name and not subjects.knows(name):
        code = script.variable(name)
        script.line(f"{code} = bpy.data.{where}.get({literal(name)})")
        with script.block(f"if {code} is not None:  # a second run finds it renamed"):
            script.line(f"assert {literal(operation.name)} not in bpy.data.{where}, {literal(reason)}")
            script.line(f"{code}.name = {literal(operation.name)}")
        with script.block("else:"):
            script.line(f"{code} = bpy.data.{where}[{literal(operation.name)}]")
        script.forget(name)
        script.expect(DataCheck(collection=where, name=name, absent=True))
        made = Subject(code, "Object", Where(ObjectCheck, (("name", operation.name),)), name=operation.name)
        subjects.remember(made, operation.name)
    else:
        subject = subjects.object(operation.thing)
        if subject.items:
            raise NotUnderstood([operation.thing.words], "Rename one object at a time.")
        script.forget(subject.name)
        free = f"bpy.data.objects.get({literal(operation.name)}) in (None, {subject.code})"
        script.line(f"assert {free}, {literal(reason)}")
        script.line(f"{subject.code}.name = {literal(operation.name)}")
        fields = {name: value for name, value in subject.where.fields if name in {"type", "added"}}
        renamed = Where(ObjectCheck, tuple({"name": operation.name, **fields}.items()))
        subjects.remember(
            Subject(subject.code, "Object", renamed, subject.data, name=operation.name, made=subject.made),
            operation.name,
        )
    script.expect(DataCheck(collection=where, name=operation.name))


@writes("join")
def write_join(context: Context, operation: op.Join) -> None:
    """Join objects of one type into the named one, otherwise into the last of them."""
    script, subjects = context.script, context.subjects
    things = [*operation.things, *([operation.into] if operation.into else [])]
    if len(set(things)) < len(things):
        raise NotUnderstood([], "One object is named twice.")
    if len(things) == 1 and not subjects.object(things[0]).items:
        raise NotUnderstood([], "Joining takes several objects: name them.")
    parts: list[str] = []
    names: list[str] = []
    for thing in things:
        name = subjects.name_of(thing)
        if name and not subjects.knows(name) and thing is not things[-1]:
            # A second run finds only the last one.
            parts.append(f"*filter(None, [bpy.data.objects.get({literal(name)})])")
            names.append(name)
            continue
        subject = subjects.object(thing)
        parts.append(f"*{subject.items}" if subject.items else subject.code)
        names.append(subject.name)
    script.object_mode()
    objects, target = script.variable("objects"), script.variable("target")
    script.line(f"{objects} = [{', '.join(parts)}]")
    script.line(f'assert all(one.visible_get() for one in {objects}), "what is hidden cannot be joined"')
    script.line(f"{target} = {objects}[-1]")
    if any(part.startswith("*") and "filter" not in part for part in parts[:-1]):
        script.line(f"{objects} = [*(one for one in {objects} if one != {target}), {target}]")
    with script.block(f"if len({objects}) > 1:"):
        script.line(
            f"override = bpy.context.temp_override(active_object={target}, selected_editable_objects={objects})"
        )
        with script.block("with override:"):
            script.line("bpy.ops.object.join()")
    last = subjects.object(things[-1])
    for thing in things:
        if plain(thing.words).startswith(("every ", "all ", "each ")):
            kind = dict(subjects.object(thing).where.fields).get("type")
            script.expect(CountCheck(type=kind, at_least=1, at_most=1))
    for name in names[:-1]:
        script.forget(name)
        if name:
            script.expect(ChangeCheck(name=name, gone=True))
            subjects.forget(name)
    joined = Subject(
        target,
        "Object",
        last.where if not last.items else Where(ObjectCheck, (("type", "MESH"),)),
        "Mesh",
        name=last.name,
    )
    if operation.name:
        script.line(f"{target}.name = {literal(operation.name)}")
        joined = Subject(target, "Object", Where(ObjectCheck, (("name", operation.name),)), "Mesh", name=operation.name)
        script.expect(joined.where.has({}))
    subjects.remember(joined, operation.name)
    script.stale = True


@writes("collect")
def write_collect(context: Context, operation: op.Collect) -> None:
    """Put objects into a collection and take them out of all others."""
    if not operation.collection:
        raise NotUnderstood([], 'Name the collection: put the cube into the collection "Props".')
    for subject in context.subjects.objects(operation.things):
        with each(context.script, subject) as single:
            collect(context, single, operation.collection)


def collect(context: Context, subject: Subject, name: str) -> None:
    """Put one object into a collection, which is made if missing."""
    script = context.script
    collection = collection_by_name(context, name)
    with script.block(f"for other in {subject.code}.users_collection:"):
        script.line(f"other.objects.unlink({subject.code})")
    with script.block(f"if {subject.code}.name not in {collection}.objects:"):
        script.line(f"{collection}.objects.link({subject.code})")
    script.expect(subject.where.has({}, collection=name))
    script.stale = True


def collection_by_name(context: Context, name: str) -> str:
    """The variable of a collection of the scene by its name."""
    script = context.script
    code = script.variable(f"{name} collection")
    script.line(f"{code} = bpy.data.collections.get({literal(name)}) or bpy.data.collections.new({literal(name)})")
    scene = f"{script.scene()}.collection"
    with script.block(f"if {code} not in {scene}.children_recursive:"):
        script.line(f"{scene}.children.link({code})")
    script.expect(CollectionCheck(name=name))
    return code


@writes("select")
def write_select(context: Context, operation: op.Select) -> None:
    """Select these objects and nothing else; the last becomes active."""
    script = context.script
    subjects = context.subjects.objects(operation.things)
    with script.block(f"for other in {script.view_layer()}.objects:"):
        script.line("other.select_set(False)")
    for subject in subjects:
        with each(script, subject) as single:
            script.line(f"{single.code}.select_set(True)")
            script.line(f"{script.view_layer()}.objects.active = {single.code}")
        script.expect(subject.where.has({}, selected=True))


@writes("apply")
def write_apply(context: Context, operation: op.Apply) -> None:
    """Apply a modifier, or the transforms of objects, whose children stay where they are."""
    what = plain(operation.what)
    for subject in context.subjects.objects(operation.of):
        if what in {"location", "rotation", "scale", "transforms", "all transforms"}:
            _apply_transform(context, subject, what)
            continue
        part = context.names.part(operation.what)
        last = context.subjects.part
        called = last.name if part and last and last.type == part.type else (part.label if part else "")
        if part is None or part.family != "modifiers":
            raise NotUnderstood(
                [operation.what], f'"{operation.what}" cannot be applied; modifiers, location, rotation and scale can.'
            )
        with each(context.script, subject) as single:
            _apply_modifier(context, single, called)
        _expect_loss(context, subject, "modifiers", called)


def _apply_modifier(context: Context, subject: Subject, name: str) -> None:
    script = context.script
    script.object_mode()
    with script.block(f"if {literal(name)} in {subject.code}.modifiers:  # a second run finds it applied"):
        script.line(f"override = bpy.context.temp_override(object={subject.code}, active_object={subject.code})")
        with script.block("with override:"):
            script.line(f"bpy.ops.object.modifier_apply(modifier={literal(name)}, single_user=True)")


def _apply_transform(context: Context, subject: Subject, what: str) -> None:
    script = context.script
    flags = [name for name in ("location", "rotation", "scale") if what in {name, "transforms", "all transforms"}]
    arguments = ", ".join(f"{name}={name in flags}" for name in ("location", "rotation", "scale"))
    script.drop_places(())
    script.object_mode()
    with placement(script, [subject]) as (code, _):
        script.line(f"places = [(child, child.matrix_world.copy()) for child in {code}.children]")
        selected = f"active_object={code}, selected_editable_objects=[{code}]"
        with script.block(f"with bpy.context.temp_override({selected}):"):
            isolate = "isolate_users" in context.names.manifest.operators["object.transform_apply"].arguments
            script.line(f"bpy.ops.object.transform_apply({arguments}{', isolate_users=True' if isolate else ''})")
        if not subject.items:
            script.line(f"{script.view_layer()}.update()")
        with script.block("for child, was in places:"):
            script.line("child.matrix_world = was")
    for name in flags:
        neutral = [1.0] * 3 if name == "scale" else [0.0] * 3
        script.expect(subject.where.has({"rotation_euler" if name == "rotation" else name: neutral}))
    if script.places_untouched:
        expect_change(context, subject, same_shape=True)
