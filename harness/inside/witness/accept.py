"""Tests a scene against acceptance checks (`app/accept` defines their form). Runs in process two, on the saved
scene that the snippet left.

    object, change   accept_objects.py
    material, nodes  accept_nodes.py
    values of paths  accept_values.py

Answers per check: true if it is met, and the observation in words. Other processes make the checks of ELSEWHERE.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import math
import time
from collections.abc import Callable, Iterable
from typing import Any

import bpy

from harness.inside.scene.accept_objects import (
    all_collections,
    changed_otherwise,
    is_of,
    mismatches_of_animation,
    mismatches_of_contact,
    mismatches_of_extent,
    mismatches_of_object,
    types_of,
)
from harness.inside.scene.accept_relations import (
    mismatches_of_kept,
    mismatches_of_relations,
    mismatches_of_spacing,
    world_of,
)
from harness.inside.scene.accept_values import NOTHING_CLAIMED, TRIED, ClaimedPaths, mismatches_of_values
from harness.inside.scene.describe import describe
from harness.inside.scene.inventory import NAME_LIMIT
from harness.inside.scene.names import called, title
from harness.inside.witness.accept_nodes import look_at_nodes, mismatch_of_input, mismatches_of_nodes, tree_in_use
from harness.inside.witness.movement import SIMULATION_S, is_simulated
from harness.protocol import ELSEWHERE

SEEN_LIMIT = 600
OF_OBJECTS = {"object", "change", "count"}
"""The kinds of checks that must see every object, of which a description may leave out some."""


class UnseenInTime(Exception):
    """A frame to which a simulation cannot be played in the time of all checks."""


class Moments:
    """The frames of the open file that checks are about. A simulation only plays on; it keeps what it played."""

    def __init__(self) -> None:
        self.simulated = is_simulated(bpy.context.scene)
        self.played = self.resume = bpy.context.scene.frame_start
        self.left_s = SIMULATION_S

    def go_to(self, frame: float) -> None:
        """Go to a frame, until which a simulation is played. Raises UnseenInTime."""
        ahead = self.simulated and frame > self.played
        for step in range(self.resume, math.ceil(frame) + 1) if ahead else ():
            if self.left_s < 0:
                raise UnseenInTime(f"frame {frame:g} cannot be seen in time: it is simulated from frame to frame")
            began = time.monotonic()
            self.show(step)
            self.played = self.resume = step
            self.left_s -= time.monotonic() - began
        self.show(frame)

    def show(self, frame: float) -> None:
        """Set the scene to a frame, or to a moment between two. One that was not played spoils a simulation of nodes,
        which then begins anew.
        """
        if frame > self.played:
            self.resume = bpy.context.scene.frame_start
        bpy.context.scene.frame_set(math.floor(frame), subframe=frame % 1)


@dataclasses.dataclass(frozen=True)
class Scenes:
    """Descriptions of the scene before the snippet and of the one it left, which is open.

    `blocks` are the titles of the data blocks before, by collection of `bpy.data`.
    """

    start: dict[str, Any]
    after: dict[str, Any]
    blocks: dict[str, list[str]]
    moments: Moments


def look_at(
    checks: list[dict[str, Any]],
    start: dict[str, Any],
    after: dict[str, Any],
    blocks: dict[str, list[str]] | None = None,
) -> list[dict[str, Any] | None]:
    """The answers, in the order of the checks: `{"met": bool, "seen": str}`, null for those made elsewhere.

    An answer with `claimed` leaves these paths to the process that ran the snippet.
    """
    scenes = Scenes(start, after, blocks or {}, Moments())
    return [None if check["check"] in ELSEWHERE else look(check, scenes) for check in checks]


def look(check: dict[str, Any], scenes: Scenes) -> dict[str, Any]:
    """The answer to one check; `broken` if it asks for what its type cannot have, `raised` if it fails itself."""
    claimed = ClaimedPaths(check.get("claimed", []))
    check = {**check, "claimed": claimed, "kept": {}}
    told: dict[str, Any] = {}
    try:
        TRIED.begin()
        wrong = look_once(check, scenes)
        if wrong and (never := TRIED.never_there()):
            # What else the check says still counts.
            TRIED.begin(set(never))
            rest = look_once(check, scenes)
            told, wrong = ({}, rest) if rest else ({"broken": True}, list(never.values()))
    except UnseenInTime as error:
        wrong = [str(error)]
    except Exception as error:
        told, wrong = {"raised": True}, [f"the check failed: {type(error).__name__}: {error}"]
    if "was" not in check and check["kept"]:
        told["was"] = check["kept"]
    if claimed.unseen:
        told["claimed"] = sorted(claimed.unseen)
    return {"met": not wrong, "seen": "; ".join(wrong)[:SEEN_LIMIT], **told}


def look_once(check: dict[str, Any], scenes: Scenes) -> list[str]:
    """The mismatches of a check, at the frame that it names."""
    return at_frame(check, scenes) if "frame" in check else mismatches(check, scenes)


def mismatches(check: dict[str, Any], scenes: Scenes) -> list[str]:
    """The mismatches of a check."""
    unseen = left_out(scenes) if check["check"] in OF_OBJECTS else ""
    unseen = unseen or (too_many_before(check, scenes) if check.get("added") else "")
    return [unseen] if unseen else LOOKS[check["check"]](check, scenes)


def at_frame(check: dict[str, Any], scenes: Scenes) -> list[str]:
    """The mismatches at another frame."""
    kept, frame = bpy.context.scene.frame_float, check["frame"]
    try:
        scenes.moments.go_to(frame)
        wanted = {part: value for part, value in check.items() if part != "frame"}
        wrong = mismatches(wanted, dataclasses.replace(scenes, after=describe()))
    finally:
        scenes.moments.show(kept)
    return [f"at frame {frame:g}: {mismatch}" for mismatch in wrong]


def left_out(scenes: Scenes) -> str:
    """The reason why a check of objects cannot be made; empty if all were seen, before the snippet and after it."""
    for when, facts in (("there are", scenes.after), ("before the snippet there were", scenes.start)):
        told, more = len(facts["objects"]), facts["objects_left_out"]
        if more:
            return f"{when} {told + more:,} objects, and only {told:,} are looked at"
    return ""


def too_many_before(check: dict[str, Any], scenes: Scenes) -> str:
    """The reason why the additions are not known; empty if they are."""
    kind = "materials" if check["check"] == "material" else check.get("of") or check.get("collection") or ""
    if len(scenes.blocks.get(kind, ())) < NAME_LIMIT:
        return ""
    return f"before the snippet bpy.data.{kind} had more than can be told apart: {NAME_LIMIT:,}"


def look_at_object(check: dict[str, Any], scenes: Scenes) -> list[str]:
    objects, name = scenes.after["objects"], check.get("name")
    names = titles_of(name, scenes.after) if name else meant(check, scenes.after)
    if check.get("added"):
        names = [name for name in names if name not in scenes.start["objects"]]
    if check.get("absent"):
        return [f'there is an object "{name}"' for name in names if is_of(objects[name], check)][:1]
    if not names:
        added = " that the start did not have" if check.get("added") else ""
        words = ["there is no", check.get("which", ""), "" if name else types_of(check), "object"]
        return [" ".join(filter(None, words)) + (f' "{name}"' if name else "") + added]
    moved = mismatches_of_moments(names, check, scenes.moments)
    judged = [
        [
            *mismatches_of_object(name, objects[name], check),
            *mismatches_of_contact(name, objects, check),
            *mismatches_of_relations(name, objects, check),
            *moved[name],
        ]
        for name in names
    ]
    if check.get("which") in {"selected", "every"} and not check.get("added"):
        return [mismatch for wrong in judged for mismatch in wrong]
    return nearest(judged)


def titles_of(name: str, facts: dict[str, Any]) -> list[str]:
    """The titles of the described objects that a check may mean by a name; see `names.called`."""
    objects: dict[str, Any] = facts["objects"]
    linked = [title for title, told in objects.items() if told["library"] and title == f"{name} [{told['library']}]"]
    return [name] if name in objects else linked


def meant(check: dict[str, Any], facts: dict[str, Any]) -> list[str]:
    """Names of the objects that a check without a name may mean."""
    which = check.get("which")
    names = list(facts["objects"])
    if which in {"active", "camera"}:
        names = [facts["scene"]["active_object" if which == "active" else "camera"]]
    elif which == "selected":
        names = facts["scene"]["selected"]
    return [name for name in names if name in facts["objects"] and is_of(facts["objects"][name], check)]


def nearest(candidates: Iterable[list[str]]) -> list[str]:
    """The mismatches of the candidate with the fewest."""
    return min(candidates, key=len)


def mismatches_of_moments(names: list[str], check: dict[str, Any], moments: Moments) -> dict[str, list[str]]:
    """The differences of each object's place, rotation and scale from those at another frame."""
    now, wrong = bpy.context.scene.frame_float, {name: list[str]() for name in names}
    others = [check.get("as_at"), now - 1 if check.get("at_rest") else None]
    for other in (frame for frame in others if frame is not None):
        try:
            moments.go_to(now)
            here = {name: world_of(name) for name in names}
            moments.go_to(other)
            there = {name: world_of(name) for name in names}
        finally:
            moments.show(now)
        for name in names:
            off = max(abs(one - two) for one, two in zip(here[name], there[name], strict=True))
            if off > check["tolerance"]:
                said = f'object "{name}": its place, rotation or scale at frame {other:g} differs by {off:.3g}'
                wrong[name].append(said)
    return wrong


