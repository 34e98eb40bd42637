"""Data of the file: collections, scenes, view layers, custom properties, import, export, cleaning up."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any, Final

from app.drafting.composer.build import LONG, Build, Known, Many
from app.drafting.composer.filters import Filter, label, several
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Place
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import (
    FUNCTION_WORDS,
    SUBJECTS,
    VERBS,
    Set,
    Target,
    color,
    file_operator,
    items_of,
    name,
    number,
    quoted_text,
    skip,
    vector,
    whole_number,
)
from app.drafting.composer.steps.meshes import own_data
from app.drafting.composer.steps.objects import set_vector
from app.drafting.composer.steps.owners import Cases, Item, Owner, each_owner, in_cases
from app.drafting.composer.steps.properties import split
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Ambiguous, Quantity, Vec, clean, literal, quoted, refuse

Scalar = bool | int | float | str | tuple[float, ...]


TOP: Final = (
    "{top=at the top level|on the top level|directly under the scene|directly in the scene|under the scene collection|in the scene collection}"
    " [of (the|this) scene]"
)
MOVED: Final = (
    "[and] ({away=out of|unlinking from|unlinked from}|(unlinking|unlink|removing|remove) (it|them) {away=from}|taking (it|them) {away=out of}) "
    "((its|their|the) (old|previous|current|present|other) (collection|collections|one|ones)|(where|wherever) (it|they) (is|are|was|were) [now|right now|before]|[all] [the] others)"
    "|[«] [and|,] {away=only|only there|only in there|nowhere else|not linked in both|not in both|not linked to both|in no other collection} [»]"
)
"""What moving into a collection does anyway, and linking does not."""
WITHIN: Final = "(inside|in|under|below|nested in|within|as children of) ([the|a] [new] [parent] [collection] [<called>] {parent:known}|{held=it|this collection|that collection|this one|that one})"
NEW: Final = "(<add> [a|an] [new]|[a|an] new|a)"
APART: Final = "[[,] [and|so that] [it] [should|must|is to] {apart=no longer|not} (hang|hangs|be|is|stay|sit|sits|live|lives) [linked] [directly] (off|under|in|at|below|to) [the] scene [collection] [itself] [too|as well]]"
"""What being in another collection means anyway."""
ABOUT_COLLECTION: Final = (
    f"~( (containing|holding) {{target:object}} [in it] ; (move|put|place|{{link=link}}) {{target:object}} (into|in|to) it ; {TOP} ; {MOVED} ;"
    " (inside|in|under|below|as a child of|nested in) [the] [collection] {parent:known} ; in [the|this] scene ;"
    " a (child|sub|subcollection) [collection] [<called>] {child:quoted} ; {off=disabled|hidden|invisible|excluded} {where:visibility} ;"
    " color tag {tag:tag} )"
)


@slot("tag")
def tag_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """The color tag of a collection, by its number, or as it looks in the default theme."""
    at = skip(reading, at, {"color", "to", "is", "number"})
    prop = reading.lexicon.property("Collection", "color_tag")
    for end, count in whole_number(reading, at, {}, ""):
        item = f"COLOR_{count:02}"
        said = [last for last, other in items_of(reading, end + 1, prop) if other == item and reading.mark(end) == "("]
        if 1 <= count <= 8 and (said or reading.mark(end) != "("):
            yield (said[0] + (reading.mark(said[0]) == ")") if said else end), item
    yield from items_of(reading, at, prop)


@step(
    f"{NEW} (collection|subcollection) [<called>] {{name:name}} {ABOUT_COLLECTION}",
    f"{NEW} collection [<called>] {{name:name}} with {{target:object}} [in it] {ABOUT_COLLECTION}",
    f"{NEW} (child|sub) collection [<called>] {{name:name}} {ABOUT_COLLECTION}",
    f"<add> [two|three|four|five|the] [new] [child|sub] (collections|subcollections) [<called>] {{several:names}} ~( {TOP} ; {WITHIN} )",
    f"<add> {{several:names}} [as] [child|sub] (collections|subcollections) ~( {TOP} ; {WITHIN} )",
    "<add> [two|three|four|five|the|a] [new] [child|sub] (collections|collection|subcollections|subcollection) (inside|in|under|below|within) ([the|a] [new] [collection] [<called>] {parent:known}|{held=it|this collection|that collection|this one|that one}) [:|,] [<called>] {several:names}",
    f"(nest|move|put|link|place) [the] [existing] collection {{name:known}} (inside|in|under|into|below) [the] [collection] {{parent:quoted}} {APART}",
    f"(nest|move|put|place) [the] [existing] collection {{name:known}} (inside|in|under|into|below) [the] [collection] {{parent:known}} {APART}",
    f"make [the] [existing] collection {{name:known}} [a] (child|subcollection) (of|in) [the] [collection] {{parent:known}} {APART}",
)
def collection(
    build: Build, name: str | None, several: list[str] | None, target: Target | None, parent: str | None,
    child: str | None, off: str | None, where: frozenset[str] | None, tag: str | None, top: str | None, link: str | None, away: str | None,
    held: str | None, apart: str | None,
) -> None:  # fmt: skip
    """New collections, perhaps with objects; one within another is nowhere else."""
    above: list[str] = build.memory.get("_named", [])
    if held and len(above) != 1:
        raise refuse(held, "inside which collection?")
    parent = above[0] if held else parent
    if (away and target is None) or (top and parent) or (apart and not parent):
        raise refuse(away or top or apart or "", "which objects?" if away else f"or in {parent}?")
    if re.search(r"\binclude (the )?collection", build.request, re.IGNORECASE):
        raise refuse(name or "", "a new one, or one of the view layer?")
    build.need("collection_named")
    names = several or [name or ""]
    build.memory["_named"] = names
    for each in names:
        var = build.var(f"{each} collection")
        build.line(f"{var} = collection_named({quoted(each)})")
        if parent or top:
            nested(build, var, parent)
        build.memory.setdefault("_collections", {})[each] = var
        build.memory["_collection"] = var
    if child:
        var = build.var(f"{child} collection")
        build.line(f"{var} = collection_named({quoted(child)}, {build.memory['_collection']})")
        build.memory["_collections"][child] = var
        build.memory["_child"] = var
    settle(build, build.memory["_collection"], off, where, tag)
    if target is not None and link and not away:
        linked(build, target, build.memory["_collection"])
    elif target is not None:
        into(build, target, build.memory["_collection"])
    build.note("collections " + ", ".join(names))


def nested(build: Build, var: str, parent: str | None) -> None:
    """Let a collection be in another one, or directly in the scene."""
    build.need("nest")
    above = f"collection_named({quoted(parent)})" if parent else f"{build.scene()}.collection"
    build.line(f"nest({var}, {above})")


def settle(build: Build, var: str, off: str | None, where: frozenset[str] | None, tag: str | None) -> None:
    """Where a collection is hidden, and its color."""
    if off and off != "excluded":
        for attribute in sorted(where or {"hide_viewport", "hide_render"}):
            build.line(f"{var}.{attribute} = True")
    elif off:
        raise refuse(off, "from which view layer?")
    if tag is not None:
        build.line(f'{var}.color_tag = "{tag}"')


def into(build: Build, target: Target, collection_: str) -> None:
    """Move objects into a collection, and out of the others."""
    build.need("move_to_collection")
    with build.each(target) as known:
        build.line(f"move_to_collection({known.var}, {collection_})")
    holds(build)


def holds(build: Build) -> None:
    """Several things are in the collection that is spoken of: "it" is the collection then."""
    build.memory["_held"] = build.moved if isinstance(build.moved, Many) else None


def link_once(build: Build, held: str, known: str, text: str = "") -> None:
    """Link a thing into a list of a collection, unless it is there."""
    build.line(f"if {text or f'{known}.name'} not in {held}:\n    {held}.link({known})")


def linked(build: Build, target: Target, collection_: str, old: str | None = None) -> None:
    """Let objects be in a collection too, and no longer in an old one."""
    with build.each(target) as known:
        if old:
            build.line(
                f"old = bpy.data.collections[{quoted(old)}]\nif {known.var}.name in old.objects:\n    old.objects.unlink({known.var})"
            )
        build.line(f"goal = {collection_}")
        link_once(build, "goal.objects", known.var)
    holds(build)


GOAL: Final = "([a|the] [new] collection [<called>] {name:name}|[the] {name:quoted} [collection]|(it|this collection|that collection|the collection)|[the] {child=child})"
REST: Final = (
    f"~( {{off=disabled|hidden|invisible}} {{where:visibility}} ; color tag {{tag:tag}} ; (create|make|add) (it|one|the collection) [first] if (missing|needed|necessary|(it|one) (is not there|does not exist|doesn't exist|is missing) [yet]|there is none) ; {TOP} ; {MOVED} ;"
    " (leave|keep|leaving|keeping|but keep|and leave) (it|them) {stay=in their old one|in its old one|where they are|where it is|in the old one|in the old ones|there|in its other collections|in their other collections} [too|as well] )"
)


@step(
    f"(move|put|place|add|assign|bring|sort) {{target:object}} (into|in|to|under) {GOAL} {REST}",
    f"{{target:object}} [should|must|all] (go|goes|live|lives) (into|in|to|under) {GOAL} {REST}",
    f"{{target:object}} [should|must|all] (belong|belongs) (into|in|to collection|to the collection) {GOAL} {REST}",
    "(move|take) {target:object} (from|out of) [the] [collection] {old:quoted} (into|in|to) [the] [collection] {name:quoted}",
    f"{{link=link}} {{target:object}} [also] (into|in|to) {GOAL} {REST}",
    f"(make|let) {{target:object}} [be] [a] (part|member|members) of {GOAL} {REST}",
    f"{{target:object}} ((into|to) (a|one|the)|in one) [new] collection [<called>] {{name:name}} {REST}",
)
def to_collection(
    build: Build, target: Target, name: str | None, child: str | None, link: str | None, stay: str | None, top: str | None,
    off: str | None, where: frozenset[str] | None, tag: str | None, old: str | None, away: str | None,
) -> None:  # fmt: skip
    """Move objects into a collection, or link them into one more."""
    said, title = build.request.lower(), re.escape((name or "").lower())
    for wrong, word, reason in (
        (target.said.lower() == "the selection" and re.search(r"\bto the selection\b", said), target.said, "what is to be selected?"),
        (name and re.search(rf"\bunder [\"'“]?{title}", said) and "collection" not in said, name, "below it, as its child, or into the collection of this name?"),
        (stay and away, stay, "and in no other collection?"),
        (name and re.match(r"\W*(please )?(assign|give|apply)\b", said) and not re.search(r"\bcoll", said), name, "a collection, or a material?"),
    ):  # fmt: skip
        if wrong:
            raise refuse(word or "", reason)
    finder = "collection_named" if "collection" in said else "collection_meant"
    var = build.memory.get("_child" if child else "_collection") if name is None else f"{finder}({quoted(name)})"
    if var is None:
        raise refuse("collection", "which one?")
    if name is not None:
        build.need(finder)
        build.memory["_named"] = [name]
        build.memory["_collection"] = var
    if off or top or tag is not None:
        var, found = build.var(f"{name} collection"), var
        build.line(f"{var} = {found}")
        settle(build, var, off, where, tag)
    if top:
        nested(build, var, None)
    if (link and not away) or stay or old:
        linked(build, target, var, old)
    else:
        into(build, target, var)
    build.note(f"{target.said} -> collection")


SHARE: Final = compile_pattern(
    "{target:object} [(go|goes|belong|belongs)] (into|in|to|under) [the|a] [new] [collection] [<called>] {name:quoted} [collection]"
)


@slot("shares")
def shares_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[tuple[Target, str], ...]]]:
    """What goes where: 'all meshes into "Geo", the lights into "Light" and every camera into "Cam"'."""

    def one(place: int) -> Iterator[tuple[int, tuple[Target, str]]]:
        for end, found in SHARE(reading, place, {}):
            yield end, (found["target"], found["name"])

    for end, found in several(reading, at, one):
        if len(found) > 1:
            yield end, tuple(found)


@step("(move|put|place|add|sort|organize|distribute|bring|assign|link) {shares:shares}")
def to_collections(build: Build, shares: tuple[tuple[Target, str], ...]) -> None:
    """Several groups of objects, each into a collection of its own."""
    for target, goal in shares:
        to_collection(build, target, goal, *[None] * 9)
    build.memory["_named"] = [goal for _, goal in shares]
    build.memory["_held"] = None


@step(
    "(duplicate|copy|clone) [the] collection {name:known} [with (its|the|all its) objects|and (its|the|all its) objects|and everything in it] [(as|to|and call it|and name it|called|named|into) [a] [new] [collection] [<called>] {new:quoted}] ~( {linked=linked|with linked data|sharing the data|with shared data|as linked copies|with linked objects} )",
)
def copy_collection(build: Build, name: str, new: str | None, linked: str | None) -> None:
    """A copy of a collection with copies of its objects."""
    build.need("copy_of_collection")
    goal = new or f"{name} Copy"
    var = build.var(f"{goal} collection")
    source = f"bpy.data.collections[{quoted(name)}]"
    build.line(f"{var} = copy_of_collection({source}, {quoted(goal)}, linked={bool(linked)})")
    build.memory["_named"], build.memory["_collection"] = [goal], var
    build.memory.setdefault("_collections", {})[goal] = var
    build.note(f"copy of {name}: {goal}")


BY_WHAT: Final = {
    "material": ("each.active_material.name", "each.active_material is not None"), "parent": ("each.parent.name", "each.parent is not None"),
    "mesh": ("each.data.name", "each.data is not None"), "data": ("each.data.name", "each.data is not None"), "mesh data": ("each.data.name", "each.data is not None"),
    "name": ('each.name.split(".")[0]', ""), "prefix": ('each.name.split("_")[0]', '"_" in each.name'), "name prefix": ('each.name.split("_")[0]', '"_" in each.name'),
    "base name": ('each.name.split(".")[0]', ""), "first letter": ("each.name[0].upper()", ""), "initial": ("each.name[0].upper()", ""),
}  # fmt: skip
"""What objects are sorted into collections by: the name of the collection, and what must be so."""


@step(
    f"(sort|move|put|organize|group|distribute|place) {{target:object}} into [a|own|separate] (collection|collections) (by|per|according to|based on|named after|called after|for each|for every) [the] [name of] [its|their|the] [{{by={'|'.join(BY_WHAT)}}}] ['s] [name|names]",
    f"(sort|organize|group) {{target:object}} (by|according to) [its|their|the] {{by={'|'.join(BY_WHAT)}}} into [own|separate] collections",
    f"(make|create|add) [a|one] collection (for each|for every|per) {{by={'|'.join(BY_WHAT)}}} and (sort|move|put|place) {{target:object}} (into|in) [it|them|theirs]",
)
def sort_by(build: Build, target: Target, by: str | None) -> None:
    """Objects into collections that are called after something that they have."""
    if by is None:
        raise refuse(target.said, "sorted by what?")
    expression, test = BY_WHAT[by]
    build.need("collection_named", "move_to_collection")
    if target.how == "it" or (target.how == "kind" and target.name == "mesh"):
        raise refuse(target.said, "which objects?")
    with build.each(target) as known:
        line = f"move_to_collection({known.var}, collection_named({expression.replace('each', known.var)}))"
        build.line(f"if {test.replace('each', known.var)}:\n    {line}" if test else line)
    build.note(f"{target.said} -> collections by {by}")


KEPT: Final = "~( (without deleting|do not delete|don't delete|but keep|but don't delete|but do not delete|not deleting) (it|them|the object|the objects) [in the (file|scene)] )"


@step(
    f"(unlink|take|remove) {{target:object}} (from|out of) [the] collection {{name:known}} {KEPT}",
    f"unlink {{target:object}} (from|out of) {{name:known}} [collection] {KEPT}",
    "(unlink|take) {target:object} (from|out of) [the] scene ~( (without deleting it|without deleting them|do not delete it) ; [keep] [it] (with|and give it|and|give it) [a] {fake=fake} user )",
    "unlink {target:object} from all collections ~( (with|and) [a] {fake=fake} user )",
)
def unlink(build: Build, target: Target, name: str | None, fake: str | None) -> None:
    """Take objects out of a collection, or out of all; they stay in the file."""
    build.once()
    with build.each(target) as known:
        held = f"[bpy.data.collections[{quoted(name)}]]" if name else f"list({known.var}.users_collection)"
        build.line(
            f"for collection in {held}:\n    if {known.var}.name in collection.objects:\n        collection.objects.unlink({known.var})"
        )
        if fake:
            build.line(f"{known.var}.use_fake_user = True")
    build.note(f"{target.said} -> out of {name or 'the scene'}")


LAYERED: Final = {
    "exclude": "exclude", "excluded": "exclude", "holdout": "holdout", "indirect only": "indirect_only", "indirect": "indirect_only",
    "only contribute indirectly « indirect only »": "indirect_only", "only contribute indirectly": "indirect_only", "contribute only indirectly": "indirect_only", "contribute indirectly": "indirect_only",
    "include": "-exclude", "included": "-exclude", "no holdout": "-holdout", "not holdout": "-holdout", "not a holdout": "-holdout", "no longer a holdout": "-holdout",
    "not indirect only": "-indirect_only", "no longer indirect only": "-indirect_only", "not excluded": "-exclude", "no longer excluded": "-exclude",
}  # fmt: skip
FLAG: Final = f"{{flag={'|'.join(LAYERED)}}}"
ANY_LAYER: Final = (
    "([the] [view] layer {layer:name}|(the|this|current|active) [current|active] view layer|{spoken:quoted}|"
    "{it=it|this layer|that layer|this view layer|that view layer|the layer|the new layer|it only|this layer only|that layer only|that view layer only|only that layer})"
)
"""A view layer by its name, the open one, or one that the request made or named before."""
COLLECTIONS: Final = "([the] (collection|collections) [<called>] {coll:labels}|{coll:labels} [collection])"


@step(
    f"{{flag=exclude|include}} {COLLECTIONS} [again] [(in|from|for|on) {ANY_LAYER}]",
    f"{{flag=exclude}} (it|them|this collection|that collection|these collections) [(in|from|for|on) {ANY_LAYER}]",
    f"[<set>] {COLLECTIONS} [to|as|is|a|be] [a] {FLAG} [(in|from|for|on) {ANY_LAYER}]",
    f"{FLAG} for {COLLECTIONS} [(in|from|for|on) {ANY_LAYER}]",
    f"(in|for|on) [the] [view] layer {{layer:name}} [-|:|,] (it|them|they|this collection|that collection) (is|are|should be|as|shall be|must be|becomes) [a] {FLAG} [instead]",
    f"(untick|uncheck|take out|leave out) {COLLECTIONS} (in|from|for) {ANY_LAYER}",
    f"(in|for|on) {ANY_LAYER} [-|:|,] {{flag=exclude|include}} {COLLECTIONS}",
    f"[(in|for|on)] [the] [view] layer {{layer:name}} [-|:|,] {COLLECTIONS} (is|as|to|:) [a] {FLAG}",
    f"[the] [view] layer {{layer:name}} (excludes|should exclude) {COLLECTIONS}",
    f"(in|for|on) {ANY_LAYER} [-|:|,] ({COLLECTIONS} (is|as|to|:|should be|must be|has to be)|(make|set|keep) {COLLECTIONS} [to|as|be]) [a] {FLAG}",
)
def in_layer(
    build: Build, coll: tuple[str, ...] | None, layer: str | None, flag: str | None, spoken: str | None, it: str | None
) -> None:
    """How a view layer takes collections."""
    said: list[str] = build.memory.get("_layers_said", [])
    if spoken is not None and spoken not in said:
        raise refuse(spoken, "is that a view layer?")
    if it is not None and not said:
        raise refuse(it, "which view layer?")
    layer = layer or spoken or (said[-1] if it else None)
    coll = coll or tuple(build.memory.get("_named", ()))
    if not coll:
        raise refuse("it", "which collection?")
    build.need("layer_collection")
    if layer:
        build.memory.setdefault("_layers_said", []).append(layer)
    view = f"{build.scene()}.view_layers[{quoted(layer)}]" if layer else build.view_layer()
    attribute = LAYERED[flag or "exclude"]
    for each in coll:
        build.line(f"layer_collection({quoted(each)}, {view}).{attribute.lstrip('-')} = {attribute[0] != '-'}")
    build.note(f"{', '.join(coll)} -> {attribute} in {layer or 'the view layer'}")


@step(
    "(make|set) [the] active scene [to|=] [the] [scene] {scene:name}",
    "(make|set) [the] scene {scene:known} [the|as|as the] active (one|scene)",
    "(switch|change) to [the] scene {scene:name}",
    "(make|set) [the] active view layer [to|=] [the] [view layer] {layer:name}",
    "(make|set) [the] view layer {layer:known} [the|as|as the] active (one|layer|view layer)",
    "switch [the window|it] [back] to [the] view layer {layer:name}",
    "(switch|change|go|return) [the window|it] [back] to {back:quoted} [again]",
    "(make|set|keep) {back:quoted} [be] [the] active [view] [layer|one] [again]",
)
def open_scene(build: Build, scene: str | None, layer: str | None, back: str | None) -> None:
    """Which scene, or which of its view layers, the window shows."""
    if back is not None:
        if back not in build.memory.get("_layers_said", []):
            raise refuse(back, "which view layer, or which scene?")
        layer = back
    build.need("expect")
    build.line("window = expect(bpy.context.window, bpy.types.Window)")
    if scene:
        build.line(f"window.scene = bpy.data.scenes[{quoted(scene)}]")
    else:
        build.line(f"window.view_layer = window.scene.view_layers[{quoted(layer or '')}]")
    build.note(f'"{scene or layer}" is active')


@step(
    "(make|set|let|keep) {item:item} [be] {how=selectable|unselectable|not selectable|clickable} [again|in the viewport]",
    "{item:item} (is|are|should be|must be|has to be|have to be) {how=selectable|unselectable|not selectable|clickable} [again|in the viewport]",
    "{item:item} : {how=selectable|unselectable}",
    "(make|set|keep) (that|this|the|the new) collection {how=selectable|unselectable|not selectable} [in the viewport]",
    "{how=enable|allow} [the] (selection|selecting|selectability) of {item:item}",
)
def selectable(build: Build, item: Item | None, how: str) -> None:
    """Whether objects or collections can be selected in the viewport."""
    if item is None:
        named: list[str] = build.memory.get("_named", [])
        if len(named) != 1:
            raise refuse("that collection", "which?")
        item = Owner("Collection", f"bpy.data.collections[{quoted(named[0])}]", named[0])
    spoken = build.spoken
    if isinstance(item, Target) and item.how == "it" and spoken is not None and spoken.places[0].type == "Collection":
        item = Owner("Collection", spoken.var, item.said)
    made: dict[str, str] = build.memory.get("_collections", {})
    held = build.memory.get("_held")
    if isinstance(item, Target) and item.said.lower() == "it" and held is not None and held is build.it:
        item = Owner("Collection", f"bpy.data.collections[{quoted(build.memory['_named'][0])}]", item.said)
    if isinstance(item, Target) and item.how == "named" and item.name in made:
        item = Owner("Collection", f"bpy.data.collections[{quoted(item.name)}]", item.said)
    if not isinstance(item, Target) and item.type != "Collection":
        raise refuse(item.said, "an object or a collection was expected")
    with each_owner(build, item) as var:
        build.line(f"{var}.hide_select = {how in {'unselectable', 'not selectable'}}")
    build.note(f"{item.said} -> {how}")


@step(
    "[the] collection {name:known} {never=must not render|should not render|must not be rendered|should not be rendered|is not to render|does not render}",
    "[the] collection {name:known} (must|should) neither show in the viewport nor render",
    "{state=hide|show|unhide|disable|enable} (the|this|that|the new) collection {where:visibility}",
    "(make|let|set) (the|this|that|the new) collection [be] [to] {state=hidden|invisible|visible} {where:visibility}",
    "[the] collection {name:known} [:|,|is|should be|must be] ~( {pick=selectable|unselectable|not selectable} [in [the] (viewport|viewports)] ; {state=hidden|invisible|disabled|visible|enabled} {where:visibility} ; color tag {tag:tag} )",
    "tag [the] collection {name:known} [in] {tag:tag} [in the outliner]",
    "[<set>] [the] color tag (of|for|on) [the] [collection] {name:known} [to|=|:|is] {tag:tag}",
    "(give|set|color) [the] collection {name:known} [a|the] color tag [to|=|:|of] {tag:tag}",
    "[give] [the] [collection] {name:known} [gets|has|with] [a|an] {tag:tag} [color] tag",
    "(color|paint|tag) [the] collection {name:known} [in] {tag:tag} [in the outliner]",
    "(color|paint|tag) (it|the collection|this collection|that collection) [in] {tag:tag} [in the outliner]",
    "(give|set) (it|the collection|this collection|that collection) [a|the] [{tag:tag}] color [tag] [to|=|:|of] [{tag:tag}]",
)
def collection_state(
    build: Build, name: str | None, never: str | None, tag: str | None, state: str | None, where: frozenset[str] | None, pick: str | None
) -> None:  # fmt: skip
    """A collection that does not render, is hidden or cannot be selected, or its color tag."""
    named: list[str] = [name] if name else build.memory.get("_named", [])
    if len(named) != 1 or not (name or never or tag or state):
        raise refuse(name or "it", "which collection?")
    var = f"bpy.data.collections[{quoted(named[0])}]"
    hidden = dict.fromkeys(where or {"hide_viewport", "hide_render"}, state in HIDING) if state else {}
    if pick:
        hidden["hide_select"] = pick != "selectable"
    if not (state or tag or pick):
        hidden = {"hide_render": True} if never else {"hide_render": True, "hide_viewport": True}
    for attribute in sorted(hidden):
        build.line(f"{var}.{attribute} = {hidden[attribute]}")
    if tag is not None:
        build.line(f'{var}.color_tag = "{tag}"')
    build.note(f'collection "{named[0]}" -> {state or pick or tag or "not rendered"}')


HIDING: Final = frozenset({"hide", "disable", "hidden", "invisible", "disabled"})


@step("make [the] (instances|instance) [of] {target:object} real", "make {target:object} [instances|instance] real")
def make_real(build: Build, target: Target) -> None:
    """Objects in the place of the instances that objects show."""
    build.once()
    select_only(build, target)
    build.line("bpy.ops.object.duplicates_make_real()")
    build.note(f"instances of {target.said} -> objects")


@step(
    "(make|set) [the] active collection [to|=] {name:name}",
    "(make|set) [the] collection {name:known} [the|as|as the] active [one|collection]",
    "activate [the] collection {name:name}",
)
def active_collection(build: Build, name: str) -> None:
    """Where new objects go."""
    build.need("layer_collection")
    view = build.view_layer()
    build.line(f"{view}.active_layer_collection = layer_collection({quoted(name)}, {view})")
    build.note(f'"{name}" is the active collection')


@slot("tags")
def tags_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Tags, in quotes or as plain words: "wood, prop and "old oak"."""

    def one(place: int) -> Iterator[tuple[int, str]]:
        token = reading.tokens[place] if place < len(reading.tokens) else None
        if token and (token.kind == "quoted" or (token.kind == "word" and token.word not in NO_TAGS)):
            yield place + 1, token.text

    for end, found in several(reading, at, one):
        yield end, tuple(found)


