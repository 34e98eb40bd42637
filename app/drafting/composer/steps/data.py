"""Data of the file: collections, scenes, view layers, custom properties, import, export, cleaning up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from app.drafting.composer.build import Build, Known
from app.drafting.composer.grammar import step
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Target, name, number, quoted_text, skip
from app.drafting.composer.values import clean, literal, quoted, refuse

Scalar = bool | int | float | str


ABOUT_COLLECTION: Final = (
    "~( (containing|holding) {target:object} [in it] ; (move|put|place|link) {target:object} (into|in|to) it ;"
    " (inside|in|under|below|as a child of|nested in) [the] [collection] {parent:quoted} ;"
    " a (child|sub|subcollection) [collection] [<called>] {child:quoted} ; {off=disabled|hidden|invisible|excluded} {where:visibility} ;"
    " color tag {tag:int} ; color tag color {tag:int} )"
)


@step(
    f"[<add>] [a|an] [new] (collection|subcollection) [<called>] {{name:name}} {ABOUT_COLLECTION}",
    f"[<add>] [a|an] [new] collection [<called>] {{name:name}} with {{target:object}} [in it] {ABOUT_COLLECTION}",
    f"[<add>] [a|an] [new] (child|sub) collection [<called>] {{name:name}} {ABOUT_COLLECTION}",
    "<add> [two|three|four|five|the] [new] collections [<called>] {several:names}",
    "<add> {several:names} [as] collections",
    "(nest|move|put|link|place) [the] collection {name:quoted} (inside|in|under|into|below) [the] [collection] {parent:quoted}",
)
def collection(
    build: Build,
    name: str | None,
    several: list[str] | None,
    target: Target | None,
    parent: str | None,
    child: str | None,
    off: str | None = None,
    where: frozenset[str] | None = None,
    tag: int | None = None,
) -> None:
    """New collections, perhaps with objects."""
    build.need("collection_named")
    names = several or [name or ""]
    for each in names:
        above = f", collection_named({quoted(parent)})" if parent else ""
        var = build.var(f"{each} collection")
        build.line(f"{var} = collection_named({quoted(each)}{above})")
        build.memory.setdefault("_collections", {})[each] = var
        build.memory["_collection"] = var
    if child:
        var = build.var(f"{child} collection")
        build.line(f"{var} = collection_named({quoted(child)}, {build.memory['_collection']})")
        build.memory["_collections"][child] = var
        build.memory["_child"] = var
    if parent and not several:
        build.need("nest")
        build.line(f"nest({build.memory['_collection']}, collection_named({quoted(parent)}))")
    settle(build, build.memory["_collection"], off, where, tag)
    if target is not None:
        into(build, target, build.memory["_collection"])
    build.note("collections " + ", ".join(names))


def settle(build: Build, var: str, off: str | None, where: frozenset[str] | None, tag: int | None) -> None:
    """Where a collection is hidden, and its color."""
    if off and off != "excluded":
        for attribute in sorted(where or {"hide_viewport", "hide_render"}):
            build.line(f"{var}.{attribute} = True")
    elif off:
        raise refuse(off, "from which view layer?")
    if tag is not None:
        if not 1 <= tag <= 8:
            raise refuse(str(tag), "the colors are 1 to 8")
        build.line(f'{var}.color_tag = "COLOR_{tag:02}"')


def into(build: Build, target: Target, collection_: str) -> None:
    """Move objects into a collection, and out of the others."""
    build.need("move_to_collection")
    with build.each(target) as known:
        build.line(f"move_to_collection({known.var}, {collection_})")


REST: Final = (
    "~( {off=disabled|hidden|invisible} {where:visibility} ; color tag {tag:int} ; (and|,) [only|nowhere else|{only=only there}] ;"
    " (leave|keep|leaving|keeping|but keep|and leave) (it|them) {stay=in their old one|in its old one|where they are|where it is|in the old one|in the old ones|there|in its other collections|in their other collections} [too|as well] )"
)


@step(
    f"(move|put|place|add|assign|bring|sort) {{target:object}} (into|in|to|under) [a|the] [new] collection [<called>] {{name:name}} {REST}",
    f"{{link=link}} {{target:object}} [also] (into|in|to) [a|the] [new] [collection] [<called>] {{name:name}} [collection] {REST}",
    f"(move|put|place|add|assign|bring|sort) {{target:object}} (into|in|to) [the] {{name:quoted}} [collection] {REST}",
    "(move|put|place) {target:object} (into|in|to) (it|this collection|that collection|the collection)",
    "(move|put|place) {target:object} (into|in|to) [the] {child=child}",
    "link {target:object} to (it|this collection|that collection|the collection)",
)
def to_collection(
    build: Build, target: Target, name: str | None, child: str | None, link: str | None, stay: str | None,
    off: str | None, where: frozenset[str] | None, tag: int | None,
) -> None:  # fmt: skip
    """Move objects into a collection, or link them into one more."""
    if name is None:
        found = build.memory.get("_child" if child else "_collection")
        if found is None:
            raise refuse("collection", "which one?")
        into(build, target, found)
        build.note(f"{target.said} -> collection")
        return
    build.need("collection_named")
    var = f"collection_named({quoted(name)})"
    if off or tag is not None:
        var = build.var(f"{name} collection")
        build.line(f"{var} = collection_named({quoted(name)})")
        settle(build, var, off, where, tag)
    if link or stay:
        with build.each(target) as known:
            build.line(f"goal = {var}\nif {known.var}.name not in goal.objects:\n    goal.objects.link({known.var})")
    else:
        into(build, target, var)
    build.note(f"{target.said} -> collection")


@step(
    "unlink {target:object} from [the] collection {name:quoted}",
    "(take|remove) {target:object} (out of|from) [the] collection {name:quoted}",
)
def unlink(build: Build, target: Target, name: str) -> None:
    """Take objects out of a collection."""
    text = quoted(name)
    with build.each(target) as known:
        build.line(
            f"if {known.var}.name in bpy.data.collections[{text}].objects:\n    bpy.data.collections[{text}].objects.unlink({known.var})"
        )
    build.note(f'{target.said} -> out of "{name}"')


@step(
    "(hide|exclude|disable) [the] collection {name:quoted} [{where:visibility}]",
    "{show=show|unhide|enable} [the] collection {name:quoted} [{where:visibility}]",
)
def hide_collection(build: Build, name: str, where: frozenset[str] | None, show: str | None) -> None:
    """Hide a collection."""
    for attribute in sorted(where or {"hide_viewport", "hide_render"}):
        build.line(f"bpy.data.collections[{quoted(name)}].{attribute} = {not show}")
    build.note(f'collection "{name}"')


@step(
    "exclude [the] collection {name:quoted} [from (the|this|the current|the active) view layer]",
    "exclude [the] collection {name:quoted} from [the] view layer {layer:quoted}",
)
def exclude(build: Build, name: str, layer: str | None) -> None:
    """Exclude a collection from a view layer."""
    view = f"{build.scene()}.view_layers[{quoted(layer)}]" if layer else build.view_layer()
    build.line(f"waiting = [{view}.layer_collection]")
    with build.block("while waiting:"):
        build.line(
            f"each = waiting.pop()\nwaiting.extend(each.children)\nif each.collection.name == {quoted(name)}:\n    each.exclude = True"
        )
    build.note(f'collection "{name}" excluded')


@step("mark {target:object} as [an] asset", "mark [the] material {name:quoted} as [an] asset")
def asset(build: Build, target: Target | None, name: str | None) -> None:
    """Mark data as an asset."""
    if name:
        build.line(f"bpy.data.materials[{quoted(name)}].asset_mark()")
    else:
        with build.each(target) as known:
            build.line(f"{known.var}.asset_mark()")
    build.note("asset")


@step("rename [the] collection {name:quoted} [to|into|as] {new:name}")
def rename_collection(build: Build, name: str, new: str) -> None:
    """Rename a collection."""
    build.once()
    build.line(f"bpy.data.collections[{quoted(name)}].name = {quoted(new)}")
    build.note(f'collection renamed to "{new}"')


@step(
    "<remove> [the] collection {name:quoted} [but keep its objects|and keep its objects|not its objects]",
    "<remove> [the] collection {name:quoted} {all=and its objects|with its objects|and everything in it|with everything in it}",
)
def remove_collection(build: Build, name: str, all: str | None) -> None:
    """Remove a collection; its objects stay in the scene unless they are to go too."""
    build.once()
    var = build.var("collection")
    build.line(f"{var} = bpy.data.collections[{quoted(name)}]")
    if all:
        build.need("remove_object")
        build.line(f"for obj in list({var}.all_objects):\n    remove_object(obj)")
    else:
        scene = build.scene()
        build.line(
            f"for obj in list({var}.objects):\n    if len(obj.users_collection) == 1:\n        {scene}.collection.objects.link(obj)"
        )
    build.line(f"bpy.data.collections.remove({var})")
    build.note(f'collection "{name}" removed')


@step(
    "(sort|move|put|organize) (every|all|each|the) (object|objects) into [a] collections [by (its|their) type] [:] meshes in {meshes:quoted} [,] lights in {lights:quoted} [,] [and] cameras in {cameras:quoted}",
    "(sort|move|put|organize) (every|all|each|the) (object|objects) into a collection by (its|their) type [:] meshes in {meshes:quoted} [,] lights in {lights:quoted} [,] [and] cameras in {cameras:quoted}",
)
def sort_by_type(build: Build, meshes: str, lights: str, cameras: str) -> None:
    """Objects into collections by type."""
    build.need("collection_named", "move_to_collection")
    build.line(f'places = {{"MESH": {quoted(meshes)}, "LIGHT": {quoted(lights)}, "CAMERA": {quoted(cameras)}}}')
    with build.block(f"for obj in list({build.scene()}.objects):"), build.block("if obj.type in places:"):
        build.line("move_to_collection(obj, collection_named(places[obj.type]))")
    build.note("sorted by type")


@step(
    "(make|create|add|place|put) [a|an] (instance|collection instance) of [the] collection {name:quoted} [(at|to) {v:vector}] [[(with|as|on)] [an] empty [<called> {title:name}]]",
)
def instance(build: Build, name: str, v: Any, title: str | None) -> None:
    """An empty that shows a collection."""
    from app.drafting.composer.steps.objects import set_vector

    known = build.new_object("collection instance", title or name, called=bool(title), type_="EMPTY")
    build.line(
        f'{known.var}.instance_type = "COLLECTION"\n{known.var}.instance_collection = bpy.data.collections[{quoted(name)}]'
    )
    if v is not None:
        set_vector(build, f"{known.var}.location", v, 0.0, name)
    build.note(f'instance of "{name}"')


# --- custom properties --------------------------------------------------------------------------------------


@slot("scalar")
def scalar(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Scalar]]:
    """A value of a custom property: a number, true or false, or something in quotes."""
    place = skip(reading, at, {"the", "a", "an"})
    kind = (
        reading.word(place)
        if reading.word(place) in {"text", "string", "integer", "int", "float", "number", "boolean", "bool", "value"}
        else ""
    )
    if kind:
        place += 1
    for end, text in quoted_text(reading, place, {}, ""):
        yield end, text
    if kind in {"text", "string"}:
        for end, text in name(reading, place, {}, "bare"):
            yield end, text
    if reading.word(place) in {"true", "false"}:
        yield place + 1, reading.word(place) == "true"
    for end, value in number(reading, place):
        digits = reading.tokens[place].text
        whole = kind in {"integer", "int"} or (kind not in {"float"} and "." not in digits and value == int(value))
        yield end, int(value) if whole else float(clean(value))


@slot("pairs")
def pairs(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[str, Scalar]]]]:
    """Names with values: '"author" (text "Ada"), "version" (integer 3) and ...'."""
    found: list[tuple[str, Scalar]] = []
    place = at
    stops: list[tuple[int, list[tuple[str, Scalar]]]] = []
    while True:
        read = next(name(reading, place, {}, "bare"), None)
        if read is None:
            break
        start = read[0]
        bracket = reading.mark(start) == "("
        start += bracket
        start = skip(reading, start, {"to", "of", "with", "value", "set", "is", "as"})
        start += reading.mark(start) in {"=", ":"}
        value = next(scalar(reading, start, {}, ""), None)
        if value is None:
            break
        place = value[0]
        if bracket:
            if reading.mark(place) != ")":
                break
            place += 1
        found.append((read[1], value[1]))
        stops.append((place, list(found)))
        if reading.mark(place) != "," and reading.word(place) != "and":
            break
        while reading.mark(place) == "," or reading.word(place) == "and":
            place += 1
    yield from reversed(stops)


@step(
    "[<add>] [the|a] [{kind=string|integer|float|text|int|boolean|bool}] custom (property|properties) {p:pairs} (on|to|for) {target:object}",
    "[<add>] [the|a] custom (property|properties) {p:pairs} (on|to|for|of) [the] {owner=scene|world|active scene|current scene|view layer}",
    "(give|let) {target:object} [have] [a|the] [{kind=string|integer|float|text|int|boolean|bool}] custom (property|properties) {p:pairs}",
    "(set|give|add) (on|to) {target:object} [a|the] custom (property|properties) {p:pairs}",
    "(tag|mark) {target:object} with [a|the] [{kind=string|integer|float}] [custom] property {p:pairs}",
    "(set|change) [the] [custom] property {p:pairs} (on|of|for) {target:object}",
    "(set|change) [the] [custom] property {key:quoted} (on|of|for) {target:object} to {value:scalar}",
    "[<add>] [the|a] custom (property|properties) {p:pairs} (on|to|for|of) [the] material {material:quoted}",
    "[<add>] [the|a] custom (property|properties) {p:pairs} (on|to|for|of) [the] collection {coll:quoted}",
)
def custom_property(
    build: Build,
    p: list[tuple[str, Scalar]] | None,
    target: Target | None,
    owner: str | None,
    material: str | None,
    coll: str | None,
    kind: str | None,
    key: str | None,
    value: Scalar | None,
) -> None:
    """Custom properties."""
    if key is not None and value is not None:
        p = [(key, value)]
    if p is None:
        return
    if kind:
        wanted = {
            "string": str,
            "text": str,
            "integer": int,
            "int": int,
            "float": float,
            "boolean": bool,
            "bool": bool,
        }[kind]
        p = [(key, float(value) if wanted is float and isinstance(value, int) else value) for key, value in p]
        if any(type(value) is not wanted for _, value in p):
            raise refuse(kind, "the value is of another kind")
    build.comment("custom properties")
    if owner or material or coll:
        if owner and "scene" in owner:
            var = build.scene()
        elif owner == "view layer":
            var = build.view_layer()
        elif owner:
            build.need("expect")
            var = f"expect({build.scene()}.world, bpy.types.World)"
        else:
            var = f"bpy.data.{'materials' if material else 'collections'}[{quoted(material or coll or '')}]"
        for each, given in p:
            build.line(f"{var}[{quoted(each)}] = {literal(given)}")
    else:
        with build.each(target) as known:
            for each, given in p:
                build.line(f"{known.var}[{quoted(each)}] = {literal(given)}")
    build.note("custom properties " + ", ".join(each for each, _ in p))


@step(
    "(give|add|let|set) [to|on] {target:object} [that is left] [have] [a|an] [integer|int] custom property {key:quoted} [,] (counting|numbered|numbering|counted|counting up) [up] [starting] (from|at) {first:int} [in alphabetical order] [of] [the] [object] [names|name|their names] [in alphabetical order]",
    "number {target:object} (in|with|by) [a|the] [integer] custom property {key:quoted} [,] (from|starting at|starting with) {first:int} [in alphabetical order] [of] [the|their] [object] [names|name]",
)
def counting_property(build: Build, target: Target, key: str, first: int) -> None:
    """A custom property that counts objects in the order of their names."""
    found = build.objects(target)
    if isinstance(found, Known):
        raise refuse(target.said, "several objects are meant here")
    with build.block(f"for number, obj in enumerate(sorted({found.expression}, key=lambda each: each.name), {first}):"):
        build.line(f"obj[{quoted(key)}] = number")
    build.note(f"{target.said} -> {key} from {first}")


@step(
    "(replace|swap) [the] material {old:names} (with|by|for) [the] [material] {new:name}",
    "(replace|swap) [the] material {one:name} (with|by|for) [the] [material] {new:name}",
    "[everything|every object|all objects|anything] that (uses|use) [the|one of the] (material|materials) {old:names} should use {new:name} [instead]",
    "let [everything|every object|all objects] that (uses|use) [the] (material|materials) {old:names} use {new:name} [instead]",
    "(remove|delete) {those=those|those three|those two|those materials|the old ones|the duplicates|them}",
)
def replace_material(build: Build, old: list[str] | None, one: str | None, new: str | None, those: str | None) -> None:
    """Let everything that uses a material use another, and remove what is not used any more."""
    names = old or ([one] if one else build.memory.get("_replaced", []))
    if not names:
        raise refuse(those or "materials", "which ones?")
    build.once()
    shown = ", ".join(quoted(each) for each in names)
    if new is not None:
        build.memory["_replaced"] = names
        build.line(
            f"for name in ({shown},):\n    bpy.data.materials[name].user_remap(bpy.data.materials[{quoted(new)}])"
        )
    else:
        build.line(f"for name in ({shown},):\n    bpy.data.materials.remove(bpy.data.materials[name])")
    build.note(f"materials {', '.join(names)}")


@step(
    "(remove|delete|throw out|throw away|purge|get rid of|clean up) [all] [the] [{kind=images|materials|meshes|textures|actions|collections|node groups|curves|lights|cameras|worlds}] (that nothing uses|nothing uses|without users|that are not used|that have no users|that are unused|with no users|no one uses)",
    "(remove|delete|purge|clean up|get rid of) [all] [the] unused {kind=images|materials|meshes|textures|actions|node groups|curves|lights|cameras|worlds}",
)
def purge_kind(build: Build, kind: str | None) -> None:
    """Remove the data of one kind that nothing uses."""
    if kind is None:
        purge(build)
        return
    store = f"bpy.data.{kind.replace(' ', '_')}"
    build.line(f"bpy.data.batch_remove([each for each in {store} if each.users == 0])")
    build.note(f"unused {kind} removed")


@step("<remove> [the|all] custom (property|properties) [{key:quoted}] (from|of|on) {target:object}")
def remove_property(build: Build, key: str | None, target: Target) -> None:
    """Remove custom properties."""
    with build.each(target) as known:
        if key:
            build.line(f"if {known.var}.get({quoted(key)}) is not None:\n    del {known.var}[{quoted(key)}]")
        else:
            build.line(f"for key in list({known.var}.keys()):\n    del {known.var}[key]")
    build.note("custom properties removed")


# --- the file -----------------------------------------------------------------------------------------------


@step(
    "(purge|remove|delete|clean up|clear) [all] [the] (unused|orphan|orphaned) [data|datablocks|data blocks|data-blocks|blocks] [recursively] [from the (file|blend file)]",
    "purge [all] (orphans|orphan data|the file|unused)",
    "purge",
)
def purge(build: Build) -> None:
    """Remove everything that nothing uses, until nothing is left to remove."""
    build.comment("remove what nothing uses, and what only that used")
    build.line("bpy.ops.outliner.orphans_purge(do_local_ids=True, do_linked_ids=True, do_recursive=True)")
    build.note("unused data removed")


FORMATS: Final = {
    "obj": ("wm.obj_export", "export_selected_objects", "wm.obj_import"),
    "stl": ("wm.stl_export", "export_selected_objects", "wm.stl_import"),
    "ply": ("wm.ply_export", "export_selected_objects", "wm.ply_import"),
    "glb": ("export_scene.gltf", "use_selection", "import_scene.gltf"),
    "gltf": ("export_scene.gltf", "use_selection", "import_scene.gltf"),
    "fbx": ("export_scene.fbx", "use_selection", "import_scene.fbx"),
    "usd": ("wm.usd_export", "selected_objects_only", "wm.usd_import"),
    "usdc": ("wm.usd_export", "selected_objects_only", "wm.usd_import"),
    "usda": ("wm.usd_export", "selected_objects_only", "wm.usd_import"),
    "abc": ("wm.alembic_export", "selected", "wm.alembic_import"),
}
WHERE: Final = "[(in|to|into|from) [the] [current] [working] (directory|folder)]"


@step(
    f"export {{target:object}} (as|to|into) [the] [file] [an|a] [obj|stl|ply|glb|fbx] [file] {{path:path}} {WHERE}",
    f"export [the] [whole|entire|complete] {{scene=scene|everything}} (as|to|into) [the] [file] {{path:path}} {WHERE}",
    f"[and] [the] [whole|entire] {{scene=scene|everything}} to {{path:path}} {WHERE}",
    f"save {{target:object}} as {{path:path}} {WHERE}",
)
def export(build: Build, target: Target | None, scene: str | None, path: str) -> None:
    """Write objects, or the whole scene, to a file."""
    extension = path.rsplit(".", 1)[-1].lower()
    if extension not in FORMATS or (target is None and scene is None):
        raise refuse(path, "no format that is exported here")
    operator, only, _ = FORMATS[extension]
    build.imports("pathlib: Path")
    build.comment(f"export to {path}")
    extra = ""
    if extension == "gltf":
        extra = ', export_format="GLTF_SEPARATE"'
    elif extension == "glb":
        extra = ', export_format="GLB"'
    if target is not None:
        build.need("only_selected")
        found = build.objects(target)
        build.line(f"only_selected({found.var if isinstance(found, Known) else '*' + found.expression})")
    place = f"str(Path.cwd() / {quoted(path)})" if not path.startswith("/") else f"bpy.path.abspath({quoted(path)})"
    build.line(f"path = {place}\nbpy.ops.{operator}(filepath=path{extra}, {only}={target is not None})")
    build.note(f"export to {path}")


@step(
    f"import {{path:path}} {WHERE} [(into|in) [a|the] [new] collection {{name:name}} [« [and] only there »] [[and] only there]]",
    f"import [the] [file|model|obj|stl] {{path:path}} {WHERE} [(into|in) [a|the] [new] collection {{name:name}}]",
)
def import_file(build: Build, path: str, name: str | None) -> None:
    """Read a model, perhaps into a collection."""
    extension = path.rsplit(".", 1)[-1].lower()
    if extension not in FORMATS:
        raise refuse(path, "no format that is imported here")
    build.once()
    build.imports("pathlib: Path")
    scene = build.scene()
    place = f"str(Path.cwd() / {quoted(path)})"
    build.comment(f"import {path}")
    build.line(f"before = set({scene}.objects)\nbpy.ops.{FORMATS[extension][2]}(filepath={place})")
    build.line(f"imported = [obj for obj in {scene}.objects if obj not in before]")
    from app.drafting.composer.build import Many

    build.it = Many("imported")
    build.memory["_imported"] = True
    if name:
        build.need("collection_named", "move_to_collection")
        build.line(f"for obj in imported:\n    move_to_collection(obj, collection_named({quoted(name)}))")
    build.note(f"import {path}")


@step(
    "[the] (file|model|it) is in {unit=millimeters|centimeters|mm|cm} [:]",
    "scale (it|them|the result|the model) so that {n:int} units (become|are|equal) {m:n}",
    "{ground=move} (it|them|the result|the model) [up|down] so that (it|they) (stands|stand|rests|rest|sits) on (z = 0|the ground|the floor)",
)
def imported(build: Build, n: int | None, m: float | None, unit: str | None, ground: str | None) -> None:
    """More about what was imported: its scale, and where it stands."""
    if "_imported" not in build.memory:
        raise refuse(unit or ground or "", "nothing was imported")
    if n is not None and m is not None:
        build.memory["_unit"] = None
        build.line(
            f"for obj in imported:\n    obj.scale *= {literal(float(m) / n)}\n    obj.location *= {literal(float(m) / n)}"
        )
    elif ground:
        build.need("world_corners")
        build.line("low = min(corner.z for obj in imported for corner in world_corners(obj))")
        build.line("for obj in imported:\n    if obj.parent is None:\n        obj.location.z -= low")
    build.note("what was imported")


@step(
    "(create|add|make|new) [a] [new|second] scene [<called>] {name:name} [,] [and] [link {target:object} into it] [and] [keep the current scene active]",
)
def new_scene(build: Build, name: str, target: Target | None) -> None:
    """Another scene; the open one stays open."""
    text = quoted(name)
    var = build.var(f"{name} scene")
    build.line(f"{var} = bpy.data.scenes.get({text}) or bpy.data.scenes.new({text})")
    build.memory["_scene"] = var
    if target is not None:
        with build.each(target) as known:
            build.line(
                f"if {known.var}.name not in {var}.collection.objects:\n    {var}.collection.objects.link({known.var})"
            )
    build.note(f'scene "{name}"')


@step("link {target:object} (into|to) (it|that scene|the new scene)")
def link_scene(build: Build, target: Target) -> None:
    """Link objects into the scene of this request."""
    var = build.memory.get("_scene")
    if var is None:
        raise refuse(target.said, "into which scene?")
    with build.each(target) as known:
        build.line(
            f"if {known.var}.name not in {var}.collection.objects:\n    {var}.collection.objects.link({known.var})"
        )
    build.note("linked")


@step("(create|add|make|new) [a|the] [new] view (layer|layers) [<called>] {name:name} [and {second:quoted}]")
def view_layers(build: Build, name: str, second: str | None) -> None:
    """View layers."""
    scene = build.scene()
    for each in filter(None, (name, second)):
        build.line(f"if {quoted(each)} not in {scene}.view_layers:\n    {scene}.view_layers.new({quoted(each)})")
    build.note("view layers")


TEXT: Final = "text [datablock|data block|block|file]"
BODY: Final = "(with|containing|that says|that reads|holding) [the] [content|text|line|lines|two lines|three lines|two|three|following] [:]"


@step(
    f"[<add>] [a|an] [new] {TEXT} [<called>] {{name:name}} [in the (blend file|file|text editor)] {BODY} {{lines:lines}}",
    f"[<add>] [a|an] [new] {TEXT} [<called>] {{name:name}}",
    f"(write|store|put|save) [the] [text|line|lines|two lines] {{lines:lines}} (into|in|to) [a|the] [new] {TEXT} [<called>] {{name:name}}",
)
def text_block(build: Build, name: str, lines: list[str] | None) -> None:
    """A text of the text editor."""
    text = quoted(name)
    build.line(f"text = bpy.data.texts.get({text}) or bpy.data.texts.new({text})")
    if lines:
        build.line(f"text.clear()\ntext.write({quoted(chr(10).join(lines))})")
    build.note(f'text "{name}"')


@step(
    "(give|rename|call|name) [the] world [the] [name] [to] {name:name}",
    "rename [the] scene [to|into|as] {scene:name}",
    "(give|call|name) [the] scene [the] [name] {scene:name}",
)
def name_world(build: Build, name: str | None, scene: str | None) -> None:
    """The name of the world or the scene."""
    if name:
        build.need("expect")
        build.line(f"expect({build.scene()}.world, bpy.types.World).name = {quoted(name)}")
    else:
        build.line(f"{build.scene()}.name = {quoted(scene or '')}")
    build.note("named")


@step(
    "[<set>] [the] [scene] units [to|:] {system=metric|imperial|none} [[with|,|in|and] [length] [unit] [of|in] {unit=feet|inches|centimeters|millimeters|meters|kilometers|cm|mm|m}]",
    "[<set>] [the] unit system [to] {system=metric|imperial|none} [[with|,|in|and] [length] [unit] [of|in] {unit=feet|inches|centimeters|millimeters|meters|kilometers|miles|yards|cm|mm|m}]",
    "(use|switch to) {system=metric|imperial} [units|unit system] [[with|,|in|and] [length] [unit] [of|in] {unit=feet|inches|centimeters|millimeters|meters|cm|mm|m}]",
)
def units(build: Build, system: str, unit: str | None) -> None:
    """The unit system."""
    scene = build.scene()
    build.line(f'{scene}.unit_settings.system = "{system.upper()}"')
    if unit:
        item = {"cm": "CENTIMETERS", "mm": "MILLIMETERS", "m": "METERS"}.get(unit, unit.upper())
        build.line(f'{scene}.unit_settings.length_unit = "{item}"')
    build.note("units")


@slot("lines")
def lines_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """Something in quotes, or several such."""
    found: list[str] = []
    place = at
    while place < len(reading.tokens) and reading.tokens[place].kind == "quoted":
        found.append(reading.tokens[place].text)
        place += 1
        yield place, list(found)
        while reading.mark(place) == "," or reading.word(place) in {"and", "then"}:
            place += 1
