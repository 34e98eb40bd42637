"""Actions, their curves, and the sequencer."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, keyword

_HELPERS: Final = "from bpy_extras import anim_utils"
_MADE_BAG: Final = "anim_utils.action_ensure_channelbag_for_slot({action}, {action}.slots[0])"
_BAG: Final = "{action}.layers[0].strips[0].channelbag({action}.slots[0])"
_WALK: Final = (
    "for layer in {action}.layers for strip in layer.strips for bag in strip.channelbags for one in bag.{name}"
)


@rule("5.0: `action.fcurves` and `action.groups` belong to the slot's channel bag")
def action_curves(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("ActionKeyframeStrip", "channelbag"):
        return
    for attribute in sight.lacking("Action", "fcurves", "groups"):
        action, outer = sight.code(attribute.value), sight.parent(attribute)
        making = isinstance(outer, cst.Attribute) and outer.attr.value in {"new", "find", "ensure"}
        call = sight.call_of(outer) if making and isinstance(outer, cst.Attribute) else None
        reason = "the curves of an action belong to the channel bag of a slot since 5.0"
        if call and isinstance(outer, cst.Attribute) and outer.attr.value == "new":
            owner, statement = _owner_by_assignment(sight, action), sight.statement(call)
            if owner and attribute.attr.value == "fcurves":
                yield sight.replace(call, _ensure_call(sight, call, action, owner), reason)
            elif attribute.attr.value == "fcurves" and (kind := _kind_of_slot(sight, action)):
                slot = f"{action}.slots[0] if {action}.slots else {action}.slots.new({kind})"
                bag = f"anim_utils.action_ensure_channelbag_for_slot({action}, {slot})"
                source = f"{bag}.fcurves.new({_arguments_of_new(sight, call)})"
                yield TreeEdit(reason, call, expression=source, new_import=_HELPERS)
            elif owner and statement:
                given = ", ".join(sight.code(argument).rstrip(", ") for argument in call.args)
                made = sight.code(statement).replace(
                    sight.code(call), f"{_MADE_BAG.format(action=action)}.groups.new({given})"
                )
                slot = f"{owner}.animation_data.action_slot"
                has_slot = f"if {slot} is None:\n    {slot} = {action}.slots.new({owner}.id_type, {owner}.name)"
                yield sight.instead(statement, has_slot, made, reason=reason, new_import=_HELPERS)
            continue
        walk = _WALK.format(action=action, name=attribute.attr.value)
        # The actions of a user may have no slot yet, or several.
        if sight.package and _is_only_read(sight, attribute):
            yield sight.replace(attribute, f"[one {walk}]", reason)
            continue
        if sight.package and call and (wanted := _found_by(sight, call)):
            yield sight.replace(call, f"next((one {walk} if {wanted}), None)", reason)
            continue
        yield sight.replace(attribute, f"{_BAG.format(action=action)}.{attribute.attr.value}", reason)


def _found_by(sight: Sight, call: cst.Call) -> str:
    """The condition on a curve `one` that `action.fcurves.find(data_path, index=0)` looks for; empty if it is no such
    call."""
    names = [argument.keyword.value if argument.keyword else "" for argument in call.args]
    if not sight.code(call.func).endswith(".fcurves.find") or names not in ([""], ["", ""], ["", "index"]):
        return ""
    path, index = [*(sight.operand(argument.value) for argument in call.args), "0"][:2]
    return f"(one.data_path, one.array_index) == ({path}, {index})"


def _is_only_read(sight: Sight, attribute: cst.Attribute) -> bool:
    """True if only the items of a collection are read: a loop, a length, a test, an item by number."""
    outer = sight.parent(attribute)
    if isinstance(outer, cst.UnaryOperation | cst.BooleanOperation | cst.If | cst.While):
        return True
    if isinstance(outer, cst.For | cst.CompFor):
        return outer.iter is attribute
    if isinstance(outer, cst.Subscript):
        return outer.value is attribute and sight.is_read(outer)
    call = sight.parent(outer) if isinstance(outer, cst.Arg) else None
    return isinstance(call, cst.Call) and sight.code(call.func) in {"len", "enumerate", "list", "sorted", "any", "bool"}


def _owner_by_assignment(sight: Sight, action: str) -> str:
    """The owner of this action, from the assignment in the snippet."""
    if action.endswith(".animation_data.action"):
        return action.removesuffix(".animation_data.action")
    for assign in sight.all(cst.Assign):
        for target in assign.targets:
            source = sight.code(target.target)
            if sight.code(assign.value) == action and source.endswith(".animation_data.action"):
                return source.removesuffix(".animation_data.action")
            if source == action and sight.code(assign.value).endswith(".animation_data.action"):
                return sight.code(assign.value).removesuffix(".animation_data.action")
    return ""


def _kind_of_slot(sight: Sight, action: str) -> str:
    """The arguments of a new slot for an action that is not assigned: by its strip, or as only objects are animated."""
    owner = _owner_by_strip(sight, action)
    if owner:
        return f"{owner}.id_type, {owner}.name"
    creating = [call.func for call in sight.all(cst.Call) if sight.code(call.func).endswith(".animation_data_create")]
    owners = [function.value for function in creating if isinstance(function, cst.Attribute)]
    return f'"OBJECT", {action}.name' if owners and all(sight.is_a(owner, "Object") for owner in owners) else ""


def _owner_by_strip(sight: Sight, action: str) -> str:
    """The owner of the track that plays this action: `ob` of `ob.animation_data.nla_tracks.new()`."""
    for call in sight.all(cst.Call):
        function = call.func
        if not isinstance(function, cst.Attribute) or not sight.code(function).endswith(".strips.new"):
            continue
        if action not in {sight.code(argument.value) for argument in call.args}:
            continue
        track = sight.code(function).removesuffix(".strips.new")
        made = next((sight.code(new.value) for new in sight.all(cst.Assign) if _stores(sight, new, track)), track)
        if made.endswith(".animation_data.nla_tracks.new()"):
            return made.removesuffix(".animation_data.nla_tracks.new()")
    return ""


def _stores(sight: Sight, assign: cst.Assign, name: str) -> bool:
    return any(sight.code(target.target) == name for target in assign.targets)


def _arguments_of_new(sight: Sight, call: cst.Call) -> str:
    """The arguments of `fcurves.new`, with the names that they have in a channel bag."""
    names = {"action_group": "group_name"}
    given: list[str] = []
    for place, argument in enumerate(call.args):
        name = argument.keyword.value if argument.keyword else ("", "index")[min(place, 1)]
        value = sight.code(argument.value)
        given.append(f"{names.get(name, name)}={value}" if name else value)
    return ", ".join(given)


def _ensure_call(sight: Sight, call: cst.Call, action: str, owner: str) -> str:
    named = {"action_group": "group_name", "group": "group_name"}
    given: list[str] = []
    for argument in call.args:
        name = argument.keyword.value if argument.keyword else ""
        if name == "data_path":
            name = ""
        value = sight.code(argument.value)
        given.append(f"{named.get(name, name)}={value}" if name else value)
    positional = [argument for argument in call.args if argument.keyword is None]
    if len(positional) > 1:
        given[1] = f"index={given[1]}"
    return f"{action}.fcurve_ensure_for_datablock({owner}, {', '.join(given)})"


@rule("5.0: a curve is made for the user of the action: if the snippet assigns the action later, assign it earlier")
def action_before_use(sight: Sight) -> Iterator[TreeEdit]:
    for call in sight.all(cst.Call):
        function = call.func
        if not isinstance(function, cst.Attribute) or function.attr.value != "fcurve_ensure_for_datablock":
            continue
        action, statement = sight.code(function.value), sight.statement(call)
        for assign in sight.all(cst.Assign):
            source = sight.code(assign.targets[0].target)
            if sight.code(assign.value) != action or not source.endswith(".animation_data.action"):
                continue
            first = min((sight.line(other) for other in sight.all(cst.Call) if other.func is function), default=0)
            if statement and sight.line(assign) > first and sight.function(assign) is sight.function(call):
                made = _assignment_of(sight, action)
                if made is not None and source.split(".")[0] != action:
                    reason = "an action must be in use before curves are made for its user"
                    owner = source.removesuffix(".animation_data.action")
                    yield sight.after(made, f"{owner}.animation_data_create()", sight.code(assign), reason=reason)
                    yield sight.instead(assign, reason=reason)
                    return


def _assignment_of(sight: Sight, name: str) -> cst.Assign | None:
    return next((assign for assign in sight.all(cst.Assign) if sight.code(assign.targets[0].target) == name), None)


@rule("`animation_data` is None until it is created")
def animation_data(sight: Sight) -> Iterator[TreeEdit]:
    if sight.trouble is None or "'NoneType' object has no attribute" not in sight.trouble.message:
        return
    for attribute in sight.attributes("animation_data"):
        statement, owner = sight.statement(attribute), sight.code(attribute.value)
        if statement and sight.fails_at(attribute) and f"{owner}.animation_data_create" not in sight.text:
            reason = f"`{owner}` has no animation data until it is created"
            yield sight.before(statement, f"{owner}.animation_data_create()", reason=reason)


_STRIPS: Final = {"frame_end": "length", "seq1": "input1", "seq2": "input2"}


@rule("4.4, 5.0: `strips.new_effect(frame_end=..., seq1=...)`")
def new_strip(sight: Sight) -> Iterator[TreeEdit]:
    found = sight.manifest.find("StripsTopLevel", "new_effect")
    known: Container[str] = getattr(found[1], "parameters", {}) if found else {}
    renamed = {old: new for old, new in _STRIPS.items() if new in known and old not in known}
    if not renamed:
        return
    for call, owner in sight.methods("new_effect"):
        if sight.is_guarded(call):
            continue
        if not sight.collection(owner).startswith("Strips") and not sight.fails_at(call):
            continue
        start = keyword(call, "frame_start") or next(iter(call.args[3:4]), None)
        for argument in call.args:
            new = renamed.get(argument.keyword.value if argument.keyword else "")
            if not new or keyword(call, new):
                continue
            value = sight.code(argument.value)
            if new == "length":
                if start is None or start.star or (start.keyword and start.keyword.value != "frame_start"):
                    continue
                value = _length(sight.operand(argument.value), sight.operand(start.value))
            yield sight.argument(
                argument,
                f"{new}={value}",
                f"`{sight.code(argument.keyword)}` is `{new}` now" if argument.keyword else "",
            )


def _length(end: str, start: str) -> str:
    try:
        return str(int(end) - int(start))
    except ValueError:
        return f"{end} - {start}"