NO_TAGS: Final = (
    VERBS | FUNCTION_WORDS | {"save", "purge", "its", "author", "description", "tag", "tags", "only", "also"}
)
ABOUT_ASSET: Final = (
    "~( (with|,|and|add) [the] (tag|tags) [:] {tags:tags} [only] ; tag [it|each|them|each of them] with {tags:tags} ; [and|with|set] [the|an] author [=|:|is|to] {author:quoted} ; [and|with|set] [the|an] (license|licence) [=|:|is|to] {license:name} ; [and|with|set] [the] copyright [=|:|is|to] {copyright:quoted} ;"
    " [with|set] [the|a] description [=|:|is|to] {text:quoted} ; (generate no previews|do not generate previews) ; each one )"
)


@step(
    f"(mark|make|turn|declare) {{item:item}} [as|into|to] [an] (asset|assets) {ABOUT_ASSET}",
    f"{{item:item}} as [an] (asset|assets) [:|,] [mark (it|them)] {ABOUT_ASSET}",
    f"[<set>] {{item:item}} {{more=gets|get|has|have}} {ABOUT_ASSET}",
    "{clear=clear|remove} [the] asset [mark|data|status] (of|from|for) {item:item}",
    "{clear=unmark} {item:item} [as] [asset|assets]",
    "{item:item} (is|was) marked [as an asset] by mistake [,] [so] {clear=clear|unmark|remove} (it|that) [there|again]",
    "{item:item} (is|are) {clear=no asset|no assets|not an asset|no longer an asset|no longer assets} [any more]",
)
def asset(
    build: Build, item: Item, tags: tuple[str, ...] | None, author: str | None, text: str | None, clear: str | None,
    more: str | None, license: str | None, copyright: str | None,
) -> None:  # fmt: skip
    """Mark data as assets, or no longer; what is said of an asset."""
    about = [("author", author), ("description", text), ("license", license), ("copyright", copyright)]
    if more and not (tags or any(value for _, value in about)):
        raise refuse(item.said, "it gets what?")
    with each_owner(build, item) as var:
        if not more:
            build.line(f"{var}.asset_{'clear' if clear else 'mark'}()")
        if tags or any(value for _, value in about):
            build.need("expect")
            build.line(f"about = expect({var}.asset_data, bpy.types.AssetMetaData)")
        for tag in tags or ():
            build.line(f"about.tags.new({quoted(tag)}, skip_if_exists=True)")
        for key, value in about:
            if value:
                build.line(f"about.{key} = {quoted(value)}")
    build.note(f"{item.said} -> {'no asset' if clear else 'asset'}")


