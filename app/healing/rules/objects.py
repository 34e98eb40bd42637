"""Objects and scenes since 2.80: selecting, hiding, linking, the active object, updating."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, keyword
from app.reading.api.values import UNKNOWN, Coll, PyMember, Rna, options
from ingest.manifest import RnaFunction

# Properties of an object that became functions to read and set them.
_SWITCHES: Final = {"select": ("select_get()", "select_set"), "hide": ("hide_get()", "hide_set")}


@rule("2.80: `object.select` and `object.hide` became functions")
def object_select(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.lacking("Object", *_SWITCHES):
        name, owner = attribute.attr.value, sight.code(attribute.value)
        ask, tell = _SWITCHES[name]
        reason = f"`object.{name}` is gone since 2.80: `{tell}(...)` sets it and `{ask}` asks"
        assign = sight.assignment_to(attribute)
        if assign:
            yield sight.instead(assign, f"{owner}.{tell}({sight.code(assign.value)})", reason=reason)
        elif sight.is_read(attribute):
            yield sight.replace(attribute, f"{owner}.{ask}", reason)


@rule("2.80: `for ob in bpy.data.objects: ob.select_set(True)`: nothing was said about objects of no scene")
def outside_the_layer(sight: Sight) -> Iterator[TreeEdit]:
    said = sight.trouble.message if sight.trouble else ""
    for attribute in sight.attributes("select_set", "hide_set") if "because it is not in View Layer" in said else ():
        call, owner = sight.call_of(attribute), sight.code(attribute.value)
        statement = sight.alone(call) if call else None
        loops = [outer for outer in sight.around(attribute) if isinstance(outer, cst.For)]
        of_all = any(sight.code(one.target) == owner and sight.code(one.iter) == "bpy.data.objects" for one in loops)
        if statement and of_all and sight.fails_at(statement):
            test = f"if {owner}.name in bpy.context.view_layer.objects:\n    {sight.code(statement)}"
            reason = "an object that is not in the view layer cannot be selected or hidden since 2.80"
            yield sight.instead(statement, test, reason=reason)


def _scene_objects(sight: Sight, *names: str) -> Iterator[tuple[cst.Attribute, str]]:
    """Attributes of these names on the objects of a scene, each with the source of that scene."""
    for attribute in sight.attributes(*names):
        objects = attribute.value
        if not isinstance(objects, cst.Attribute) or objects.attr.value != "objects":
            continue
        # A parameter with the usual name of the scene may hold it, even if its value is unknown.
        failed = (
            sight.trouble is not None and sight.fails_at(attribute) and "bpy_prop_collection" in sight.trouble.message
        )
        known = sight.collection(objects) == "SceneObjects"
        if known or (failed and sight.collection(objects) == ""):
            yield attribute, sight.code(objects.value)


@rule("2.80: `scene.objects.link` became `scene.collection.objects.link`")
def scene_link(sight: Sight) -> Iterator[TreeEdit]:
    for attribute, scene in _scene_objects(sight, "link"):
        call = sight.call_of(attribute)
        if call and sight.alone(call) is None:
            # The result of `link` is gone too.
            continue
        reason = "objects are linked to a collection since 2.80: `scene.collection.objects.link`"
        yield sight.replace(attribute, f"{scene}.collection.objects.link", reason)


@rule("2.80: `scene.objects.unlink`")
def scene_unlink(sight: Sight) -> Iterator[TreeEdit]:
    for attribute, scene in _scene_objects(sight, "unlink"):
        call = sight.call_of(attribute)
        statement = sight.alone(call) if call else None
        if call and statement and len(call.args) == 1:
            reason = "objects are unlinked from their collections since 2.80"
            given = sight.code(call.args[0].value)
            thing = given if isinstance(call.args[0].value, cst.Name) else "unlinked"
            unlink = f"holder.objects.unlink({thing})"
            loop = f"for holder in list({thing}.users_collection):\n    {unlink}"
            if sight.has("Collection", "children_recursive"):
                # Those of other scenes keep it.
                every = f"[{scene}.collection, *{scene}.collection.children_recursive]"
                loop = f"for holder in {every}:\n    if {thing}.name in holder.objects:\n        {unlink}"
            # Once, because to ask for it may change something, and it may not be the active one any more.
            bound = [] if thing == given else [f"{thing} = {given}"]
            yield sight.instead(statement, *bound, loop, reason=reason)


@rule("2.80: `scene.objects.active` became `view_layer.objects.active`")
def scene_active(sight: Sight) -> Iterator[TreeEdit]:
    for attribute, scene in _scene_objects(sight, "active"):
        reason = "the active object belongs to the view layer since 2.80"
        context = scene.removesuffix(".scene") if scene.endswith("context.scene") else "bpy.context"
        yield sight.replace(attribute, f"{context}.view_layer.objects.active", reason)


@rule("2.80: `scene.update()` became `view_layer.update()`")
def scene_update(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.lacking("Scene", "update"):
        call = sight.call_of(attribute)
        if call:
            reason = "`scene.update()` is gone since 2.80: a view layer is updated"
            yield sight.replace(call, "bpy.context.view_layer.update()", reason)


_UNLINKED: Final = re.compile(r"^objects? (.+?) (?:is|are) in no collection of the scene")


@rule("an object that was made and linked to no collection", silent=True)
def not_linked(sight: Sight) -> Iterator[TreeEdit]:
    unlinked = [match[1] for message in sight.said if (match := _UNLINKED.match(message))]
    names = set(re.findall(r'"([^"]+)"', " ".join(unlinked)))
    made = [made for made in _made_objects(sight) if f"link({made[1]})" not in sight.text] if names else []
    for assign, variable, name in made:
        # A computed name is that of the object if the snippet makes no other object that it does not link.
        if name in names or (name is None and len(made) == 1):
            reason = "the object is in no collection, so that nothing shows it: it is linked to the active one"
            yield sight.after(assign, f"bpy.context.collection.objects.link({variable})", reason=reason)


def _made_objects(sight: Sight) -> Iterator[tuple[cst.Assign, str, str | None]]:
    """Each `thing = bpy.data.objects.new(name, data)`, with the variable, and the name unless it is computed."""
    for assign in sight.all(cst.Assign):
        call, target = assign.value, assign.targets[0].target
        if not isinstance(call, cst.Call) or not isinstance(target, cst.Name) or not call.args:
            continue
        if sight.code(call.func).endswith("data.objects.new"):
            first = keyword(call, "name") or call.args[0]
            yield assign, target.value, sight.text_of(first.value)


@rule("2.80: `bpy.data.objects.remove(o, True)`: the positional argument became keyword-only")
def do_unlink(sight: Sight) -> Iterator[TreeEdit]:
    for call, owner in sight.methods("remove"):
        if len(call.args) != 2:
            continue
        second = call.args[1]
        of_data = re.fullmatch(r"bpy\.data\.\w+", sight.code(owner))
        if of_data and second.keyword is None and second.star == "" and not sight.is_guarded(call):
            yield sight.argument(
                second, f"do_unlink={sight.code(second.value)}", "`do_unlink` is given by keyword since 2.80"
            )


@rule("3.0: `obj.cycles_visibility.shadow` is `obj.visible_shadow`")
def cycles_visibility(sight: Sight) -> Iterator[TreeEdit]:
    new = {"camera": "visible_camera", "diffuse": "visible_diffuse", "glossy": "visible_glossy"}
    new |= {"shadow": "visible_shadow", "transmission": "visible_transmission", "scatter": "visible_volume_scatter"}
    for attribute in sight.lacking("Object", "cycles_visibility"):
        outer = sight.parent(attribute)
        if isinstance(outer, cst.Attribute) and outer.attr.value in new:
            name = new[outer.attr.value]
            reason = f"`cycles_visibility.{outer.attr.value}` is `{name}` since 3.0"
            yield sight.replace(outer, f"{sight.code(attribute.value)}.{name}", reason)


@rule('2.80: `scene.render.layers["RenderLayer"]` is `scene.view_layers[0]`')
def render_layers(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.lacking("RenderSettings", "layers"):
        render, outer = attribute.value, sight.parent(attribute)
        direct = isinstance(render, cst.Attribute) and render.attr.value == "render"
        scene = render.value if isinstance(render, cst.Attribute) and direct else render
        new = f"{sight.code(scene)}.view_layers" if direct else f"{sight.code(render)}.id_data.view_layers"
        reason = "the render layers of a scene are its view layers since 2.80"
        if isinstance(outer, cst.Subscript) and any(
            isinstance(part.slice, cst.Index) and sight.text_of(part.slice.value) == "RenderLayer"
            for part in outer.slice
        ):
            yield sight.replace(outer, f"{new}[0]", reason)
        elif isinstance(outer, cst.Attribute) and outer.attr.value == "active":
            yield sight.replace(outer, "bpy.context.view_layer", reason)
        elif isinstance(outer, cst.Attribute) and outer.attr.value == "active_index":
            if assign := sight.assignment_to(outer):
                active = f"bpy.context.window.view_layer = {new}[{sight.code(assign.value)}]"
                yield sight.instead(assign, active, reason=reason)
            elif sight.is_read(outer):
                yield sight.replace(outer, f"{new}.find(bpy.context.view_layer.name)", reason)
        else:
            yield sight.replace(attribute, new, reason)


_KEYWORD_ONLY: Final = re.compile(r'(\w+)\(\): required parameter "(\w+)" to be a keyword argument')
_NAMED: Final = {"bmesh.update_edit_mesh": ["", "loop_triangles", "destructive"]}
"""The arguments of functions in C that tell no signature, those given by place empty."""
_OTHERWISE: Final = frozenset({"to_mesh", "new_from_object", "remove"})
"""Functions whose arguments meant something else; other rules know what."""


@rule("2.80, 2.91: `vertex_groups.new('All')`: arguments that are given by keyword")
def keyword_only(sight: Sight) -> Iterator[TreeEdit]:
    """`vertex_groups.new("All")`: arguments that may be left out are given by keyword since 2.80, those of the
    functions of `bpy.utils` and `bpy_extras` since 2.91."""
    found = _KEYWORD_ONLY.search(sight.trouble.message) if sight.trouble else None
    for call in sight.all(cst.Call):
        if sight.is_guarded(call):
            continue
        yield from _by_keyword(sight, call, _NAMED.get(sight.code(call.func)) or _of_python(sight, call.func))
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value in _OTHERWISE:
            continue
        names = _optional(sight, call.func)
        names = names if len(call.args) <= len(names) else []
        failed = (
            found is not None and call.func.attr.value == found[1] and (sight.fails_at(call) or _is_same(sight, call))
        )
        if not any(names) and found and failed:
            names = [found[2]]
        yield from _by_keyword(sight, call, names)


def _by_keyword(sight: Sight, call: cst.Call, names: list[str]) -> Iterator[TreeEdit]:
    """The arguments of a call that are given by place, by these names; those with an empty one stay."""
    for argument, name in zip(call.args, names, strict=False):
        if argument.keyword or argument.star:
            break
        if name:
            reason = f"`{name}` is given by keyword in Blender {sight.manifest.series}"
            yield sight.argument(argument, f"{name}={sight.code(argument.value)}", reason)


def _of_python(sight: Sight, function: cst.BaseExpression) -> list[str]:
    """The names of the arguments of a function of a Python module of Blender, empty for those given by place."""
    value = sight.value(function)
    signature = sight.api.python.signature(value) if isinstance(value, PyMember) else None
    if signature is None or not signature.exact or signature.more_positional:
        return []
    return [*("" for _ in signature.positional), *signature.keyword_only]


def _optional(sight: Sight, function: cst.Attribute) -> list[str]:
    """The names of the arguments of a function of the API, in order, with an empty text for those that are required."""
    owners = {value.type if isinstance(value, Rna | Coll) else "" for value in options(sight.value(function.value))}
    member = sight.manifest.find(owners.pop(), function.attr.value) if len(owners) == 1 else None
    if member is None or not isinstance(member[1], RnaFunction):
        return []
    return ["" if argument.required else argument.name for argument in member[1].arguments]


def _is_same(sight: Sight, call: cst.Call) -> bool:
    """True if a call has the function of the call that failed: of the same name, on a value of the same kind."""
    failed = [other for other in sight.all(cst.Call) if sight.fails_at(other) and isinstance(other.func, cst.Attribute)]
    return isinstance(call.func, cst.Attribute) and any(
        isinstance(other.func, cst.Attribute)
        and other.func.attr.value == call.func.attr.value
        and sight.value(other.func.value) == sight.value(call.func.value) != UNKNOWN
        for other in failed
    )


@rule("2.80: `bpy.context.screen.scene`: a window has a scene, and its screen has none")
def screen_scene(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.lacking("Screen", "scene"):
        owner = sight.code(attribute.value)
        context = owner.removesuffix(".screen").removesuffix(".window") if owner.endswith(".screen") else "bpy.context"
        new = "scene" if sight.is_read(attribute) else "window.scene"
        yield sight.replace(attribute, f"{context}.{new}", "a screen has no scene since 2.80, its window has")


@rule("2.80, 2.91: `scene.ray_cast(origin, direction)`")
def ray_cast(sight: Sight) -> Iterator[TreeEdit]:
    graph = "bpy.context.evaluated_depsgraph_get()"
    for attribute in sight.attributes("ray_cast"):
        call = sight.call_of(attribute)
        failed = sight.trouble is not None and "Scene.ray_cast()" in sight.trouble.message and sight.fails_at(attribute)
        known = sight.is_a(attribute.value, "Scene")
        if call is None or not (failed or known) or not call.args or call.args[0].keyword or call.args[0].star:
            continue
        first = call.args[0].value
        reason = f"`scene.ray_cast` is given the dependency graph first in Blender {sight.manifest.series}"
        if len(call.args) == 2 and all(argument.keyword is None and not argument.star for argument in call.args):
            given = ", ".join(sight.code(argument.value) for argument in call.args)
            yield sight.replace(call, f"{sight.code(attribute)}({graph}, {given})", reason)
        elif sight.is_a(first, "ViewLayer") or (failed and sight.trouble and "not ViewLayer" in sight.trouble.message):
            yield sight.replace(first, graph, reason)


_MADE_OF: Final = {
    "to_mesh": ("scene", "apply_modifiers", "settings", "calc_tessface", "calc_undeformed"),
    "new_from_object": ("scene", "object", "apply_modifiers", "settings", "calc_tessface", "calc_undeformed"),
}
"""The arguments of older Blenders, in order."""


@rule("2.80: `obj.to_mesh(scene, True, 'RENDER')` made a new mesh with the modifiers applied")
def to_mesh(sight: Sight) -> Iterator[TreeEdit]:
    for function in sight.attributes(*_MADE_OF):
        call, name = sight.call_of(function), function.attr.value
        if call is None or any(argument.star for argument in call.args):
            continue
        by_place = itertools.takewhile(lambda argument: not argument.keyword, call.args)
        given = dict(zip(_MADE_OF[name], (argument.value for argument in by_place), strict=False))
        named = {argument.keyword.value: argument.value for argument in call.args if argument.keyword}
        modifiers = (given | named).get("apply_modifiers")
        of = function.value if name == "to_mesh" else (given | named).get("object")
        # Today both take further arguments by keyword only.
        settings = (given | named).get("settings")
        told = settings is not None and sight.text_of(settings) in {"PREVIEW", "RENDER"}
        is_sure = "apply_modifiers" in named or name == "new_from_object" or told
        if modifiers is None or of is None or not (is_sure or sight.is_a(of, "Object")):
            continue
        thing, modified = sight.operand(of), sight.code(modifiers)
        evaluated = f"{thing}.evaluated_get(bpy.context.evaluated_depsgraph_get())"
        source = {"True": evaluated, "False": thing}.get(modified, f"{evaluated} if {modified} else {thing}")
        reason = "a mesh with its modifiers is made from the evaluated object since 2.80"
        yield sight.replace(call, f"bpy.data.meshes.new_from_object({source})", reason)