def look_at_change(check: dict[str, Any], scenes: Scenes) -> list[str]:
    """The mismatches of the changes to objects of the start."""
    start, after = scenes.start["objects"], scenes.after["objects"]
    names = titles_of(check["name"], scenes.start) if "name" in check else meant(check, scenes.start)
    apart = {title for name in check.get("apart_from", []) for title in titles_of(name, scenes.start)}
    names = [name for name in names if name not in apart]
    if not names:
        named = f'object "{check["name"]}"' if "name" in check else f"{check['which']} object"
        return [f"the start has no {named}"]
    wrong: list[str] = []
    for name in names:
        if "gone" in check and check["gone"] == (name in after):
            wrong.append(f'object "{name}" is {"still" if check["gone"] else "not"} there')
        if name in after:
            told = [*changed_otherwise(start[name], after[name], check), *changed_materials(name, check, scenes)]
            wrong += [f'object "{name}": {mismatch}' for mismatch in told]
        elif not check.get("gone"):
            wrong.append(f'object "{name}" is gone')
    return wrong


def changed_materials(name: str, check: dict[str, Any], scenes: Scenes) -> list[str]:
    """The materials of an object of the start that changed, if all of it must stay as it was."""
    if not check.get("unchanged"):
        return []
    before, after = scenes.start["materials"], scenes.after["materials"]
    worn = dict.fromkeys(material for material in scenes.start["objects"][name]["materials"] if material)
    return [f'its material "{material}" changed' for material in worn if before.get(material) != after.get(material)]