@step(
    "(<remove>|dissolve|ungroup|disband|flatten) [the] collection {name:known} [[but] [and] (keep|keeping|leave|leaving|not) [all] (its|the) objects [in it|inside|in the scene]]"
    " ~( [its|the] [objects|they] (go|move|moved|moves|moving|put|link|linking|relink) [its|the|them] [objects] [up] (into|to) [its|the] (parent [collection]|{scene=scene collection|scene}) )",
    "<remove> [the] collection {name:known} [together|along] {all=and its objects|with its objects|and everything in it|with everything in it|and all its objects|with all its objects|with all objects in it|and all objects in it|including its objects|including all its objects|including everything in it|including its content|including its contents|and its contents|and all its contents|with all its contents|with its contents|and its objects too}",
)
def remove_collection(build: Build, name: str, all: str | None, scene: str | None) -> None:
    """Remove a collection; what is in it goes up to where it was, unless the objects are to go too."""
    build.once()
    var = build.var("collection")
    build.line(f"{var} = bpy.data.collections[{quoted(name)}]")
    if all:
        build.need("remove_object")
        build.line(f"for obj in list({var}.all_objects):\n    remove_object(obj)\nbpy.data.collections.remove({var})")
    else:
        build.need("dissolve_collection")
        build.line(f"dissolve_collection({var}{f', {build.scene()}.collection' if scene else ''})")
    build.note(f'collection "{name}" removed')


KINDS: Final = {"mesh": "MESH", "geo": "MESH", "light": "LIGHT", "lamp": "LIGHT", "camera": "CAMERA", "cam": "CAMERA", "empt": "EMPTY", "helper": "EMPTY",
                "curve": "CURVE", "text": "FONT", "armature": "ARMATURE", "rig": "ARMATURE", "lattice": "LATTICE"}  # fmt: skip
SORTED: Final = "(all objects|every object|each object|objects|everything)"


@slot("sorted")
def sorted_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Collections by what goes into them: 'meshes in "Geo", lights in "Lights"', "Meshes, Lights and Cameras"."""

    def one(at: int) -> Iterator[tuple[int, tuple[str, str]]]:
        kind = KINDS.get(singular(reading.word(at)).removesuffix("y"), "")
        start = skip(reading, at + 1, INTO) if kind else at
        for end, (title, *_) in label(reading, start if start > at + 1 else at, {}, ""):
            kind = kind or next((type_ for word, type_ in KINDS.items() if word in title.lower()), "")
            if kind:
                yield end, (kind, title)

    for end, found in several(reading, at, one):
        if len(dict(found)) == len(found):
            yield end, dict(found)


INTO: Final = frozenset({"objects", "go", "in", "into", "to", "the", "a", "collection", "called"})


@step(
    f"(sort|move|put|organize|group|distribute) {SORTED} into [a] (collection|collections) [by|according to|based on|per] [its|their|object|the] [object] (type|types) ~( [:|called|named|-|,] {{sorted:sorted}} )",
    f"(sort|move|put|organize|group) {SORTED} (by|according to) [their|its] [object] (type|types) into [the] collections [:|called|named] {{sorted:sorted}}",
    f"(sort|move|put|organize) {SORTED} (into|in|to) [the] {{own=one}} (for|of|that fits|that is for) [its|their] [object] type ~( (only there|and nowhere else|nowhere else) )",
)
def sort_by_type(build: Build, sorted: dict[str, str] | None, own: str | None) -> None:
    """Objects into collections by type."""
    if own:
        named: list[str] = build.memory.get("_named", [])
        sorted = {kind: each for each in named for word, kind in KINDS.items() if each.lower().startswith(word)}
        if not named or len(sorted) != len(named):
            raise refuse(own, "which type goes where?")
    sorted = sorted or {"MESH": "Meshes", "LIGHT": "Lights", "CAMERA": "Cameras", "EMPTY": "Empties", "CURVE": "Curves", "FONT": "Texts",
                        "ARMATURE": "Armatures", "LATTICE": "Lattices"}  # fmt: skip
    build.need("collection_named", "move_to_collection")
    build.line(f"places = {{{', '.join(f'{quoted(key)}: {quoted(value)}' for key, value in sorted.items())}}}")
    with build.block(f"for obj in list({build.scene()}.objects):"), build.block("if obj.type in places:"):
        build.line("move_to_collection(obj, collection_named(places[obj.type]))")
    build.note("sorted by type")


@step(
    "<remove> [all|every|any] [the] [{other=other}] empty (collection|collections)",
    "<remove> [all|every|any] [the] [{other=other}] (collection|collections) (without|with no|that have no|that has no) objects",
    "<remove> [all|every|any] [the] [{other=other}] (collection|collections) (that|which) (are|is) [now|left] empty [afterwards|after that|now]",
)
def empty_collections(build: Build, other: str | None) -> None:
    """Remove the collections that hold nothing, and those that held only such."""
    named: list[str] = build.memory.get("_named", [])
    if other and not named:
        raise refuse(other, "other than which?")
    test = "not each.all_objects and not each.children"
    if other:
        build.line(f"kept = {literal(tuple(named))}")
        test += " and each.name not in kept"
    build.line(
        f"while empty := [\n    each for each in bpy.data.collections if {test}\n]:\n    bpy.data.batch_remove(empty)"
    )
    build.note("empty collections removed")


@step(
    "<remove> [all] [the] {what=empty|unused} material (slot|slots) [(from|of|on|in) {target:object}]",
    "<remove> {target:object} 's {what=empty|unused} material (slot|slots)",
)
def unused_slots(build: Build, what: str, target: Target | None) -> None:
    """Remove material slots: those without a material, or those that no face of a mesh uses."""
    build.need("mesh_of")
    with build.each(build.or_all(target, "MESH", said="all meshes")) as known:
        build.line(f"used = {{face.material_index for face in mesh_of({known.var}).polygons}}")
        test = "slot.material is None" if what == "empty" else "slot.slot_index not in used"
        with build.block(f"for slot in reversed({known.var}.material_slots[:]):"):
            build.line(f"if {test}:\n    mesh_of({known.var}).materials.pop(index=slot.slot_index)")
    build.note(f"{what} material slots removed")


@slot("tree")
def tree_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Collections in collections: "City > Block_A, Block_B; City > Park"."""
    pairs: list[tuple[str, str]] = []
    place, above = at, ""
    for end, found in several(reading, at, lambda here: one_branch(reading, here)):
        if len(found) > 1 or len(found[0]) > 2:
            yield end, [pair for branch in found for pair in branch]
    while (read := next(label(reading, place, {}, ""), None)) is not None:
        place, said = read[0], read[1][0]
        inner = reading.mark(place) in {">", "/"}
        if not inner or above:
            pairs.append((said, above))
        if not inner:
            yield place, list(pairs)
        above = said if inner else "" if reading.mark(place) == ";" else above
        place += inner or reading.mark(place) in {",", ";"}
        place += reading.word(place) == "and"


BRANCH: Final = compile_pattern(
    "[the|a] [collection] {name:quoted} (with|containing|holding|that contains|that holds|and in it|and inside it) [the] [child|sub] [collections|collection] ({inner:names}|{alone:quoted}) [(in|inside|under|below) it]"
)


def one_branch(reading: Reading, at: int) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """'"ENV" with "Terrain" and "Plants" in it'."""
    for end, found in BRANCH(reading, at, {}):
        yield end, [(found["name"], ""), *((each, found["name"]) for each in found.get("inner") or [found["alone"]])]


@step(
    "[<add>] [the|a] [folder|nested] [structure|hierarchy|tree] of [nested] collections [:] {tree:tree}",
    "[<add>] [nested] [collection] (collections|hierarchy|tree) [:|of|as] {tree:tree}",
    "[<add>] {tree:tree} [as] [nested] collections",
)
def collection_tree(build: Build, tree: list[tuple[str, str]]) -> None:
    """Collections within collections."""
    if not any(above for _, above in tree):
        raise refuse(tree[0][0], "within which?")
    build.need("collection_named", "nest")
    for said, above in tree:
        if above:
            build.line(f"nest(collection_named({quoted(said)}), collection_named({quoted(above)}))")
        else:
            build.line(f"collection_named({quoted(said)})")
    build.memory["_collections"] = {
        **build.memory.get("_collections", {}), **{said: f"bpy.data.collections[{quoted(said)}]" for said, _ in tree}
    }  # fmt: skip
    build.note("collections " + ", ".join(f"{above} > {said}" for said, above in tree))


@slot("placed")
def placed_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[str, Vec]]]]:
    """New empties with their places: 'empties "A" at (1, 0, 0) and "B" at the origin'."""

    def one(at: int) -> Iterator[tuple[int, tuple[str, Vec]]]:
        for end, title in name(reading, skip(reading, at, {"empty", "empties", "an", "called", "named"}), {}, "bare"):
            for last, v in vector(reading, skip(reading, end, {"at"}), {}, "") if reading.word(end) == "at" else ():
                yield last, (title, v)

    yield from several(reading, at, one)


