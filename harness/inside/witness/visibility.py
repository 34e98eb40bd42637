"""Finds the snippet's objects that no one can see: hidden, scaled to nothing, transparent, inside another, off camera.

Objects that serve others are left out: instance sources, cutters, targets, bone shapes, colliders. So are objects that
move or are shown at some other frame.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from harness.inside.scene.describe import action_curves
from harness.inside.scene.geometry import RENDERABLE
from harness.inside.scene.names import title, titled
from harness.inside.witness.enclosure import Enclosures
from harness.inside.witness.materials import is_invisible
from harness.inside.witness.sight import out_of_sight

MADE_LIMIT = 1000
"""The most objects whose place is compared with that of others."""
LOOKING = {"TRACK_TO", "DAMPED_TRACK", "LOCKED_TRACK"}
SIZE_KEPT = 1e-6
"""A scale below this share of one is nothing."""


def find_unseen(start: dict[str, Any], after: dict[str, Any], left_out: set[str], kept: set[str]) -> dict[str, Any]:
    """The reason why an object of the snippet is not seen, by name: a `code`, and `by`, which keeps it from sight.

    `left_out` are the objects that no picture shows, `kept` those that the snippet left as they were.
    """
    objects = titled(bpy.context.scene.objects)
    made = [name for name, facts in after["objects"].items() if name not in start["objects"] and renders(facts)]
    unseen: dict[str, Any] = {}
    for name in made:
        reason = why_hidden(objects[name], after["objects"][name])
        if reason:
            unseen[name] = reason
    shown = [
        name for name, facts in after["objects"].items()
        if renders(facts) and name not in unseen and name not in left_out and not facts["hidden_in_render"]
    ]  # fmt: skip
    scene = bpy.context.scene
    camera = scene.camera if scene.camera and title(scene.camera) not in kept and not moves(scene.camera) else None
    enclosures = Enclosures(objects, after, [name for name in shown if not moves(objects[name])], scene.camera)
    seen = set(shown)
    for name in [name for name in made[:MADE_LIMIT] if name in seen and not moves(objects[name])]:
        around = enclosures.around(name)
        if around:
            unseen[name] = {"code": "wholly-inside", "by": around}
        elif camera and out_of_sight(after["objects"][name], camera, scene):
            unseen[name] = {"code": "outside-the-camera", "by": title(camera)}
    serving = helpers([objects[name] for name in unseen])
    found = {name: reason for name, reason in sorted(unseen.items()) if objects[name] not in serving}
    return without_scenery(found, [objects[name] for name in shown if name not in found], objects)


def renders(facts: dict[str, Any]) -> bool:
    """True if an object of this description has something to show."""
    return facts["type"] in RENDERABLE and (facts.get("faces") != 0 or facts["has_instances"])


def why_hidden(obj: Any, facts: dict[str, Any]) -> dict[str, Any] | None:
    """The reason why a render shows nothing of an object by its own settings; None if it does."""
    if facts["hidden_in_render"]:
        if is_keyed(obj, "hide_render") or obj.display_type in {"WIRE", "BOUNDS"}:
            return None
        by = ", ".join(facts["collections"])
        return (
            {"code": "hidden-from-render", "by": None} if obj.hide_render else {"code": "hidden-collection", "by": by}
        )
    if sum(scale is not None and abs(scale) < SIZE_KEPT for scale in facts["scale"]) > 1:
        return None if any(is_scaled(owner) for owner in with_parents(obj)) else {"code": "zero-scale", "by": None}
    if not obj.visible_camera or obj.is_holdout or obj.holdout_get() or obj.indirect_only_get():
        return {"code": "hidden-from-camera", "by": None}
    materials = [slot.material for slot in obj.material_slots]
    if materials and all(material and is_invisible(material) for material in materials):
        return {"code": "transparent", "by": materials[0].name}
    return None


def is_keyed(obj: Any, path: str) -> bool:
    """True if a keyframe, a driver or a strip may change a property of the object."""
    data = obj.animation_data
    if data is None:
        return False
    curves = [*(action_curves(data) if data.action else []), *data.drivers]
    return bool(data.nla_tracks) or any(path in curve.data_path for curve in curves)


def is_scaled(obj: Any) -> bool:
    """True if the object may have another scale at another frame."""
    data = obj.animation_data
    curves = action_curves(data) if data and data.action and not data.drivers and not data.nla_tracks else None
    if curves is None:
        return is_keyed(obj, "scale")
    of_scale = [curve for curve in curves if "scale" in curve.data_path]
    return any(curve.modifiers or len({point.co.y for point in curve.keyframe_points}) > 1 for curve in of_scale)


def with_parents(obj: Any) -> Iterable[Any]:
    """The object, its parent, and so on."""
    while obj:
        yield obj
        obj = obj.parent


def moves(obj: Any) -> bool:
    """True if the object may be elsewhere, or shown otherwise, at another frame."""
    if obj.rigid_body or any(modifier.type in {"CLOTH", "SOFT_BODY", "FLUID", "EXPLODE"} for modifier in obj.modifiers):
        return True
    return any(
        owner.animation_data or owner.parent_type == "BONE" or any(map(may_move, owner.constraints))
        for owner in with_parents(obj)
    )


def may_move(constraint: Any) -> bool:
    """True if a constraint is more than a look at something that stands still."""
    target = constraint.target if constraint.type in LOOKING else None
    return target is None or any(owner.animation_data or owner.constraints for owner in with_parents(target))


def helpers(objects: list[Any]) -> set[Any]:
    """The objects that serve others."""
    if not objects:
        return set()
    users: dict[Any, set[Any]] = bpy.data.user_map(subset=[*objects, *bpy.data.collections])
    instanced = [
        collection for collection in bpy.data.collections
        if any(not isinstance(user, (bpy.types.Scene, bpy.types.Collection)) for user in users.get(collection, ()))
    ]  # fmt: skip
    sources = {obj for collection in instanced for obj in collection.all_objects}
    return {obj for obj in objects if obj in sources or collides(obj) or serves(obj, users.get(obj, ()))}


def collides(obj: Any) -> bool:
    """True if the object takes part in a simulation, which it may do unseen."""
    field = bool(obj.field and obj.field.type != "NONE")
    return bool(obj.rigid_body or field or any(modifier.type == "COLLISION" for modifier in obj.modifiers))


def serves(obj: Any, users: Iterable[Any]) -> bool:
    """True if one of the users needs the object for more than being its child."""
    plain = (bpy.types.Scene, bpy.types.Collection, bpy.types.Key)
    return any(
        user != obj
        and not isinstance(user, plain)
        and not (isinstance(user, bpy.types.Object) and user.parent == obj and not points_at(user, obj))
        for user in users
    )


def points_at(user: Any, obj: Any) -> bool:
    """True if a modifier, a constraint or a bone of one object names another."""
    bones = user.pose.bones if user.pose else ()
    owners = [*user.modifiers, *user.constraints, *(part for bone in bones for part in (bone, *bone.constraints))]
    return any(
        getattr(owner, prop.identifier) == obj
        for owner in owners
        for prop in owner.bl_rna.properties
        if prop.type == "POINTER" and prop.fixed_type.identifier == "Object"
    ) or any(value == obj for modifier in user.modifiers if modifier.type == "NODES" for value in modifier.values())


def without_scenery(unseen: dict[str, Any], seen: list[Any], objects: dict[str, Any]) -> dict[str, Any]:
    """Leave out off-camera objects that share their data with seen ones: of a row or a forest some trees always are."""
    shared = {obj.data for obj in seen}
    return {
        name: reason for name, reason in unseen.items()
        if reason["code"] != "outside-the-camera" or objects[name].data not in shared
    }  # fmt: skip
