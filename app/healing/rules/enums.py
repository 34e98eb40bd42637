"""Items of enumerations: engines, kinds of lights and objects, file formats, looks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.rules.materials import does_something
from app.healing.rules.members import another_setting
from app.healing.sight import Sight
from ingest.book import BookRow

_EEVEES: Final = ("BLENDER_EEVEE", "BLENDER_EEVEE_NEXT")
_OLD_ENGINES: Final = ("BLENDER_RENDER", "BLENDER_GAME")


def engines(sight: Sight) -> set[str]:
    """The render engines of the target."""
    found = sight.api.rna.property("RenderSettings", "engine")
    return {item.identifier for item in found.items} if found else set()


def eevee_of(sight: Sight) -> str:
    """The name of EEVEE in the target, or an empty string."""
    return next((name for name in _EEVEES if name in engines(sight)), "")


@rule("`BLENDER_EEVEE_NEXT`, `BLENDER_EEVEE`, `BLENDER_RENDER`: the engine that the target has")
def engine_id(sight: Sight) -> Iterator[TreeEdit]:
    known, eevee = engines(sight), eevee_of(sight)
    for text in _texts(sight, *_EEVEES, *_OLD_ENGINES):
        old = text.evaluated_value
        # No other string is spelt like the names of EEVEE.
        meant = old in _EEVEES or _is_of(sight, text, "engine")
        if eevee and old not in known and meant and not beside(sight, text, eevee):
            yield sight.respell(text, eevee, f"EEVEE is `{eevee}` in Blender {sight.manifest.series}")


def beside(sight: Sight, text: cst.SimpleString, other: str) -> bool:
    """True if the string is in a tuple, list, set or comparison that has the other string too, or that is one of two
    tests of a function for these two."""
    groups = (cst.Tuple, cst.List, cst.Set, cst.Comparison, cst.BooleanOperation, cst.IfExp, cst.Dict)
    around: list[cst.CSTNode] = [outer for outer in sight.around(text) if isinstance(outer, groups)]
    if any(isinstance(outer, cst.Comparison) for outer in around):
        inside = sight.function(text)
        around += [test for test in sight.all(cst.Comparison) if sight.function(test) is inside]
    return any(f'"{other}"' in sight.code(outer) or f"'{other}'" in sight.code(outer) for outer in around)


def _texts(sight: Sight, *values: str) -> Iterator[cst.SimpleString]:
    for text in sight.all(cst.SimpleString):
        if text.evaluated_value in values and not sight.is_guarded(text):
            yield text


def _is_of(sight: Sight, text: cst.SimpleString, *names: str) -> bool:
    """True if the string is assigned to, compared with or passed as a thing with one of these names."""
    for outer in sight.around(text):
        if isinstance(outer, cst.Assign):
            targets = [target.target for target in outer.targets]
            return any(_name(target) in names for target in targets)
        if isinstance(outer, cst.Arg) and outer.keyword:
            return outer.keyword.value in names
        if isinstance(outer, cst.Comparison):
            return _name(outer.left) in names or any(_name(part.comparator) in names for part in outer.comparisons)
        if isinstance(outer, cst.Param):
            return outer.name.value in names
        if isinstance(outer, cst.Dict | cst.Call | cst.BaseSmallStatement):
            return False
    return False


def _name(node: cst.BaseExpression) -> str:
    """The last name of `a.b.c` or of `c`."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


@rule("2.80: `'LAMP'` and `'HEMI'`")
def lamp_items(sight: Sight) -> Iterator[TreeEdit]:
    # An add-on may have an item of its own that is called so.
    own = any(_begins_item(sight, text) for text in _texts(sight, "LAMP"))
    for text in _texts(sight, "LAMP"):
        kind = "LIGHT"
        if own and not sight.fails_at(text) and not _type_of_object(sight, text):
            continue
        if _is_of(sight, text, "type", "object_types") or _in_operator(sight, text):
            yield sight.respell(text, kind, "lamps are called lights since 2.80: `'LIGHT'`")
    refused = sight.trouble is not None and 'enum "HEMI" not found' in sight.trouble.message
    for text in _texts(sight, "HEMI"):
        call = next((outer for outer in sight.around(text) if isinstance(outer, cst.Call)), None)
        name = sight.code(call.func) if call else ""
        if refused or name.endswith(("lights.new", "lamps.new", "object.light_add", "object.lamp_add")):
            yield sight.respell(text, "SUN", "there is no hemi light since 2.80: a sun stands in for it")