@step(
    "(instance|instantiate) [the] collection {name:known} [(at|to) {v:vector}]",
    "(instance|instantiate) [the] collection {name:known} ~( {n:int} times ; (along|in) [the] [positive] {way:axis} [direction|axis] ; [spaced] {gap:quantity} (apart|spacing|from each other|between them) ; as [collection] [instance] (empties|instances|instance) )",
    "(make|create|add|place|put) {n:int} [collection] instances of [the] collection {name:known} ~( (along|in) [the] [positive] {way:axis} [direction|axis] ; [spaced] {gap:quantity} (apart|spacing|from each other|between them) )",
    "[make|create|add|place|put] [a|an] (instance of [the] collection|collection instance of [the] [collection]) {name:known} [(at|to) {v:vector}] [[,|:] [(with|as|on)] [an] empty [<called> {title:name}] [(at|to) {v:vector}]]",
    "(make|create|add|place|put) [a|an|two|three|four|the] [collection] (instance|instances) of (it|that collection|[the] collection {name:known}) [into the scene|in the scene] [:|,|as|with] {several:placed}",
)
def instance(
    build: Build, name: str | None, v: Vec | None, title: str | None, several: list[tuple[str, Vec]] | None,
    n: int | None = None, way: str | None = None, gap: Quantity | None = None,
) -> None:  # fmt: skip
    """Empties that show a collection; one of the file that was linked comes into the scene only so."""
    linked = build.memory.get("_linked")
    if name is None and linked is None:
        raise refuse("it", "which collection?")
    shown = f"bpy.data.collections[{quoted(name)}]" if name else linked
    if not name:
        build.line(
            f"if {linked}.name in {build.scene()}.collection.children:\n    {build.scene()}.collection.children.unlink({linked})"
        )
    if n is not None and (way is None or gap is None):
        raise refuse(f"{n}", "along which axis, how far apart?")
    if n is not None and way and gap:
        row_of_instances(build, name or "", n, way, gap)
        return
    wanted: list[tuple[str | None, Vec | None]] = [*several] if several else [(title, v)]
    for called, place in wanted:
        known = build.new_object("collection instance", called or name or "", called=bool(called), type_="EMPTY")
        build.line(f'{known.var}.instance_type = "COLLECTION"\n{known.var}.instance_collection = {shown}')
        if place is not None:
            set_vector(build, f"{known.var}.location", place, 0.0, called or name or "")
    build.note(f"instances of {name or 'the linked collection'}")


def row_of_instances(build: Build, name: str, n: int, way: str, gap: Quantity) -> None:
    """Several instances of a collection, one after another from the origin on."""
    apart = literal(float(-gap.value if way.startswith("-") else gap.value))
    with build.block(f"for number in range({n}):"):
        build.line(
            f'title = f"{name}_{{number + 1}}"\nempty = bpy.data.objects.get(title) or bpy.data.objects.new(title, None)'
        )
        build.line(f"if empty.name not in {build.scene()}.objects:\n    {build.scene()}.collection.objects.link(empty)")
        build.line(
            f'empty.instance_type = "COLLECTION"\nempty.instance_collection = bpy.data.collections[{quoted(name)}]'
        )
        build.line(f"empty.location.{way[-1].lower()} = {apart} * number")
    build.note(f"{n} instances of {name}")


# --- custom properties --------------------------------------------------------------------------------------


@slot("scalar")
def scalar_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Scalar | Cases]]:
    """A value of a custom property, or several with what each of them is for."""
    yield from in_cases(reading, at, lambda place: scalar(reading, place, env, of))


def scalar(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Scalar]]:
    """A value of a custom property: a number, true or false, or something in quotes."""
    place = skip(reading, at, {"the", "a", "an"})
    counted = next(number(reading, place), None) if singular(reading.word(place + 1)) in TYPES else None
    place = counted[0] if counted else place
    kind = singular(reading.word(place)) if singular(reading.word(place)) in TYPES else ""
    if kind:
        place += 1 + (reading.word(place + 1) in {"array", "values"})
        place += reading.mark(place) in {":", ","}
    if counted or kind in {"vector", "array"}:
        yield from row(reading, place, int(counted[1]) if counted else 0, whole=kind in {"int", "integer"})
        return
    for end, text in quoted_text(reading, place, {}, ""):
        yield end, text
    if TYPES.get(kind) is str:
        for end, text in name(reading, place, {}, "bare"):
            yield end, text
    if reading.word(place) in TRUTH:
        yield place + 1, TRUTH[reading.word(place)]
    yield from row(reading, place, 0)
    for end, shade in color(reading, place, {}, "bare"):
        yield end, (*shade.rgb, 1.0)
    for end, value in number(reading, place):
        digits = reading.tokens[place].text
        whole = TYPES.get(kind) is int or (TYPES.get(kind) is not float and "." not in digits and value == int(value))
        yield end, int(value) if whole else float(clean(value))


TYPES: Final[dict[str, type]] = {
    "string": str, "text": str, "integer": int, "int": int, "whole number": int, "decimal number": float, "decimal": float, "float": float, "number": object, "value": object, "boolean": bool,
    "bool": bool, "color": tuple, "vector": tuple, "array": tuple,
}  # fmt: skip
"""Words for the type of a custom property."""


def is_of(value: Scalar | Cases, wanted: type) -> bool:
    """Whether a value, or each of an array or of several, is of a type."""
    if isinstance(value, Cases):
        return all(type(one) is type(value.otherwise) and is_of(one, wanted) for _, one in value.rows)
    return isinstance(value, wanted) or (isinstance(value, tuple) and all(isinstance(one, wanted) for one in value))


def as_float(value: Scalar | Cases) -> Scalar | Cases:
    """A value with whole numbers as such that are not."""
    if isinstance(value, tuple):
        return tuple(map(float, value))
    return float(value) if type(value) is int else value


def row(reading: Reading, at: int, count: int, *, whole: bool = False) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Numbers, or true and false, side by side: "(1, 0.5, 2)", "1.2 / 0.8 / 0.9", "true, false, true"."""
    bracket = reading.mark(at) in {"(", "["}
    place = at + bracket
    found: list[float] = []
    while place < len(reading.tokens) and (reading.tokens[place].kind == "number" or reading.word(place) in TRUTH):
        found.append(TRUTH[reading.word(place)] if reading.word(place) else float(reading.tokens[place].text))
        place += 1
        if reading.mark(place) in {",", "/"} or reading.word(place) in {"and", "x"}:
            place += 1
    if len(found) > 1 and count in {0, len(found)} and (not bracket or reading.mark(place) in {")", "]"}):
        yield place + bracket, tuple(int(each) if whole and type(each) is float else each for each in found)


TRUTH: Final = {"true": True, "false": False}


@slot("pairs")
def pairs(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[tuple[str, Scalar | Cases]]]]:
    """Names with values: '"author" (text "Ada"), "version" (integer 3) and ...'."""

    def one(at: int) -> Iterator[tuple[int, tuple[str, Scalar | Cases]]]:
        for start, key in key_slot(reading, at, {}, ""):
            bracket = reading.mark(start) == "("
            start = skip(reading, start + bracket, {"to", "of", "with", "value", "set", "is", "as"})  # noqa: PLW2901
            start += reading.mark(start) in {"=", ":", ","}  # noqa: PLW2901
            for end, value in scalar_slot(reading, start, {}, ""):
                if not bracket or reading.mark(end) == ")":
                    yield end + bracket, (key, value)

    yield from several(reading, at, one)


@slot("key")
def key_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A name of a custom property, or a word where its value follows: "health, integer, 75"."""
    if reading.word(at) in {"called", "named"}:
        return
    yield from name(reading, at, {}, "bare")
    follows = reading.mark(at + 1) in {",", "=", ":", "("} or reading.word(at + 1) in TYPES
    if reading.word(at).isidentifier() and follows:
        yield at + 1, reading.tokens[at].text


TAGGED: Final = re.compile(r"\b(tag|tags|mark|marks|flag|flags)\b", re.IGNORECASE)
"""Verbs for which a property that is true or false is true."""
KIND: Final = "[{kind=string|integer|float|text|int|boolean|bool|color}] [array]"
SUBTYPES: Final = {
    "": "", "color": "COLOR", "linear color": "COLOR", "gamma color": "COLOR_GAMMA", "gamma corrected color": "COLOR_GAMMA", "distance": "DISTANCE",
    "angle": "ANGLE", "factor": "FACTOR", "percentage": "PERCENTAGE", "temperature": "TEMPERATURE", "direction": "DIRECTION", "translation": "TRANSLATION",
}  # fmt: skip
"""How the numbers of a custom property are shown."""
SUBTYPE: Final = f"{{subtype={'|'.join(filter(None, SUBTYPES))}}}"
PROPERTY: Final = f"[custom] {KIND} [custom] (property|properties) [called|named|with the name|by the name of]"
LIMITED: Final = (
    "[with] [a|the] (min|minimum) [value] [of] {low:n} ; [with] [a|the] (max|maximum) [value] [of] {high:n} ; [with] [a|the] default [value] [of] {usual:n} ;"
    " [with|a] [{soft=soft}] (between|from|range|limits|limited to|in the range|slider|slider range) [from|of] {low:n} [to|and|-|..] {high:n} ;"
    " [with] [the|a] (description|tooltip) [=|:] {text:quoted} ;"
    f" [with] [the|a] subtype [=|:|of] {SUBTYPE} ; (shown|displayed) as [a|an] {SUBTYPE} ; [«] {SUBTYPE} subtype [»] ;"
    " [as] [a|an] [{size=3|4} [-] component] {kind=color} ; {free=library overridable|overridable} ;"
    " [a|an|as] {kind=integer|whole number|decimal number|decimal|float|string|boolean}"
)
LIMITS: Final = f"~( {LIMITED} )"
OF: Final = "(on|to|for|of|in) {item:holder}"
VALUED: Final = (
    "({p:pairs}|{key:key} ~( [with] [the] (value|text|string|set to|=) [of|=|:] {value:scalar} ; [:] {value:scalar} ; "
    + LIMITED
    + " ; {kind=int|bool|color} ))"
)


@step(
    f"[<add>] [the|a] {PROPERTY} {VALUED} {OF} {LIMITS}",
    f"[<add>] [the|a] {PROPERTY} {{key:key}} {OF} [to|=|:|,] ([with] [the] [value] [of] {{value:scalar}} {LIMITS}|{LIMITS} [,] value {{value:scalar}} {LIMITS})",
    f"[<set>] [the|a] {PROPERTY} {{key:key}} (to|=|:) {{value:scalar}} {OF} {LIMITS}",
    f"[<add>] [the|a] {PROPERTY} {OF} [:|,] {VALUED} {LIMITS}",
    f"(give|let|set|add|tag|mark|flag) [on|to] {{item:holder}} [have|get|with|by] [a|the] {PROPERTY} {VALUED} {LIMITS}",
    f"{{item:holder}} [:] (gets|has|have|needs|should have) [a|the] {PROPERTY} {VALUED} {LIMITS}",
    f"(set|add|create|give it|give each|give them|store|write) [the|a] {PROPERTY} {VALUED} {LIMITS}",
    f"(set|store|write) [the|a] {PROPERTY} {{key:key}} (to|=) {{value:scalar}} {LIMITS}",
    f"(attach|store|save|put|write) [the] {KIND} {{p:pairs}} (to|on|in|as a custom property of|as custom property on) {{item:holder}} [« [as] [a] custom [property|properties] »] {LIMITS}",
)
def custom_property(
    build: Build, p: list[tuple[str, Scalar | Cases]] | None, item: Item | None, kind: str | None, key: str | None, value: Scalar | Cases | None,
    low: float | None, high: float | None, usual: float | None, soft: str | None, text: str | None, subtype: str | None,
    free: str | None, size: str | None,
) -> None:  # fmt: skip
    """Custom properties with their limits."""
    if item is None:
        if build.it is None:
            raise refuse(key or "", "a property of what?")
        item = Target("them" if isinstance(build.it, Many) else "it", said="it")
    given = [(key, value)] if key is not None and value is not None else p or []
    wanted = TYPES.get(kind or "", object)
    if not given and key and wanted is bool and TAGGED.search(build.request):
        given = [(key, True)]
    if wanted is float:
        given = [(each, as_float(one)) for each, one in given]
    if not given or not is_of(given[-1][1], wanted):
        raise refuse(kind or key or "", "the value is missing or of another kind")
    if size and not (isinstance(given[-1][1], tuple) and len(given[-1][1]) == int(size)):
        raise refuse(size, "as many components as the value")
    if any(each is not None for each in (low, high, usual)) and isinstance(given[-1][1], str):
        raise refuse(given[-1][0], "limits of a text?")
    limits = {f"{soft or ''}_min".strip("_"): low, f"{soft or ''}_max".strip("_"): high, "default": usual}
    about = {"subtype": SUBTYPES[subtype or ("color" if kind == "color" else "")], "description": text or ""}
    build.comment("custom properties")
    with each_owner(build, item) as var:
        for each, one in given:
            number_type = int if type(one) is int else float
            held = list(one) if isinstance(one, tuple) else one
            shown = one.source(build, var) if isinstance(one, Cases) else literal(held)
            build.line(f"{var}[{quoted(each)}] = {shown}")
            limited = limits if not isinstance(one, str) else {}
            details = [f"{part}={literal(number_type(end))}" for part, end in limited.items() if end is not None]
            details += [f"{part}={quoted(said)}" for part, said in about.items() if said]
            if details:
                build.need("describe")
                build.line(f"describe({var}, {quoted(each)}, {', '.join(details)})")
            if free:
                build.line(f"{var}.property_overridable_library_set('[{quoted(each)}]', True)")
    build.note("custom properties " + ", ".join(each for each, _ in given))


@step(
    "(replace|swap) [the] material {old:names} (with|by|for) [the] [material] {new:name}",
    "{merge=merge|combine} [the] (material|materials) {old:names} (into|with|to) [the] [material] {new:name}",
    "(replace|swap) [the] material {one:name} (with|by|for) [the] [material] {new:name}",
    "[everything|every object|all objects|anything] that (uses|use) [the|one of the] (material|materials) {old:names} should use {new:name} [instead]",
    "let [everything|every object|all objects] that (uses|use) [the] (material|materials) {old:names} use {new:name} [instead]",
    "(remove|delete) {those=those|those three|those two|those materials|the old ones|the duplicates|them}",
)
def replace_material(
    build: Build, old: list[str] | None, one: str | None, new: str | None, those: str | None, merge: str | None
) -> None:  # fmt: skip
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
    if new is None or merge:
        build.line(f"for name in ({shown},):\n    bpy.data.materials.remove(bpy.data.materials[name])")
    build.note(f"materials {', '.join(names)}")


