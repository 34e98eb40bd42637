"""Delete, duplicate, rename, join, collect, select and apply: operations on whole objects."""

from __future__ import annotations

from app.accept import ChangeCheck, Check, CollectionCheck, CountCheck, DataCheck, ObjectCheck
from app.drafting.commands import operations as op
from app.drafting.commands.checks import PLACED, Where
from app.drafting.commands.known_things import AGAIN
from app.drafting.commands.literals import literal
from app.drafting.commands.subject import Subject, each
from app.drafting.commands.subjects import ACTIVE, IT
from app.drafting.commands.values import vector
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
        there = subjects.is_of_the_start(check.name or check.which)
        subjects.removed(name)
        if there:
            script.expect(check)
        return
    for subject in subjects.objects([thing]):
        kind, start = dict(subject.where.fields).get("type"), subjects.start_of(subject)
        if subject.items:
            subjects.removed_all(subject)
        elif subject.made and subject.name:
            subjects.removed(subject.name, subject)
        else:
            raise NotUnderstood([thing.words or name], AGAIN)
        with each(script, subject) as single:
            _remove(context, single.code)
        if ("which", "every") in subject.where.fields:
            script.expect(CountCheck(type=kind, at_most=0))
        elif subject.items and start:
            script.expect(ChangeCheck.model_validate({**start, "gone": True}))


def _not_named_before(context: Context, thing: op.Mention, name: str) -> tuple[str, ChangeCheck]:
    """The expression for an object of the start that no earlier command names, or "", and the check that it is gone."""
    subjects, words = context.subjects, "" if thing.name else plain(thing.words)
    if name:
        found = "" if subjects.known(name) else f"bpy.data.objects.get({literal(name)})"
        return found, ChangeCheck(name=name, gone=True)
    if words == "camera" and not subjects.is_named("camera"):
        return f"{context.script.scene()}.camera", ChangeCheck(which="camera", gone=True)
    active = words in ACTIVE or (words in IT and subjects.meaning_of_it() is None)
    found = "bpy.context.object" if active and not subjects.is_named("active") else ""
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
    added = context.script.checks.drop_part(owner.where, family, name)
    if owner.made == "added" and not added:
        raise NotUnderstood([name], f'{owner.name or "It"} has no "{name}".')
    if added or not context.subjects.start_of(owner):
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
    subjects.check_free(operation.name)
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
    fields = ("name", operation.name) if operation.name else ("added", True)
    where = Where(ObjectCheck, (fields,), mark=((script.mark_path, key),))
    subjects.made(Subject(code, "Object", where, subject.data, name=operation.name, made="copied"))
    place = {"location": list(vector(operation.at))} if operation.at is not None else {}
    script.expect(where.has({}, **place))


@writes("rename")
def write_rename(context: Context, operation: op.Rename) -> None:
    """Give an object, or another data block, a name that is free."""
    subject = context.subjects.meaning(operation.thing)
    if subject.items:
        raise NotUnderstood([operation.thing.words], "Rename one object at a time.")
    if subject.where.prefix or not (subject.is_object or subject.name):
        raise NotUnderstood([operation.thing.words], "Only objects and data blocks are renamed.")
    _rename(context, subject, operation.name)


def _rename(context: Context, subject: Subject, name: str) -> None:
    script, where = context.script, dict(subject.where.fields).get("collection", "objects")
    block, old, new = f"bpy.data.{where}", literal(subject.name), literal(name)
    if name == subject.name:
        raise NotUnderstood([name], f'It is called "{name}" already.')
    if where == "objects":
        context.subjects.check_free(name, renamed=True)
    found = bool(subject.name) and not subject.made
    if found:
        # A second run finds it renamed.
        script.amend(f"{block}[{old}]", f"{block}.get({old}) or {block}[{new}]")
        script.amend(f"{block}.new({old})", f"{block}.get({new}) or {block}.new({old})")
    script.line(f"assert {block}.get({new}) in (None, {subject.code}), {literal(f'there is {name} already')}")
    script.line(f"{subject.code}.name = {new}")
    context.subjects.rename(subject, name)
    script.expect(DataCheck(collection=where, name=name))
    if found:
        script.expect(DataCheck(collection=where, name=subject.name, absent=True))