def _begins_item(sight: Sight, text: cst.SimpleString) -> bool:
    """True if it is the identifier of an item: `("LAMP", "Lamp", "")`."""
    element = sight.parent(text)
    outer = sight.parent(element)
    return isinstance(outer, cst.Tuple) and len(outer.elements) >= 3 and outer.elements[0] is element


def _type_of_object(sight: Sight, text: cst.SimpleString) -> bool:
    """True if it is compared with the type of an object."""
    outer = next((outer for outer in sight.around(text) if isinstance(outer, cst.Comparison)), None)
    sides = [outer.left, *(part.comparator for part in outer.comparisons)] if outer else []
    return any(isinstance(side, cst.Attribute) and sight.is_a(side.value, "Object") for side in sides)


def _in_operator(sight: Sight, text: cst.SimpleString) -> bool:
    call = next((outer for outer in sight.around(text) if isinstance(outer, cst.Call)), None)
    return call is not None and sight.operator(call) in {"object.select_by_type", "object.add"}


@rule("`dupli_type = 'GROUP'`, `sky_type = 'NISHITA'`, `solver = 'FAST'`, colour spaces such as `'Linear'`")
def renamed_items(sight: Sight) -> Iterator[TreeEdit]:
    for text in sight.all(cst.SimpleString):
        old = str(text.evaluated_value)
        rows = sight.book.named("item", old)
        attribute = _set_or_compared(sight, text) if rows and not sight.is_guarded(text) else None
        if attribute is None:
            continue
        said = sight.trouble.message if sight.trouble and sight.fails_at(text) else ""
        for place, row in rows.items():
            type_name, _, name = place.removeprefix("bpy.types.").rpartition(".")
            if not row.becomes or name != attribute.attr.value or not type_name:
                continue
            failed = f'enum "{old}" not found' in said and f"'{row.becomes}'" in said
            if failed or (_is_owner(sight, attribute, type_name) and _has_only(sight, type_name, name, row, old)):
                reason = f"{old!r} of `{name}` is {row.becomes!r} in Blender {sight.manifest.series}"
                yield sight.respell(text, row.becomes, reason)
                break


def _set_or_compared(sight: Sight, text: cst.SimpleString) -> cst.Attribute | None:
    """The attribute that a string is assigned to or compared with."""
    parent = sight.parent(text)
    if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
        target = parent.targets[0].target
        return target if isinstance(target, cst.Attribute) else None
    if isinstance(parent, cst.ComparisonTarget):
        comparison = sight.parent(parent)
        left = comparison.left if isinstance(comparison, cst.Comparison) else None
        return left if isinstance(left, cst.Attribute) else None
    return None


def _is_owner(sight: Sight, attribute: cst.Attribute, type_name: str) -> bool:
    """True if the attribute is one of this type; colour spaces are known by the name of their settings."""
    by_name = type_name.startswith("ColorManaged") and sight.code(attribute.value).endswith("colorspace_settings")
    return by_name or sight.may_be(attribute.value, type_name)


def _has_only(sight: Sight, type_name: str, name: str, row: BookRow, old: str) -> bool:
    """True if the target has the new item of the property, under today's name of the property, and not the old one."""
    member = sight.book.rows.get(f"bpy.types.{type_name}.{name}")
    prop = sight.api.rna.property(type_name, member.becomes if member and member.becomes else name)
    items = {item.identifier for item in prop.items} if prop else set[str]()
    return row.becomes in items and old not in items