DATA_KINDS: Final = "images|materials|meshes|textures|actions|node groups|curves|lights|cameras|worlds"
UNUSED: Final = "((that|which) nothing uses|nothing uses|(nobody|no one) uses|without [any] users|(that|which) (are|is) (not used|unused|left without users|not used any more)|(that|which) (have|has) (no|zero|0) users [left]|with (no|zero|0) users [left]|left without users)"
FACTS: Final = (
    "~( [and] [also] (those|the ones) that [only] (get|become|are) [only] unused {deep=through that|by that|because of that|then} ; {deep=recursively|recursive} ; (orphans|orphan data) ; from the (file|blend file) ; [.] [keep] fake users [stay] ; [and] [also] [the] (those|ones|materials|meshes|images|data) [that are] only used by (unused|other unused) {deep=ones|data|meshes|materials} ;"
    " [.] [the] (things|data|everything|whatever|anything|those|ones) with [a] fake (user|users) (stay|stays|remain|remains) [of course] ;"
    " [.] [a|the|even|also|including] (fake user|fake users) {all=doesn't count|does not count|do not count|don't count|should not count|counts as unused} [as [a] (use|user|being used)] ; (even|also|including) (those|ones|the ones|materials) with [a] {all=fake user|fake users} ;"
    " (except|but not|except that|but keep|keep|apart from) [that] [all] [the|those] [materials|images|meshes|data|ones] [whose|with] [name|names] [that] (starting|beginning|start|begin) [with] {kept:labels} [always] [stay|remain] )"
)


@step(
    f"[clean up :] (remove|delete|throw out|throw away|purge|get rid of|clean up) [all|every|any] [the] [{{rest=other|remaining}}] [{{kind={DATA_KINDS}}}|data|datablocks|data blocks] {UNUSED} {FACTS}",
    f"(remove|delete|purge|clean up|get rid of|throw out) [all|every|any|each] [the] [{{rest=other|remaining}}] (unused|orphan|orphaned) {{kind={DATA_KINDS}}} {FACTS}",
    f"(remove|delete|purge|clean up|get rid of|throw out) [all] [the] unused {{kind={DATA_KINDS}}} [and|,] [unused] {{second={DATA_KINDS}}} [[and|,] [and] [unused] {{third={DATA_KINDS}}}] {FACTS}",
    f"(purge|remove|delete|clean up|clear) [all] [the] (unused|orphan|orphaned) [data|datablocks|data blocks|data-blocks|blocks] [from the (file|blend file)] {FACTS}",
    f"purge [all] [the] (orphans|orphan data|orphan blocks|orphan data blocks|orphan datablocks|file|blend file|unused|unused data|orphaned data) [{{deep=recursively|until nothing is left|until none is left|until none are left|until nothing is left to purge|again and again}}] {FACTS}",
    "purge",
)
def purge(
    build: Build, kind: str | None, deep: str | None, second: str | None, third: str | None, rest: str | None, all: str | None, kept: tuple[str, ...] | None
) -> None:  # fmt: skip
    """Remove the data of one kind that nothing uses, or everything such until nothing is left to remove."""
    kinds = [each for each in (kind, second, third) if each]
    others = SAID_NAMES.findall(build.request) if rest else []
    if (others or all or kept) and (deep or not kinds):
        raise refuse(rest or all or "except", "of which kind?")
    unused = "each.users - each.use_fake_user == 0" if all else "each.users == 0"
    if others:
        unused += f" and each.name not in {literal(tuple(others))}"
    if kept:
        unused += f" and not each.name.startswith({literal(kept[0] if len(kept) == 1 else kept)})"
    stores = [f"bpy.data.{each.replace(' ', '_')}" for each in kinds]
    if kinds and deep:
        build.comment("until nothing of these is left unused")
        build.line(f"stores = ({', '.join(stores)}{',' * (len(kinds) == 1)})")
        with build.block("while unused := [each for store in stores for each in store if each.users == 0]:"):
            build.line("bpy.data.batch_remove(unused)")
    for store in stores if not deep else ():
        line = f"bpy.data.batch_remove([each for each in {store} if {unused}])"
        build.line(
            line
            if len(line) <= LONG
            else line.replace("([", "([\n    ").replace(f" if {unused}])", f"\n    if {unused}\n])")
        )
    if not kinds:
        build.comment("remove what nothing uses, and what only that used")
        build.line("bpy.ops.outliner.orphans_purge(do_local_ids=True, do_linked_ids=True, do_recursive=True)")
    build.note(f"unused {' and '.join(kinds) or 'data'} removed")


@step(
    "[and] (print|report|log|show|tell me|say) (how many|[the] number of|[the] count of) [of] (data|datablocks|data blocks|data-blocks|blocks|things) [blocks|data-blocks] (were|was|have been|got|are|it was) (removed|deleted|purged|cleaned up) [in total|in all|altogether|in the end]",
)
def count_purged(build: Build) -> None:
    """How many data-blocks a request removed."""
    if not build.notes or not all("removed" in each for each in build.notes):
        raise refuse("how many", "of what? Not all of this removes data")
    build.at_first("blocks = len(bpy.data.user_map())")
    build.line('print(blocks - len(bpy.data.user_map()), "data-blocks removed")')
    build.note("number of removed data-blocks printed")


SAID_NAMES: Final = re.compile(r"[\"“']([^\"“”']+)[\"”'](?!\w)")
"""Names that a request says: "all other materials" are none of these."""


@step(
    "<remove> ([the|all]|every|each|any) custom (property|properties) [<called>] [{key:quoted}] (from|of|on) {target:holder} [(that|which|where|if) [it|they] (has|have|carry|carries) (one|it|them|any)]",
    "<remove> [the] (property|properties) {key:quoted} (from|of|on) {target:holder}",
)
def remove_property(build: Build, key: str | None, target: Item) -> None:
    """Remove custom properties."""
    with each_owner(build, target) as var:
        if key:
            build.line(f"if {var}.get({quoted(key)}) is not None:\n    del {var}[{quoted(key)}]")
        else:
            build.line(f"for key in list({var}.keys()):\n    del {var}[key]")
    build.note("custom properties removed")


@step(
    "(copy|transfer) [all] [the] custom (property|properties) (of|from) {source:object of one} (to|onto) {target:object}"
    " ~( [with|including|and] [their|the] [values and] (ranges|limits|settings|tooltips) ; [both] values and (ranges|limits|settings) )",
)
def copy_properties(build: Build, source: Target, target: Target) -> None:
    """The custom properties of an object for others, with their values and limits."""
    known = build.object(source)
    with build.each(target) as other, build.block(f"for key, value in {known}.items():"):
        build.line(f"{other.var}[key] = value")
        build.line(
            f'if not hasattr(value, "keys"):\n    {other.var}.id_properties_ui(key).update_from({known}.id_properties_ui(key))'
        )
    build.note(f"custom properties of {source.said} -> {target.said}")


# --- the file -----------------------------------------------------------------------------------------------


ONLY: Final = {"wm.obj_export": "export_selected_objects", "wm.stl_export": "export_selected_objects", "wm.ply_export": "export_selected_objects",
               "wm.usd_export": "selected_objects_only", "wm.alembic_export": "selected"}  # fmt: skip
WHERE: Final = "[[«] [(in|to|into|from)] [the] [current|present|working] [working] (directory|folder|dir) [»]]"
FORMAT: Final = "{format=obj|stl|ply|glb|gltf|fbx|usd|alembic}"
OPTIONS: Final = (
    "~( [with] {s:settings of path} ; [with] {a:settings of path} ; (in|to|into) [the] [current] [working] (directory|folder) ; directory ;"
    " (nothing else|no other objects) [from (the|this) scene] )"
)
FOR_WHAT: Final = "for (unity|unreal|unreal engine|godot|printing|3d printing|the printer|the slicer|web|the web)"
AXES: Final = "[with] {fwd:axis} [axis] [is|as|pointing] forward ; [with] [the] forward [axis] [=|:|is|to|along] {fwd:axis} ; [with|and] {up:axis} [axis] [is|as|pointing] up ; [with|and] [the] up [axis] [=|:|is|to|along] {up:axis}"
EXPORT: Final = f"{FORMAT} [file] (export [file] [{FOR_WHAT}] [-|:|of]|{FOR_WHAT} [-|:]|:)"
PICKED: Final = "[only|just] [the] {selected=selected|selection} [objects|ones] [only] ; {shown=only visible objects|visible objects only|visible only|only visible|only the visible objects} ; {scene=whole scene|everything|entire scene}"
EXTRA: Final = "in {unit=millimeters|centimeters|mm|cm} ; frames {span:frames} ; {span:frames} ; {apply=with modifiers|modifiers applied|with modifiers applied}"
WHAT: Final = "[only|just] ({target:object}|[the] [objects] [(of|in)] [the] collection {coll:known}) [only|alone]"
A_FILE: Final = (
    "[the] [a|an|one] [single|{binary=binary}] [{format=obj|stl|ply|glb|fbx|gltf|usd|alembic}] [{binary=binary}] [file]"
)


@step(
    f"(export|save|write) {WHAT} (as|to|into|in) {A_FILE} [(to|as|called|named)] {{path:path}} {OPTIONS} ~( {AXES} )",
    f"(export|save|write) [the] [whole|entire|complete] {{scene=scene|everything|all}} (as|to|into) {A_FILE} [(to|as|called|named)] {{path:path}} {OPTIONS}",
    f"[and] [the] [whole|entire] {{scene=scene|everything}} to {{path:path}} {WHERE}",
    f"{EXPORT} ~( {WHAT} ; {PICKED} ; [to|as|into] {{path:path}} ; [with] {{s:settings of format}} ; [with] {{a:settings of format}} ; {EXTRA} )",
    f"(export|save|write) [as|to] {{path:path}} ~( {WHAT} ; {PICKED} ; [with] {{s:settings of path}} ; [with] {{a:settings of path}} ; {EXTRA} )",
)
def export(
    build: Build, target: Target | None, scene: str | None, path: str | None, s: list[Set] | None, a: list[Set] | None, selected: str | None,
    coll: str | None, format: str | None, binary: str | None, shown: str | None, span: tuple[int, int] | None, unit: str | None, apply: str | None,
    fwd: str | None, up: str | None,
) -> None:  # fmt: skip
    """Write objects, or the whole scene, to a file, with the options of its operator."""
    if shown:
        target = Target("all", where=(Filter("obj.visible_get()"),), said="what is visible")
    if coll is not None:
        held = Filter(f"obj.name in bpy.data.collections[{quoted(coll)}].all_objects")
        target = Target("all", where=(held,), said=f"what {coll} holds")
    if not path:
        raise refuse(format or "export", "to which file?")
    operator = file_operator(build.lexicon, path)
    chosen = {option[0].prop.name for each in (*(s or ()), *(a or ())) for option in each.options}
    if {"use_selection", *ONLY.values()} & chosen:
        selected = selected or "selected"
    if not operator or (target is None and scene is None and selected is None):
        raise refuse(path, "no format that is exported here")
    ending = path.rpartition(".")[2].lower()
    if format and (file_operator(build.lexicon, format) != operator or (format == "glb" and ending != "glb")):
        raise refuse(format, f"the file would be {ending}")
    if binary and ending in {"obj", "gltf", "usda"}:
        raise refuse(binary, f"{ending} is text")
    build.imports("pathlib: Path")
    build.comment(f"export to {path}")
    if target is not None:
        select_only(build, target)
    more = frames_and_unit(operator, path, span, unit) | axes_of(build, operator, fwd, up)
    if apply:
        more |= modified(build, operator)
    only = target is not None or selected is not None
    extra = options(build, operator, [*(s or []), *(a or [])], path, only=only, more=more)
    build.line(f"path = {placed(path)}\nbpy.ops.{operator}({extra})")
    build.note(f"export to {path}: {extra}")


def modified(build: Build, operator: str) -> dict[str, str]:
    """The option of an export that applies modifiers."""
    taken = build.lexicon.manifest.operators[operator].arguments if operator else ()
    return {key: "True" for key in ("apply_modifiers", "use_mesh_modifiers", "export_apply") if key in taken}


def frames_and_unit(operator: str, path: str, span: tuple[int, int] | None, unit: str | None) -> dict[str, str]:
    """Options for the frames and the unit of a file, where its format has them."""
    more: dict[str, str] = {}
    if span:
        names = {"wm.alembic_export": ("start", "end"), "wm.obj_export": ("start_frame", "end_frame")}.get(operator)
        if names is None:
            raise refuse(path, "this format takes the frames of the scene")
        more |= dict(zip(names, map(str, span), strict=True))
        if operator == "wm.obj_export":
            more["export_animation"] = "True"
    if unit:
        if operator not in {"wm.stl_export", "wm.obj_export", "wm.ply_export"}:
            raise refuse(unit, "this format keeps the unit of the scene")
        more["global_scale"] = "1000.0" if unit in {"millimeters", "mm"} else "100.0"
    return more