@writes("join")
def write_join(context: Context, operation: op.Join) -> None:
    """Join objects of one type into the named one, otherwise into the last of them."""
    script, subjects = context.script, context.subjects
    things = [*operation.things, *([operation.into] if operation.into else [])]
    if len(set(things)) < len(things):
        raise NotUnderstood([], "One object is named twice.")
    if len(things) == 1 and not subjects.object(things[0]).items:
        raise NotUnderstood([], "Joining takes several objects: name them.")
    goal = subjects.known(subjects.name_of(things[-1]))
    parts, made, gone = list[str](), False, list[Check]()
    for thing in things[:-1]:
        name = subjects.name_of(thing)
        if name and not subjects.known(name):
            # A second run finds only the last one.
            parts.append(f"*filter(None, [bpy.data.objects.get({literal(name)})])")
            subjects.removed(name)
            gone.append(ChangeCheck(name=name, gone=True))
            continue
        part = subjects.object(thing)
        parts.append(f"*{part.items}" if part.items else part.code)
        gone += _join_in(context, part, goal)
        made = made or bool(part.made)
    last = subjects.object(things[-1])
    gone += _join_in(context, last, goal) if last.items else []
    script.object_mode()
    objects, target = script.variable("objects"), script.variable("target")
    script.line(f"{objects} = [{', '.join([*parts, f'*{last.items}' if last.items else last.code])}]")
    script.line(f'assert all(one.visible_get() for one in {objects}), "what is hidden cannot be joined"')
    script.line(f"{target} = {objects}[-1]")
    if any(part.startswith("*") and "filter" not in part for part in parts):
        script.line(f"{objects} = [*(one for one in {objects} if one != {target}), {target}]")
    if made:
        joined = f'{script.mark()} + ", {objects}"'
        with script.block(f"if {target}.get({joined}):  # this is a second run, which has made the parts again"):
            with script.block(f"for one in {objects}[:-1]:"):
                script.line("data = one.data")
                script.line("bpy.data.objects.remove(one)")
                with script.block("if data is not None and not data.users:"):
                    script.line("bpy.data.batch_remove([data])")
            script.line(f"{objects} = [{target}]")
        script.line(f"{target}[{joined}] = True")
    with script.block(f"if len({objects}) > 1:"):
        script.line(
            f"override = bpy.context.temp_override(active_object={target}, selected_editable_objects={objects})"
        )
        with script.block("with override:"):
            script.line("bpy.ops.object.join()")
    for check in gone:
        script.expect(check)
    where = last.where if not last.items else Where(ObjectCheck, (("type", "MESH"),))
    subjects.last_thing = Subject(target, "Object", where, "Mesh", name=last.name, made=last.made)
    if operation.name:
        _rename(context, subjects.last_thing, operation.name)
    script.stale = True


def _join_in(context: Context, part: Subject, goal: Subject | None) -> list[Check]:
    """Record that an object, or each of several, is gone into another one, and return the checks of that."""
    if part.items:
        context.subjects.removed_all(part, goal)
        return [CountCheck(type=dict(part.where.fields).get("type"), at_most=1)] if part.where.fields else []
    if not part.made:
        raise NotUnderstood([part.name or "it"], AGAIN)
    context.subjects.removed(part.name, part)
    return []


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
    script.settle()  # what was deleted is still among the objects of the view layer until then
    with script.block(f"for other in {script.view_layer()}.objects:"):
        script.line("other.select_set(False)")
    context.subjects.choose(subjects)
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
    placed = script.checks.placed(None, *PLACED)
    script.checks.drop_places()
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
    if not placed:
        expect_change(context, subject, same_shape=True)