@rule("5.0: `file_format = 'FFMPEG'` needs `media_type`")
def media_type(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("ImageFormatSettings", "media_type"):
        return
    kinds = {"FFMPEG": "VIDEO", "OPEN_EXR_MULTILAYER": "MULTI_LAYER_IMAGE"}
    for attribute in sight.attributes("file_format"):
        assign = sight.assignment_to(attribute)
        value = sight.text_of(assign.value) if assign else None
        known = sight.is_a(attribute.value, "ImageFormatSettings") or sight.code(attribute.value).endswith(
            ("image_settings", ".format")
        )
        if assign and value and value not in kinds and known and _is_refused(sight, assign, value):
            # A new File Output node writes layers.
            owner = sight.code(attribute.value)
            reason = f"{value} is a format of `media_type = 'IMAGE'` since 5.0"
            yield sight.before(assign, f'{owner}.media_type = "IMAGE"', reason=reason)
            continue
        if assign is None or value not in kinds or not known:
            continue
        owner = sight.code(attribute.value)
        wanted = f"{owner}.media_type ="
        if wanted in sight.text:
            continue
        reason = f"{value} is a format of `media_type = {kinds[value]!r}` since 5.0"
        yield sight.before(assign, f'{owner}.media_type = "{kinds[value]}"', reason=reason)


def _is_refused(sight: Sight, assign: cst.Assign, item: str) -> bool:
    said = sight.trouble.message if sight.trouble and sight.fails_at(assign) else ""
    return f'enum "{item}" not found in (' in said


@rule("4.0: `view_settings.look` without the name of the view transform")
def look_names(sight: Sight) -> Iterator[TreeEdit]:
    found = sight.api.rna.property("ColorManagedViewSettings", "look")
    known = {item.identifier for item in found.items} if found else set[str]()
    for attribute, assign in sight.assigned(sight.attributes("look")):
        text = sight.text_of(assign.value)
        if not text or not sight.code(attribute.value).endswith("view_settings"):
            continue
        if "Standard" in sight.text and not sight.fails_at(assign):
            continue  # with that view transform the looks have no prefix
        later = _transform_below(sight, attribute)
        if later and sight.fails_at(assign) and text in _FILMIC:
            yield sight.instead(assign, reason="a look is known only once its view transform is set, since 4.0")
            yield sight.after(later, sight.code(assign), reason="the look, once its view transform is set")
            continue
        plain = text.removeprefix("Filmic - ")
        filmic = "Filmic" in sight.text.replace("Filmic - ", "")
        new = plain if filmic else f"AgX - {plain}"
        if new != text and new in known and not text.startswith("AgX"):
            transform = "Filmic" if filmic else "AgX, the default since 4.0"
            yield sight.replace(
                assign.value, f'"{new}"', f"the look is called {new!r} with the view transform {transform}"
            )


_FILMIC: Final = tuple(f"{much}{kind} Contrast" for kind in ("High", "Low") for much in ("Very ", "", "Medium "))


def _transform_below(sight: Sight, look: cst.Attribute) -> cst.Assign | None:
    """The statement below, in the same block, that sets Filmic for the same look."""
    for attribute in sight.attributes("view_transform"):
        assign, mine = sight.assignment_to(attribute), sight.assignment_to(look)
        if assign is None or mine is None or sight.text_of(assign.value) != "Filmic":
            continue
        same = sight.code(attribute.value) == sight.code(look.value)
        line, other = sight.parent(assign), sight.parent(mine)
        if same and sight.line(assign) > sight.line(mine) and sight.parent(line) is sight.parent(other):
            return assign
    return None


@rule("`ob.show_x_ray = False` beside `ob.show_in_front = True`: the script means both Blenders")
def refused_renames(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.all(cst.Attribute):
        found, assign = sight.change_of(attribute), sight.assignment_to(attribute)
        why = another_setting(sight, attribute, *found) if found else ""
        if found and why and assign and sight.is_a(attribute.value, found[0]) and not does_something(assign):
            reason = f"`{found[0]}.{attribute.attr.value}` is gone, and `{found[1].becomes}` {why}: it is no longer set"
            yield sight.instead(assign, reason=reason)