def select_only(build: Build, target: Target) -> None:
    """Let these objects be selected and no others."""
    build.need("only_selected")
    found = build.objects(target)
    build.line(f"only_selected({found.var if isinstance(found, Known) else '*' + found.expression})")


def options(
    build: Build, operator: str, sets: list[Set], path: str, *, only: bool, more: dict[str, str] | None = None
) -> str:
    """The arguments of an operator that writes a file."""
    chosen = build.choose(sets, [Place("", operator)], "the export")
    more = more or {}
    given = {"filepath": "path", **{setting.prop.name: build.value(value, setting) for setting, value in chosen}}
    if clash := next((key for key, value in more.items() if given.get(key, value) != value), ""):
        raise refuse(clash, f"{given[clash]}, or {more[clash]}?")
    given |= more
    if operator == "export_scene.gltf":
        given["export_format"] = '"GLB"' if path.lower().endswith("glb") else '"GLTF_SEPARATE"'
    given.setdefault(ONLY.get(operator, "use_selection"), str(only))
    text = ", ".join(f"{key}={value}" for key, value in given.items())
    return text if len(text) < 70 else "\n" + "".join(f"    {key}={value},\n" for key, value in given.items())


EACH: Final = (
    "~( (named|called) (after|like) (it|them|the object|the objects|its object|their objects|the mesh|its name|their names) ; [with] [the|all] {apply=modifiers applied|with modifiers|modifiers applied to it|applied modifiers} ; {plain=without materials|no materials|with no materials} ;"
    " [.] [first] (move|put|place|bring|set) (each|each of them|every one of them|every one|all of them|them|it|each object|every object) to [the] {origin=world origin|origin} [first|before|for that|before exporting|before the export|while exporting|for the export] [and (put|move|bring|place) (it|them|each|everything) {back=back} [to (its|their) [old|original] (place|places|position|positions)] [afterwards|after that|again]] ;"
    " (in|to|into) [the] [current] [working] (directory|folder) ; directory ;"
    " (in|to|into) [the] [folder|directory] {place:path} ; [with] {s:settings of format} ;"
    " [.] (while exporting|during [the] export|for the export) [,] [let] [each|the|every] [object|it] [should|must] (sit|sits|be|is|stand|stands) at [the] {origin=world origin|origin} ;"
    " [and] (after that|afterwards) [all of] [them|it|the objects|the object] (have to be|have be|should be|must be|are|is|go|goes) {back=back} (at|to|in) (its|their) [old|original] (place|places|position|positions) )"
)


@step(
    f"(batch export|export|save|write) {{target:object}} (as|to|into) [(its|their|an|a|each to its|each as its)] [own|separate|individual|single] (separate|individual|own|) [binary] {FORMAT} [binary] [file|files] {EACH}",
    f"(export|save|write) {{target:object of one}} (as|to) [a|an] [binary] {FORMAT} [binary] [file] {EACH}",
    f"[export|save|write] (one|a separate|a single|its own|an own) {FORMAT} [file] (for|per) {{target:object}} {EACH}",
    f"(batch export|export|save|write) {{target:object}} (each|individually|separately|one by one) (as|to|into) [a|an] [separate|own] {FORMAT} [file|files] {EACH}",
)
def export_each(
    build: Build, target: Target, format: str, s: list[Set] | None, place: str | None, origin: str | None, back: str | None,
    apply: str | None, plain: str | None,
) -> None:  # fmt: skip
    """Each object into a file of its own, named after it; perhaps at the world's origin for the while."""
    operator = file_operator(build.lexicon, format)
    if format == "gltf" and re.search(r"gltf binary|binary gltf", build.request, re.IGNORECASE):
        format = "glb"
    taken = set(build.lexicon.manifest.operators[operator].arguments) if operator else set[str]()
    more = modified(build, operator) if apply else {}
    if plain:
        if "export_materials" not in taken:
            raise refuse(plain, f"{format} has no such option")
        more["export_materials"] = '"NONE"' if operator == "export_scene.gltf" else "False"
    if re.search(r"\b(per|each|every) (mesh|object)\b", build.request, re.IGNORECASE) and target.how == "kind":
        target = Target("all", "MESH", said="all meshes")
    if target.how not in {"named", "word"} and not re.search(
        r"\b(own|separate|individual|each|batch|individually|separately|one by one|per|every)\b",
        build.request,
        re.IGNORECASE,
    ):
        raise refuse(target.said, "one file, or one for each?")
    if back and not origin:
        raise refuse(back, "from where?")
    build.imports("pathlib: Path")
    build.need("only_selected")
    extra = options(build, operator, s or [], format, only=True, more=more)
    folder = "Path.cwd()"
    if place:
        inner = re.sub(rf"[<{{]\w*name[>}}]\.{format}$", "", place).removeprefix("./").rstrip("/") or "//"
        if "." in inner or "<" in inner or "{" in inner:
            raise refuse(place, "no folder")
        folder = build.var("folder")
        build.line(f"{folder} = {build.path_of(inner, absolute=True)}\n{folder}.mkdir(parents=True, exist_ok=True)")
    with build.each(target) as known:
        if origin:
            build.line(
                f"{build.view_layer()}.update()\nplace = {known.var}.matrix_world.copy()\n{known.var}.matrix_world.translation = (0.0, 0.0, 0.0)"
            )
        build.line(
            f'only_selected({known.var})\npath = str({folder} / f"{{bpy.path.clean_name({known.var}.name)}}.{format}")'
        )
        build.line(f"bpy.ops.{operator}({extra})")
        if origin:
            build.line(f"{known.var}.matrix_world = place")
    build.note(f"{target.said} -> a {format} file each")


def placed(path: str) -> str:
    """The expression of a path: beside the working directory where it is relative."""
    return f"bpy.path.abspath({quoted(path)})" if path.startswith("/") else f"str(Path.cwd() / {quoted(path)})"


@step(
    f"(import|load|bring in) [the] [object|obj|stl|fbx|ply|glb|gltf|usd|alembic] [file|model] {{source:path}} ~( {WHERE} ; (into|in) [a|the] [new] collection [<called>] {{name:name}} ; [and] only there ; [with|at] [a|the] [global] scale [factor] [of|=|:|to] {{factor:n}} ; [with] {{s:settings of source}} ; [and] [re] (name|call|rename) (it|the object|the mesh|the imported object|the result) [to|as] {{title:name}} ; {AXES} )",
)
def import_file(
    build: Build, source: str, name: str | None, factor: float | None, s: list[Set] | None, fwd: str | None, up: str | None, title: str | None
) -> None:  # fmt: skip
    """Read a model with the options of the operator, perhaps into a collection."""
    operator = file_operator(build.lexicon, source, "import")
    if not operator:
        raise refuse(source, "no format that is imported here")
    build.once()
    build.imports("pathlib: Path")
    scene = build.scene()
    chosen = build.choose(s or [], [Place("", operator)], "the import")
    extra = "".join(f", {setting.prop.name}={build.value(value, setting)}" for setting, value in chosen)
    extra += "".join(f", {key}={value}" for key, value in axes_of(build, operator, fwd, up).items())
    if factor is not None:
        scales = {"global_scale", "scale"} & set(build.lexicon.manifest.operators[operator].arguments)
        if not scales:
            raise Ambiguous(
                ["scale"], f'"scale": {operator} has no such option; scale what was imported in a sentence of its own'
            )
        extra += f", {scales.pop()}={literal(float(factor))}"
    build.comment(f"import {source}")
    build.line(f"before = set({scene}.objects)\nbpy.ops.{operator}(filepath={placed(source)}{extra})")
    build.line(f"imported = [obj for obj in {scene}.objects if obj not in before]")
    build.it = Many("imported")
    build.memory["_imported"] = True
    if name:
        build.need("collection_named", "move_to_collection")
        build.line(f"for obj in imported:\n    move_to_collection(obj, collection_named({quoted(name)}))")
    if title:
        var = build.var(title)
        build.line(f"({var},) = imported\n{var}.name = {quoted(title)}")
        build.add_known(Known(var, title, made=True))
    build.note(f"import {source}{extra}")


def axes_of(build: Build, operator: str, forward: str | None, up: str | None) -> dict[str, str]:
    """The options of an import or export for the axes that point forward and up."""
    found: dict[str, str] = {}
    taken = build.lexicon.manifest.operators[operator].arguments
    for what, axis in (("forward", forward), ("up", up)):
        if axis is None:
            continue
        name = next((each for each in (f"{what}_axis", f"axis_{what}") if each in taken), None)
        if name is None:
            raise refuse(f"{axis} {what}", f"{operator} does not ask for this")
        minus = ("NEGATIVE_" if name.endswith("_axis") else "-") if axis.startswith("-") else ""
        found[name] = quoted(minus + axis[-1].upper())
    return found


LINKED: Final = "(into|in|to) [a|the] [new] collection [<called>] {goal:name} ; {shown=as an instance|as a collection instance|as instance|as an instanced collection|as an instance of it|instanced} [(at|to) {v:vector}] ; [and] (put|link|place|bring|add) it (in|into|to) [the|this|current] scene ; {only=linked|link|appended|append} [,] (not|no) (appended|append|appending|linked|link|linking)"
STORES: Final = {"collection": "collections", "object": "objects", "material": "materials", "node group": "node_groups", "world": "worlds",
                 "scene": "scenes", "action": "actions", "mesh": "meshes", "image": "images", "text": "texts", "library": "libraries"}  # fmt: skip


KEPT_IN: Final = "|".join(kind for kind in STORES if kind != "library")


@step(
    f"{{how=link|append}} [the] {{kind={KEPT_IN}}} [<called>] {{names:labels}} (from|out of) [the] [blend] [file|library] {{path:path}} {WHERE} ~( [and] {{shown=instance it|add an instance of it|make an instance of it|place an instance}} [(at|to) {{v:vector}}] ; {LINKED} )",
    f"{{how=link|append}} (all|every) [the] {{kind={KEPT_IN}}} [(whose name|whose names|with names that|that|starting|beginning) [start|starts|begin|begins] with {{prefix:label}}] (from|out of|in) [the] [blend] [file|library] {{path:path}} ~( {WHERE} ; {LINKED} )",
    f"{{how=link|append}} [the] {{names:labels}} {{kind={KEPT_IN}}} (from|out of) [the] [blend] [file|library] {{path:path}} ~( {WHERE} ; {LINKED} )",
    f"from [the] [blend] [file|library] {{path:path}} [,] {{how=link|append}} [the] {{kind={KEPT_IN}}} [<called>] {{names:labels}} ~( {LINKED} )",
)
def from_library(
    build: Build, how: str, kind: str, names: tuple[str, ...] | None, path: str, shown: str | None, v: Any,
    prefix: tuple[str, ...] | None, only: str | None, goal: str | None,
) -> None:  # fmt: skip
    """Take data out of another file, once; objects and collections come into the scene, or into a collection of it."""
    kind = singular(kind)
    store = STORES[kind]
    if not path.lower().endswith(".blend"):
        raise refuse(path, "a .blend file is meant?")
    build.imports("pathlib: Path")
    build.comment(f"{how} from {path}")
    if only and not only.startswith(how):
        raise refuse(only, f"{how}, or not?")
    if goal and (shown or kind not in {"collection", "object"}):
        raise refuse(goal, "only objects and collections are in a collection")
    inner = "children" if kind == "collection" else "objects"
    if names is None:
        wanted = f" and name.startswith({quoted(prefix[0])})" if prefix else ""
        gap = "\n        " if prefix else ""
        build.line(
            f"with bpy.data.libraries.load({placed(path)}, link={how == 'link'}) as (source, into):\n    into.{store} = [{gap}name for name in source.{store} if name not in bpy.data.{store}{wanted}{gap[:5]}]"
        )
        if kind in {"collection", "object"}:
            held = f"{holding(build, goal)}.{inner}"
            if kind == "collection":
                build.comment("collections within others come with those")
                build.line("within = {child for each in into.collections for child in each.children_recursive}")
            test = "if each not in within:" if kind == "collection" else f"if each.name not in {held}:"
            build.line(f"for each in into.{store}:\n    {test}\n        {held}.link(each)")
        build.note(f"{how} every {kind} from {path}")
        return
    build.line(f"wanted = [name for name in {list(names)!r} if name not in bpy.data.{store}]".replace("'", '"'))
    build.line(
        f"with bpy.data.libraries.load({placed(path)}, link={how == 'link'}) as (_, into):\n    into.{store} = wanted"
    )
    for each in names:
        text = quoted(each)
        if shown and kind != "collection":
            raise refuse(shown, "collections have instances")
        if kind == "collection" and shown:
            instance(build, each, v, None, None)
        elif kind in {"collection", "object"}:
            var = build.var(each)
            if kind == "collection" and how == "link":
                build.memory["_linked"] = var
            build.line(f"{var} = bpy.data.{store}[{text}]")
            held = f"{holding(build, goal)}.{inner}"
            link_once(build, held, var, text)
            if kind == "object":
                build.add_known(Known(var, each, made=True))
    build.note(f"{how} {', '.join(names)} from {path}")


def holding(build: Build, goal: str | None) -> str:
    """The collection of this name, made where there is none, or that of the scene."""
    if goal is None:
        return f"{build.scene()}.collection"
    build.need("collection_named")
    return f"collection_named({quoted(goal)})"


