"""The scene as a model reads it: a line on the file, a line per object, within a budget of tokens.

facts of the witness ─> ranked: named in the request, active, selected ─> lines ─> the rest only counted
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from app.llm.message import tokens_of
from harness.wording import NUMBER, places_among_alike

Facts = dict[str, Any]

SCENE_TOKENS: Final = 1200
"""Room for a scene in a prompt."""
HEAD_TOKENS: Final = 300
"""Room for each list of names in it."""
FACTORY: Final = """\
Blender's factory scene:
mode OBJECT, active Cube, selected Cube, camera Camera, frame 1 of 1 to 250, world World
- Cube: MESH at (0, 0, 0), box (-1, -1, -1) to (1, 1, 1), 8 vertices, 6 faces, materials Material, in Collection
- Light: LIGHT at (4.076, 1.005, 5.904), POINT of 1000 W, in Collection
- Camera: CAMERA at (7.359, -6.926, 4.958), aims (-0.6516, 0.6142, -0.4453), 50 mm, in Collection"""
FACTORY_IN_SHORT: Final = (
    "Blender's factory scene: Cube of 2 m at the origin (active, selected), Light (POINT), Camera; frame 1 of 1 to 250"
)
"""For those who write no code."""
FACTORY_OBJECTS: Final = {"Cube": "MESH", "Light": "LIGHT", "Camera": "CAMERA"}
OWN: Final = "A scene of the caller's own (places, turns and boxes are in the world, unless `local` is said):"
MADE_BY: Final = "\nIt is made by this snippet, which runs before yours:\n"
LINE_LENGTH: Final = 400
FEW: Final = 3
"""At most this many objects whose names differ only in numbers are listed, if there is no room for all."""
MANY: Final = 4
"""From this many on, names that differ only in numbers are shortened to the first and the last."""
WORD: Final = re.compile(r"\w+")


def shown_start(scene: Facts, words: str) -> str:
    """A start scene of the caller's own; `words` are the request, whose names come first."""
    return "\n".join([OWN, head(scene), *object_lines(scene, words, SCENE_TOKENS)])


def in_short(start: str) -> str:
    """A start scene in words for those who write no code: every model knows the factory scene."""
    return FACTORY_IN_SHORT if start == FACTORY else start


def without_code(start: str) -> str:
    """The same without the snippet that makes it, for those who see what it made before and after."""
    return in_short(start.partition(MADE_BY)[0])


def shown_end(report: Facts, words: str, room: int = SCENE_TOKENS) -> str:
    """The scene after a snippet: what it added or changed; of the rest only names. Empty if there is no scene."""
    evidence = report["evidence"]
    scene, changes = evidence["scene"], evidence["changes"]
    if scene is None or changes is None:
        return ""
    looks = set(changes["changed"].get("materials", ()))
    dressed = {name for name, facts in scene["objects"].items() if looks & set(facts["materials"])}
    touched = {*changes["added"]["objects"], *changes["changed"]["objects"], *dressed}
    ours = {**scene, "objects": {name: facts for name, facts in scene["objects"].items() if name in touched}}
    same = [name for name in scene["objects"] if name not in touched]
    lines = [head(scene), *change_lines(changes), *object_lines(ours, words, room)]
    lines += [f"As before, so far as described: {names_within(same)}"] if same else []
    return "\n".join([*lines, *moving_lines(evidence["render"] or {})])


def head(scene: Facts) -> str:
    """The file and its scene in one line, the collections in another if there are more than the usual one."""
    facts = scene["scene"]
    world = facts["world"]["name"] if facts["world"] else "none"
    said = [
        f"mode {one_line(facts['mode'])}",
        f"active {one_line(facts['active_object'] or 'none')}",
        f"selected {names_within(facts['selected']) or 'none'}",
        f"camera {one_line(facts['camera'] or 'none')}",
        f"frame {facts['frame_current']} of {facts['frame_start']} to {facts['frame_end']}",
        f"world {one_line(world)}",
    ]
    collections = {name: len(objects) for name, objects in scene["collections"].items() if name != "Collection"}
    counted = names_within([f"{name} ({count} objects)" for name, count in collections.items()])
    return ", ".join(said) + (f"\nCollections: {counted}" if counted else "")