def look_at_count(check: dict[str, Any], scenes: Scenes) -> list[str]:
    found = [] if "of" in check else objects_counted(check, scenes)
    counted = blocks_counted(check, scenes) if "of" in check else len(found)
    low = check.get("exactly", check.get("at_least", 1 if {"extent", "spacing"} & check.keys() else 0))
    high = check.get("exactly", check.get("at_most", counted))
    if low <= counted <= high:
        told = [scenes.after["objects"][title(obj)] for obj in found]
        wrong = mismatches_of_extent("their", told, check) if "extent" in check and told else []
        return wrong + mismatches_of_spacing([one["location"] for one in told], check)
    one = "data block" if "of" in check else "object"
    words = ["is" if counted == 1 else "are", str(counted), "new" if check.get("added") else "", types_of(check)]
    words += [one if counted == 1 else f"{one}s", f"of bpy.data.{check['of']}" if "of" in check else ""]
    words += [f"called {check['name']}" if "name" in check else ""]
    words += [f"in {check['collection']}" if "collection" in check else ""]
    words += ["with these values" if check["values"] else ""]
    wanted = f"at least {low}" if counted < low else f"at most {high}"
    return [f"there {' '.join(filter(None, words))}, not {check.get('exactly', wanted)}"]


def objects_counted(check: dict[str, Any], scenes: Scenes) -> list[Any]:
    """The objects of the scene that a check counts."""
    pattern, near = check.get("name", "*"), check["tolerance"]
    had = {*scenes.start["objects"], *scenes.blocks.get("objects", ())} if check.get("added") else set[str]()
    groups = set(called(check["collection"], all_collections())) if "collection" in check else set[Any]()
    if "collection" in check and not groups:
        return []
    return [
        obj
        for obj in bpy.context.scene.objects
        if fnmatch.fnmatchcase(obj.name, pattern)
        and is_of({"type": obj.type}, check)
        and (not groups or not groups.isdisjoint(obj.users_collection))
        and title(obj) not in had
        and not mismatches_of_values(obj, check["values"], near)
    ]


def blocks_counted(check: dict[str, Any], scenes: Scenes) -> int:
    """The number of data blocks that a check counts."""
    blocks = blocks_of(check["of"], check, scenes)
    pattern, near = check.get("name", "*"), check["tolerance"]
    return sum(
        fnmatch.fnmatchcase(block.name, pattern) and not mismatches_of_values(block, check["values"], near)
        for block in blocks
    )