@step(
    "(make|create|add) [a|an] [editable] [library] (override|overrides) (of|for|from) (it|that collection|the collection|the linked collection) [(so|so that) (its|the) objects (are|become|can be) (editable|edited)]",
    "override (it|that collection|the collection|the linked collection) [(so|so that) (its|the) objects (are|become|can be) (editable|edited)]",
    "(make|turn) {target:object} [into] [a] [library] (override|overrides|overridden|overridable)",
    "(make|create|add) [a|an] library (override|overrides) (of|for|from) [the] [linked] {target:object}",
    "library override {target:object}",
)
def library_override(build: Build, target: Target | None) -> None:
    """Let linked objects, or the linked collection of this request, make way for overrides that can be changed."""
    var = build.memory.get("_linked")
    if target is None and var is None:
        raise refuse("override", "of which linked collection?")
    build.once()
    if target is None:
        scene, layer = build.scene(), build.view_layer()
        build.line(f"{scene}.collection.children.unlink({var})")
        build.line(f"{var}.override_hierarchy_create({scene}, {layer}, do_fully_editable=True)")
    else:
        with build.each(target) as known:
            build.line(f"if {known.var}.library is not None:\n    {known.var}.override_create(remap_local_usages=True)")
    build.note(f"{target.said if target else 'the collection'} -> library override")


@step(
    "reload [all] [the] [linked] (libraries|library)",
    "{what=pack all images|pack all files|pack everything|unpack everything}",
    "[make|set|turn|convert|change|switch|let] [all|every|each] [the] [external|image|texture|library|file] [file] (path|paths|filepaths) [in (the|this) (file|blend file|project)] [be|to|into] {paths=relative|absolute} [to the [.] (blend|blend file|file)|paths]",
    "[make|set|turn|convert|change] everything to {paths=relative|absolute} paths",
)
def whole_file(build: Build, what: str | None, paths: str | None) -> None:
    """What is done with the file as a whole."""
    if paths:
        build.line(f"bpy.ops.file.make_paths_{paths}()")
    elif what is None:
        build.line("for library in bpy.data.libraries:\n    library.reload()")
    elif what in {"pack all files", "pack everything"}:
        build.line("bpy.ops.file.pack_all()")
    elif what.startswith("pack"):
        build.line(
            'for image in bpy.data.images:\n    if image.packed_file is None and image.source == "FILE" and image.has_data:\n        image.pack()'
        )
    else:
        raise refuse(what, "where to?")
    build.note(what or (f"{paths} paths" if paths else "libraries reloaded"))


@step(
    "(replace|change|swap) [the] [path|file path|filepath] [prefix|part|folder|directory] {old:path} (with|by|to|into) {new:path} in [all|every] [the] [file] (path|paths|filepath|filepaths) of [all|every] [the] {kind=image|images|library|libraries|sound|sounds|font|fonts}",
    "(replace|change|swap) [the] [all] {kind=image|library|sound|font} [file] (path|paths|filepath|filepaths) (prefix|part|folder|directory) {old:path} (with|by|to|into) {new:path} [in all [the] [images|libraries|sounds|fonts]]",
    "(repath|relink|redirect|remap) [all] [the] {kind=images|libraries|sounds|fonts} from {old:path} to {new:path}",
    "in [the] [file] (path|paths|filepath|filepaths) of [all|every] [the] {kind=image|images|library|libraries} [,] (replace|change|swap) {old:path} (with|by|to|into) {new:path}",
)
def repath(build: Build, kind: str, old: str, new: str) -> None:
    """Another folder in the paths of files."""
    store = {"library": "libraries"}.get(singular(kind), f"{singular(kind)}s")
    with build.block(f"for each in bpy.data.{store}:"), build.block(f"if {quoted(old)} in each.filepath:"):
        build.line(f"each.filepath = each.filepath.replace({quoted(old)}, {quoted(new)}, 1)")
    build.note(f"{old} -> {new} in the paths of {store}")


IMAGES: Final = {
    "pack": 'if {0}.source == "FILE" and {0}.packed_file is None:\n    {0}.pack()', "unpack": 'if {0}.packed_file is not None:\n    {0}.unpack(method="USE_ORIGINAL")',
    "reload": 'if {0}.source in {{"FILE", "SEQUENCE", "MOVIE", "TILED"}}:\n    {0}.reload()',
}  # fmt: skip
"""What is done with images that have a file."""


@step(
    "{what=pack|unpack|reload} {item:ownership} [into the [.] (file|blend|blend file)]",
    "{what=reload} [all|every] [the] (images|image|textures|image files|image textures) [from (disk|disc|their files|file|their paths)]",
)
def some_images(build: Build, what: str, item: Owner | None) -> None:
    """Pack, unpack or read again images."""
    if item and (item.type != "Image" or not (item.where or not item.many or item.expression.startswith("["))):
        raise refuse(item.said, "which images?")
    with each_owner(build, item or Owner("Image", "bpy.data.images", "images", many=True)) as var:
        build.line(IMAGES[what].format(var))
    build.note(f"{item.said if item else 'images'} -> {what}ed")


@step(
    "(load|open|import) [the] [image|picture|texture] [file] {source:path} ~( (as|into) [a|an] [new] (image|image datablock|image data block|data block|datablock) ; [<called>] {name:quoted} ;"
    " [in|with|as] [the] [color] space [:|=|to|is] {space:known} ; [in|with|as] [the] [color] space {raw=non color|non-color|noncolor|raw|data} ; [with|and] [a] {fake=fake user} [on] ; [and] {pack=pack it|packed} )",
)
def load_image(
    build: Build, source: str, name: str | None, space: str | None, raw: str | None, fake: str | None, pack: str | None
) -> None:
    """A picture of a file as a data-block, once."""
    if source.rpartition(".")[2].lower() not in PICTURES:
        raise refuse(source, "no picture")
    build.imports("pathlib: Path")
    var = build.var("image")
    build.line(f"{var} = bpy.data.images.load({placed(source)}, check_existing=True)")
    if name:
        build.line(f"{var}.name = {quoted(name)}")
    if raw or space:
        build.line(
            f"expect({var}.colorspace_settings, bpy.types.ColorManagedInputColorspaceSettings).name = {quoted(space or 'Non-Color')}"
        )
        build.need("expect")
    if fake:
        build.line(f"{var}.use_fake_user = True")
    if pack:
        build.line(f"if {var}.packed_file is None:\n    {var}.pack()")
    build.note(f"image {source}")


PICTURES: Final = frozenset({"png", "jpg", "jpeg", "exr", "tif", "tiff", "bmp", "webp", "hdr"})


@step(
    "make {all=everything|all data|all linked data|all data-blocks|all datablocks|all library data|all libraries|all linked objects and data} local [from the libraries]",
    "make {item:item} local ~( [and|with|including] [its|their] {data=data|object data|mesh|meshes|obdata} ; [and|with|including] [its|their|the] {mat=materials|material} )",
)
def make_local(build: Build, all: str | None, item: Item | None, data: str | None, mat: str | None) -> None:
    """Let linked data belong to this file."""
    if all or item is None:
        with build.block("for library in bpy.data.libraries:"), build.block("for each in library.users_id:"):
            build.line("each.make_local()")
        build.note("everything -> local")
        return
    with each_owner(build, item) as var:
        build.line(f"{var}.make_local()")
        if data:
            build.line(f"if {var}.data is not None:\n    {var}.data.make_local()")
        if mat:
            build.line(
                f"for slot in {var}.material_slots:\n    if slot.material is not None:\n        slot.material.make_local()"
            )
    build.note(f"{item.said} -> local")


@step(
    "(sort|order) [all] [the] {what=collections|child collections|children|sub collections|subcollections} [(of|in|under|inside|directly under) [the] (scene collection|scene|[collection] {name:known})] (by name|alphabetically|by their names|by their name|by name alphabetically) [in the outliner]",
)
def sort_collections(build: Build, what: str, name: str | None) -> None:
    """Collections in the order of their names."""
    parent = f"bpy.data.collections[{quoted(name)}]" if name else f"{build.scene()}.collection"
    var = build.var("parent")
    build.line(f"{var} = {parent}")
    with build.block(f"for child in sorted({var}.children, key=lambda each: each.name.lower()):"):
        build.line(f"{var}.children.unlink(child)\n{var}.children.link(child)")
    build.note(f"{what} sorted")


@step(
    "(relink|point|change|redirect|repath|set) [the] [filepath|file path|path] [of] [the] {kind=image|library|sound|font} {name:quoted} (to|at) {path:path} [instead] [[and] {again=reload} [it]]",
    "{again=reload} [the] {kind=image|library} {name:quoted}",
)
def relink(build: Build, kind: str, name: str, path: str | None, again: str | None) -> None:
    """Let an image, a library, a sound or a font have another file; an image is read again anyway."""
    if again and kind not in {"image", "library"}:
        raise refuse(again, f"a {kind} cannot be read again")
    build.line(f"{kind} = bpy.data.{STORES.get(kind, f'{kind}s')}[{quoted(name)}]")
    if path:
        build.line(f"{kind}.filepath = {quoted(path if path.startswith('/') else '//' + path.removeprefix('//'))}")
    if again or kind == "image":
        build.line(f"{kind}.reload()")
    build.note(f'{kind} "{name}" -> {path or "reloaded"}')


@step(
    "(open|load) [the] [blend] (file|scene|project) {path:path}",
    "open {path:path}",
    "[open|load] [the] [blend] file {path:path} is opened",
)
def open_file(build: Build, path: str) -> None:
    """Open another file; nothing of this one can be spoken of afterwards."""
    if not path.lower().endswith(".blend") or build.known or build.notes:
        raise refuse(path, "only a blend file is opened, and before anything else")
    build.imports("pathlib: Path")
    build.line(f"bpy.ops.wm.open_mainfile(filepath={placed(path)})")
    build.note(f"open {path}")


AT_SAVING: Final = re.compile(
    r"\b(on|upon|before|after|each|every|at|when\w*|while)\s+(a |the |each |every |file )*sav", re.IGNORECASE
)
"""What is done whenever the file is saved."""


@step(
    f"save [the|this|a] [{{compress=compressed}}] [{{copy=copy}} [of]] [the|this] [current|open|whole] [blend] [file|everything|scene|all|it] (as|to|under|into) {{path:path}} ~( {WHERE} ; [«] {{compress=compressed|with compression}} [»] ;"
    " {copy=as a copy} ; [but] [i] {keep=keep working in|go on working in|stay in} (the|this|my) [unsaved|open|current] [«] [unsaved|open] [»] file ; {keep=without switching to it|without opening it|don't switch to it|do not switch to it|the open file stays this one|keep the current file open|keeping the current file open|not switching to it|keep this file open} ; [so] {real=really a copy} )",
    "[auto|automatically] save [the|this|my] [current|open] [blend] [file|everything|scene|it] [in place|again] ~( {compress=compressed|with compression} ; [with] {real=no compression|without compression|uncompressed} )",
    "autosave [the|this|my] [current|open] [blend] [file|everything|scene|it]",
)
def save(
    build: Build, path: str | None, compress: str | None, copy: str | None, real: str | None, keep: str | None
) -> None:
    """Save the file; without a path where it was saved before."""
    if AT_SAVING.search(build.request):
        raise refuse("save", "now, or whenever the file is saved?")
    if path is None:
        kept = {bool(compress): "compress=True", bool(real): "compress=False"}.get(True, "")
        build.line(f"bpy.ops.wm.save_mainfile({kept})")
        build.note("saved")
        return
    if not path.lower().endswith(".blend"):
        raise refuse(path, "a blend file was expected")
    build.imports("pathlib: Path")
    build.line(
        f"bpy.ops.wm.save_as_mainfile(filepath={placed(path)}, compress={bool(compress)}, copy={bool(copy or real or keep)})"
    )
    build.note(f"saved as {path}")


@step(
    "(swap|exchange) [the] (mesh|meshes|data|mesh data) of {one:object of one} (with|and) (that of|the mesh of|the one of|that from|of|) {other:object of one}",
)
def swap_data(build: Build, one: Target, other: Target) -> None:
    """Let two objects change their data."""
    build.once()
    first, second = build.object(one), build.object(other)
    build.line(f"{first}.data, {second}.data = {second}.data, {first}.data")
    build.note(f"data of {one.said} and {other.said} swapped")


@step(
    "(let|make) {target:object} [all] (share|use) [the] [same|one] (mesh|data|mesh data) (of|with|from|as) {source:object of one}",
    "(link|replace) [the] (mesh|data|mesh data) of {target:object} (to|with|by) (that of|the mesh of|the one of) {source:object of one}",
    "(replace|swap|set|change|assign) [the] (mesh|data|mesh data) of {target:object} (by|with|to) [the] (mesh|mesh data|mesh datablock) {mesh:quoted}",
    "{target:object} (should|must) [all] (share|use) [the] [same|one] mesh (of|with|as) {source:object of one}",
)
def share_data(build: Build, target: Target, source: Target | None, mesh: str | None) -> None:
    """Let objects share data."""
    goal = f"{build.object(source)}.data" if source else f"bpy.data.meshes[{quoted(mesh or '')}]"
    with build.each(target) as known:
        build.line(f"{known.var}.data = {goal}")
    build.note(f"{target.said} -> data of {goal}")