def change_lines(changes: Facts) -> list[str]:
    """The names of the things that a snippet added, changed and removed."""
    lines = [
        f"{what.capitalize()}: {names_within(changes[what]['objects'])}"
        for what in ("added", "removed")
        if changes[what]["objects"]
    ]
    changed = [f"{name} ({', '.join(facts)})" for name, facts in changes["changed"]["objects"].items()]
    lines += [f"Changed: {names_within(changed)}"] if changed else []
    materials = list(changes["changed"].get("materials", ()))
    lines += [f"Changed materials: {names_within(materials)}"] if materials else []
    scene = changes["changed"]["scene"]
    return [*lines, *([f"Changed of the scene: {', '.join(scene)}"] if scene else [])]


def moving_lines(render: Facts) -> list[str]:
    """The places of moving things at the frames that were rendered."""
    frames: list[Facts] = render.get("frames") or []
    return [
        f"At frame {frame['frame']}: "
        + names_within([f"{name} at {vector(place)}" for name, place in frame["moved"].items()])
        for frame in frames
        if frame.get("moved")
    ]


def object_lines(scene: Facts, words: str, room: int) -> list[str]:
    """A line per object, the most relevant first, and one that counts those without room."""
    objects: Facts = scene["objects"]
    ranks = {name: relevance(name, facts, scene["scene"], words) for name, facts in objects.items()}
    order = sorted(objects, key=lambda name: -ranks[name])
    lines = {name: one_line(object_line(name, objects[name]))[:LINE_LENGTH] for name in order}
    if sum(map(tokens_of, lines.values())) > room:
        # Of many with names alike the first are enough, unless the request is about the others.
        nth = places_among_alike(objects)
        lines = {name: line for name, line in lines.items() if ranks[name] or nth[name] < FEW}
    listed: list[str] = []
    for line in lines.values():
        room -= tokens_of(line)
        if room < 0:
            break
        listed.append(line)
    kinds = Counter(objects[name]["type"] for name in [*list(lines)[len(listed) :], *(objects.keys() - lines.keys())])
    if unseen := scene.get("objects_untold", 0):
        kinds["of which nothing is known"] += unseen
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return [*listed, f"- and {kinds.total()} more: {counts}"] if kinds else listed


def relevance(name: str, facts: Facts, scene: Facts, words: str) -> int:
    """The points of an object for a request with these words: more points, more likely meant."""
    said = words.casefold()
    asked = set(WORD.findall(said))
    kind = facts["type"].casefold()
    return sum(
        (
            8 * (name.casefold() in said),
            4 * bool(asked & {kind, f"{kind}s"}),
            4 * (name == scene["active_object"]),
            3 * (name in scene["selected"]),
            2 * (name == scene["camera"]),
            2 * bool(asked & set(WORD.findall(name.casefold()))),
        )
    )


def object_line(name: str, facts: Facts) -> str:
    """One object with everything about it that is not the default."""
    return f"- {name}: {facts['type']} at {vector(facts['location'])}, " + ", ".join(
        part for part in (*shape(facts), *belongings(facts)) if part
    )


def shape(facts: Facts) -> list[str]:
    """Its turn, its box in the world, and its parts."""
    box, light, camera = facts["bounds"], facts.get("light"), facts.get("camera")
    return [
        f"rotation {vector(facts['rotation'])}" if any(facts["rotation"]) and not (light or camera) else "",
        f"aims {vector(aim(facts['rotation']))}" if camera or (light and light["type"] != "POINT") else "",
        f"scale {vector(facts['scale'])}" if facts["scale"] != [1.0, 1.0, 1.0] else "",
        local_place(facts.get("local") or {}),
        f"box {vector(box['min'])} to {vector(box['max'])}" if box and not light and not camera else "",
        f"{facts['vertices']} vertices, {facts['faces']} faces" if facts.get("vertices") is not None else "",
        f"{light['type']} of {number(light['energy'])} W" if light else "",
        f"{number(camera['lens'])} mm" if camera else "",
    ]