def blocks_of(collection: str, check: dict[str, Any], scenes: Scenes) -> list[Any]:
    """The data blocks of a collection; only new ones if the check asks for additions."""
    blocks = list(getattr(bpy.data, collection, ()))
    had = set(scenes.blocks.get(collection, ())) if check.get("added") else set[str]()
    return [block for block in blocks if title(block) not in had]


def look_at_material(check: dict[str, Any], scenes: Scenes) -> list[str]:
    candidates = blocks_of("materials", check, scenes)
    if "on" in check:
        wearers = titles_of(check["on"], scenes.after)
        if not wearers:
            return [f'there is no object "{check["on"]}"']
        worn = {name for wearer in wearers for name in scenes.after["objects"][wearer]["materials"]}
        candidates = [material for material in candidates if title(material) in worn]
    if "name" in check:
        candidates = called(check["name"], candidates)
    on = f' on "{check["on"]}"' if "on" in check else ""
    if check.get("absent"):
        return [f'there is a material "{material.name}"{on}' for material in candidates[:1]]
    if not candidates:
        named = f' "{check["name"]}"' if "name" in check else ""
        new = " that the start did not have" if check.get("added") else ""
        return [f"there is no material{named}{on}{new}"]
    return nearest(mismatches_of_material(material, check) for material in candidates)


def mismatches_of_material(material: Any, check: dict[str, Any]) -> list[str]:
    tree, near = tree_in_use(material), check["tolerance"]
    wrong = mismatches_of_nodes(tree, check["nodes"], near)
    shaders = [node for node in (tree.nodes if tree else ()) if node.type == "BSDF_PRINCIPLED"]
    if check["inputs"] and not shaders:
        wrong.append("it has no Principled BSDF")
    elif check["inputs"]:
        wrong += nearest(
            [
                mismatch
                for name, wanted in check["inputs"].items()
                for mismatch in mismatch_of_input(shader, name, wanted, near)
            ]
            for shader in shaders
        )
    wrong += mismatches_of_values(material, check["values"], near)
    return [f'material "{material.name}": {mismatch}' for mismatch in wrong]


def look_at_collection(check: dict[str, Any], scenes: Scenes) -> list[str]:
    collection = next(iter(called(check["name"], bpy.data.collections)), None)
    if collection is None or check.get("absent"):
        there = collection is not None
        right = there != bool(check.get("absent"))
        return [] if right else [f'there is {"a" if there else "no"} collection "{check["name"]}"']
    wrong: list[str] = []
    if "parent" in check:
        parents = [parent for parent in all_collections() if collection in set(parent.children)]
        if not set(called(check["parent"], all_collections())) & set(parents):
            named = ", ".join(map(title, parents)) or "no collection"
            wrong.append(f"it is in {named}, not in {check['parent']}")
    having = set(collection.objects)
    wrong += [
        f'it has no object "{name}"' for name in check["objects"] if not having & {*called(name, bpy.data.objects)}
    ]
    return [f'collection "{collection.name}": {mismatch}' for mismatch in wrong]


def look_at_scene(check: dict[str, Any], scenes: Scenes) -> list[str]:
    return [f"scene: {mismatch}" for mismatch in mismatches_of_block(bpy.context.scene, check)]


def look_at_data(check: dict[str, Any], scenes: Scenes) -> list[str]:
    if not hasattr(bpy.data, check["collection"]):
        return [f"bpy.data has no {check['collection']}"]
    name = check.get("name")
    blocks = blocks_of(check["collection"], check, scenes)
    blocks = called(name, blocks) if name else blocks
    title = f"{name!r} of bpy.data.{check['collection']}" if name else f"what was looked for in {check['collection']}"
    if check["absent"] or not blocks:
        return [] if check["absent"] == (not blocks) else [f"{title} is {'there' if blocks else 'missing'}"]
    return [f"{title}: {mismatch}" for mismatch in nearest(mismatches_of_block(block, check) for block in blocks)]


def mismatches_of_block(block: Any, check: dict[str, Any]) -> list[str]:
    """The mismatches of animation and values of a data block."""
    claimed = check.get("claimed", NOTHING_CLAIMED)
    wrong = mismatches_of_animation(block, check) + mismatches_of_kept(block, check)
    return wrong + mismatches_of_values(block, check["values"], check["tolerance"], claimed)


LOOKS: dict[str, Callable[[dict[str, Any], Scenes], list[str]]] = {
    "object": look_at_object,
    "change": look_at_change,
    "data": look_at_data,
    "count": look_at_count,
    "material": look_at_material,
    "nodes": lambda check, _scenes: look_at_nodes(check),
    "collection": look_at_collection,
    "scene": look_at_scene,
}