@step(
    "(copy|link|transfer|assign|give) [the] materials (of|from) {source:object of one} (to|onto|on) {target:object} ~( [«] linked [,] [not duplicated] [»] ; not duplicated ; as links )",
    "share [the] (material|materials) of {source:object of one} with {target:object}",
    "(let|make) {target:object} [all] use the [same] materials (of|as|from) {source:object of one}",
)
def share_materials(build: Build, source: Target, target: Target) -> None:
    """The same materials in the same slots."""
    build.need("share_materials")
    known = build.object(source)
    with build.each(target) as other:
        build.line(f"share_materials({known}, {other.var})")
    build.note(f"materials of {source.said} -> {target.said}")


SINGLE: Final = (
    "~( [and|including|with|also] [the|its|their] {obj=object|objects} ; [and|including|with|also] [the|its|their] [own] [object] {data=data|mesh|meshes|obdata} [data] ;"
    " [and|{more=including|with|also}] [the|its|their] {mat=material|materials} [{more=too}] ; [and|{more=including|with|also}] [the|its|their] {anim=animation|animations} ; both ; only ;"
    " [the|their|its] materials (stay|remain) shared )"
)


@step(
    f"[make] {{target:object}} [a] single user [:] {SINGLE}",
    "[make] single user {data=mesh|meshes|data} (for|of) {target:object}",
    "give {target:object} [each] (their own|its own|own) [copy of the] {data=mesh|data|mesh data}",
)
def single_user(
    build: Build, target: Target, obj: str | None, data: str | None, mat: str | None, anim: str | None, more: str | None
) -> None:
    """Let objects have data of their own, and whatever else is said of them."""
    if not (obj or mat or anim):
        own_data(build, target, None)
    else:
        select_only(build, target)
        build.line(
            f'bpy.ops.object.make_single_user(\n    type="SELECTED_OBJECTS", object={bool(obj)}, obdata={bool(data or more)}, material={bool(mat)}, animation={bool(anim)}\n)'
        )
    build.note(f"{target.said} -> single user")


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


SAME: Final = "(the|this|same|open|current|existing) [current|open|same] [scene|one]"


@step(
    f"(<add> [a] [new|second|another]|new) scene [<called>] {{name:name}} [that|which] {{copy=uses the same objects|has the same objects|with the same objects|shares the objects}} [« linked collections »] [as|of|with] {SAME}",
    f"(<add> [a] [new|second|another]|new) scene [<called>] {{name:name}} [as|,] [a] {{copy=linked copy}} of {SAME}",
    f"(<add> [a] [new]|copy) {{copy=linked copy}} of {SAME} [<called>|as] {{name:name}}",
    f"{{copy=duplicate|copy}} {SAME} [<called>|as|to|into] [a] [new] [scene] [<called>] {{name:name}} [[but|and] (with|keeping|sharing) [the] [same|linked|shared] (objects|collections|data)]",
    f"{{copy=duplicate|copy}} {SAME} [[but|and] (with|keeping|sharing) [the] [same|linked|shared] (objects|collections|data)] [and] (call|name) [it|the copy|the new one|the new scene] {{name:name}}",
    "(<add> [a] [new|second|another]|[a] (new|second|another)) [empty] scene [<called>] {name:name} ~( link {target:object} into it ; keep the current scene active ; [with] {s:settings of render} ; [that] (has|with) {s:settings of render} ;"
    " [with] [its] [own] [an] {own=camera|world} ; (running|,|with|from|has|of|frames|frame range) [the|a] [frame range] [of|from] [frames] {span:frames} ; [at] {fps:int} (fps|frames per second) )",
)
def new_scene(
    build: Build, name: str, target: Target | None, s: list[Set] | None, own: str | None, span: tuple[int, int] | None,
    copy: str | None, fps: int | None,
) -> None:  # fmt: skip
    """Another scene; the open one stays open. A copy of it shares its collections."""
    text = quoted(name)
    var = build.var(f"{name} scene")
    if copy:
        build.line(f"{var} = bpy.data.scenes.get({text})\nif {var} is None:")
        build.line(f"    {var} = {build.expect(f'{build.scene()}.copy()', 'Scene')}\n    {var}.name = {text}")
    else:
        build.line(f"{var} = bpy.data.scenes.get({text}) or bpy.data.scenes.new({text})")
    build.memory["_scene"] = var
    if span:
        build.line(f"{var}.frame_start, {var}.frame_end = {span[0]}, {span[1]}")
    if fps:
        build.line(f"{var}.render.fps, {var}.render.fps_base = {fps}, 1.0")
    if s:
        build.assign(var, build.choose(s, [Place(*split(each)) for each in SUBJECTS["render"]], "the scene"))
    if own == "world":
        build.line(f"if {var}.world is None:\n    {var}.world = bpy.data.worlds.new({text})")
    elif own:
        build.line(
            f'if {var}.camera is None:\n    {var}.camera = bpy.data.objects.new("{name} Camera", bpy.data.cameras.new("{name} Camera"))\n    {var}.collection.objects.link({var}.camera)'
        )
    if target is not None:
        link_scene(build, target)
    build.note(f'scene "{name}"')


@step(
    "(in|for|on) [the] (new|copied|duplicated|second|other) (scene|one)",
    "(in|for|on) (that scene|the copy|the duplicate)",
)
def in_scene(build: Build) -> None:
    """What follows in the sentence is about the scene that the request makes."""
    if "_scene" not in build.memory:
        raise refuse("the new scene", "the request makes none")
    build.memory["_in_scene"] = True
    build.scene_meant = build.memory["_scene"]
    build.note("in the new scene")


@step(
    "(keep|leave|make|let) [the] (original|first|old|present|current|open) scene [be|stay|as] [the] [active|open|active one|one that is open]",
    "[the] (original|first|old|present|current|open) scene (stays|remains|should stay|must stay|is to stay) [the] [active|open|active one]",
    "[but] (don't|do not) ((switch|change) [to it|to the new scene|to that scene|scenes]|make it [the] active (one|scene))",
)
def scene_stays(build: Build) -> None:
    """The scene that is open stays so anyway."""
    if "_scene" not in build.memory:
        raise refuse("scene", "the request makes none")
    build.note("the open scene stays open")


@step(
    "(link|put|add) [the] collection {name:known} (in|into|to) (it|that scene|the new scene|this scene)",
    "link {target:object} (into|to) (it|that scene|the new scene)",
)
def link_scene(build: Build, target: Target | None, name: str | None = None) -> None:
    """Link a collection or objects into the scene of this request."""
    var = build.memory.get("_scene")
    if var is None:
        raise refuse(name or "it", "into which scene?")
    if name is not None:
        link_once(build, f"{var}.collection.children", f"bpy.data.collections[{quoted(name)}]", quoted(name))
    with build.each(target) if target is not None else contextlib.nullcontext() as known:
        if known is not None:
            link_once(build, f"{var}.collection.objects", known.var)
    build.note("linked into the scene")


SHOWN: Final = "(with|showing|containing|including|that shows|that contains|that includes|that has|that renders|for|of)"


@step(
    "(create|add|make|set up|new|another|extra|(create|add|make) [a|the] (second|third)|(create|add|make) another) [a|the|two|three] [new] view (layer|layers) [<called>] {names:labels} ~("
    f" {SHOWN} (only|just|nothing but) [the] (collection|collections) {{shown:labels}} ; (in|on) which (only|just|nothing but) [the] (collection|collections) {{shown:labels}} (is|are) (visible|shown|rendered|enabled|included|active) ; (only|just|that only|that just) (shows|contains|includes|has|{SHOWN}) [the] (collection|collections) {{shown:labels}} ;"
    " [but] (without|excluding|leaving out|that leaves out|that excludes|that hides) [the] (collection|collections) {out:labels} ; (in which|where|with) (these two|these|they|those|those two|both|both of them|it|that one|the same collections|this collection|that collection) {gone=excluded|are excluded|is excluded|are left out|is left out|are hidden} ;"
    " (in which|where) [the] (collection|collections) {out:labels} (is|are) (excluded|left out|not included) )",
    "(create|add|make) {names:labels} as [new] view layers",
)
def view_layers(
    build: Build, names: tuple[str, ...], shown: tuple[str, ...] | None, out: tuple[str, ...] | None, gone: str | None
) -> None:
    """View layers, and which collections they show."""
    scene = build.scene()
    if gone:
        out = tuple(build.memory.get("_named", ()))
        if not out:
            raise refuse(gone, "which collections?")
    if (shown or out) and len(names) != 1:
        raise refuse(names[-1], "which of these layers?")
    build.memory["_named"] = shown or out or build.memory.get("_named", ())
    build.memory.setdefault("_layers_said", []).extend(names)
    build.memory["_layers"] = [*build.memory.get("_layers", ()), *names]
    for each in names:
        build.line(f"if {quoted(each)} not in {scene}.view_layers:\n    {scene}.view_layers.new({quoted(each)})")
    view = f"{scene}.view_layers[{quoted(names[0])}]"
    if shown:
        var = build.var("shown")
        build.line(f"{var} = {literal(shown)}")
        build.line(f"if missing := [each for each in {var} if each not in {view}.layer_collection.children]:")
        build.line('    raise KeyError(f"No collection of the scene is called so: {missing}")')
        build.line(f"for layer in {view}.layer_collection.children:\n    layer.exclude = layer.name not in {var}")
    for each in out or ():
        build.need("layer_collection")
        build.line(f"layer_collection({quoted(each)}, {view}).exclude = True")
    build.note("view layers")


@step(
    "<remove> [the] view (layer|layers) [<called>] {names:labels}",
    "<remove> {other=every other|all other|the other|the remaining|all the other} view (layer|layers)",
)
def remove_layers(build: Build, names: tuple[str, ...] | None, other: str | None) -> None:
    """Remove view layers; every other one are those that the request does not make."""
    scene = build.scene()
    kept = names or tuple(build.memory.get("_layers", ()))
    if not kept:
        raise refuse(other or "", "other than which?")
    build.line(
        f"for layer in list({scene}.view_layers):\n    if layer.name {'in' if names else 'not in'} {literal(kept)} and len({scene}.view_layers) > 1:\n        {scene}.view_layers.remove(layer)"
    )
    build.note("view layers removed")


TEXT: Final = "text [datablock|data block|block|file]"
BODY: Final = "(with|containing|that says|that reads|that contains|holding|saying|reading|:) [the] [content|contents|text|line|lines|two lines|three lines|two|three|following] [:]"


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
        build.memory["_text"] = name
    build.note(f'text "{name}"')


@step(
    "if (it|the text|the text block|a text block of that name) [already] exists [already] [,] (replace|overwrite|clear) (its|the) (content|contents|text|lines) [first]",
    "(replace|overwrite) (its|the) [old|existing] (content|contents|text) (if|when|where) (it|the text|the text block) [already] exists [already]",
)
def text_replaced(build: Build) -> None:
    """The lines of a text that is there make way: they do so anyway."""
    if "_text" not in build.memory:
        raise refuse("its content", "of which text?")
    build.note("the text's old lines make way")


UNIT: Final = "{unit=feet|inches|centimeters|millimeters|meters|kilometers|miles|yards|cm|mm|m}"
ABOUT_UNITS: Final = (
    f"~( [system] {{system=metric|imperial|none}} [system|units] ; [with|in] [the] [length|lengths] [unit|units] [of|in|to|:] {UNIT} ; [unit] scale [length] [of|to|:|=] {{scale:n}} ;"
    " [the] (rotation|rotations|angles) [unit|units] [in|to|:] {angles=degrees|radians} ; separate units {separate=off|on} ; {separate=no|without|with} separate units )"
)


@step(
    f"[<set>] [the] [scene|length] (units|unit|unit system) [to|:|in] {ABOUT_UNITS}",
    f"[use|switch to|<set>] {{system=metric|imperial}} [units|unit system|system] {ABOUT_UNITS}",
    f"[work|model|use] [in] {UNIT} [units] [,|«] {{system=metric|imperial}} [units|system|»]",
    f"(work|model) in {UNIT} {ABOUT_UNITS}",
    "[use|<set>] {angles=degrees|radians} for [the] (rotation|rotations|angles)",
    "[<set>] [the] (rotation|rotations|angles) [unit|units] (in|to) {angles=degrees|radians}",
    f"(convert|change|set|switch) [the] [scene] (units|unit system) to {{system=metric|imperial}} with {UNIT} [as|for] [the] [length|lengths] [unit|units]",
    f"(set|change) [the] (length|length unit|lengths) (to|in) {UNIT}",
)
def units(
    build: Build, system: str | None, unit: str | None, scale: float | None, angles: str | None, separate: str | None
) -> None:
    """The unit system, and in which units lengths and angles are shown."""
    if unit and not system:
        system = "imperial" if unit in {"feet", "inches", "miles", "yards"} else "metric"
    item = {"cm": "centimeters", "mm": "millimeters", "m": "meters"}.get(unit or "", unit or "")
    settings: dict[str, object] = {
        "system": (system or "").upper(), "length_unit": item.upper(), "scale_length": scale, "system_rotation": (angles or "").upper(),
        "use_separate": separate and separate in {"on", "with"},
    }  # fmt: skip
    given = {key: value for key, value in settings.items() if value not in {"", None}}
    if not given:
        raise refuse("units", "which ones?")
    for key, value in given.items():
        build.line(f"{build.scene()}.unit_settings.{key} = {literal(value)}")
    build.note("units")


@slot("lines")
def lines_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """Something in quotes, or several such."""
    yield from several(reading, at, lambda place: quoted_text(reading, place, {}, ""), frozenset({"and", "then"}))