def aim(rotation: Sequence[float | None]) -> list[float | None]:
    """The direction in which a camera or a light of this turn looks, of length 1; angles in radians, about x, y, z."""
    angles = [angle for angle in rotation if angle is not None]
    if len(angles) < len(rotation):
        return [None] * 3
    (cos_x, sin_x), (cos_y, sin_y), (cos_z, sin_z) = ((math.cos(angle), math.sin(angle)) for angle in angles)
    back = (cos_z * sin_y * cos_x + sin_z * sin_x, sin_z * sin_y * cos_x - cos_z * sin_x, cos_y * cos_x)
    return [-share for share in back]


def local_place(own: Facts) -> str:
    """The place of a child as its own properties show it, where it is not at its parent."""
    still = {"location": [0, 0, 0], "rotation": [0, 0, 0], "scale": [1, 1, 1]}
    said = [f"{name} {vector(value)}" for name, value in own.items() if value != still[name]]
    return f"below its parent local {' '.join(said)}" if said else ""


def belongings(facts: Facts) -> list[str]:
    """Its materials, modifiers and other parts, its parent and its collections."""
    parts = [
        (kind, ", ".join(f"{part['name']} ({part['type']}{inputs_of(part)})" for part in facts[kind]))
        for kind in ("modifiers", "constraints")
    ]
    own = ", ".join(f"{name}={value}" for name, value in facts.get("properties", {}).items())
    return [
        after_word("materials", [name or "(empty slot)" for name in facts["materials"]]),
        *(f"{kind} {names}" for kind, names in parts if names),
        f"parent {facts['parent']}" if facts["parent"] else "",
        after_word("in", facts["collections"]),
        animation(facts["animation"]),
        f"custom properties {own}" if own else "",
        "not rendered" if facts["hidden_in_render"] else "",
        f"from the library {facts['library']}" if facts["library"] else "",
    ]


def inputs_of(modifier: Facts) -> str:
    """The values that a modifier gives its group of nodes."""
    given = {name: value for name, value in modifier.get("inputs", {}).items() if value is not None}
    said = [f"{name} {number(value) if isinstance(value, float) else value}" for name, value in given.items()]
    return f": {', '.join(said)}" if said else ""


def animation(facts: Facts | None) -> str:
    """Its keyframes and drivers."""
    if facts is None:
        return ""
    curves = sorted({curve.partition("[")[0] for curve in facts["curves"]})
    ends = facts["frame_range"]
    keys = f"keyframes of {', '.join(curves)} from {number(ends[0])} to {number(ends[1])}" if curves and ends else ""
    drivers = f"drivers of {', '.join(sorted(set(facts['drivers'])))}" if facts["drivers"] else ""
    return ", ".join(filter(None, (keys, drivers)))


def after_word(word: str, names: Sequence[str]) -> str:
    """The names after a word; empty if there are none."""
    return f"{word} {', '.join(names)}" if names else ""


def names_within(names: Sequence[str]) -> str:
    """The first names that fit, and how many others there are."""
    kept: list[str] = []
    room = HEAD_TOKENS
    whole = alike_together([one_line(name) for name in names])
    for place, name in enumerate(whole):
        room -= tokens_of(name) + 1
        if room < 0:
            return f"{', '.join(kept)} and {len(whole) - place} more"
        kept.append(name)
    return ", ".join(kept)


def alike_together(names: Sequence[str]) -> list[str]:
    """The names; many in a row that differ only in numbers become `Step 01 to Step 12 (12)`."""
    shortened: list[str] = []
    for _, group in itertools.groupby(names, lambda name: NUMBER.sub("0", name)):
        same = list(group)
        shortened += [f"{same[0]} to {same[-1]} ({len(same)})"] if len(same) >= MANY else same
    return shortened


def one_line(text: str) -> str:
    """The text without line breaks: a name may hold some, and must not look like more than a name."""
    return " ".join(text.split())


def vector(values: Sequence[float | None]) -> str:
    """Three numbers, in brackets."""
    return f"({', '.join(number(value) for value in values)})"


def number(value: float | None) -> str:
    """A number to four digits, so that a check that copies it is met, or the nearest whole one; `?` for none."""
    if value is None:
        return "?"
    return f"{value:.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.4g}"
