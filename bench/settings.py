"""Counts Blender's own settings that the command language sets, requested by their names.

    python -m bench.settings [--each 5] [--seed 1] [--by label | --by identifier] [--show] [--blender 4.5]

The requests are drawn at random: for each kind of thing (objects, their data, every modifier and constraint, physics,
materials, strips, scene and render), some properties of the manifest, each with a value that it accepts. All have one
form, "set the LABEL of THING to VALUE", with the label of Blender's user interface, or with the identifier.

    drafted   the request was understood
    named     and the snippet names exactly that property

The last row counts a setting if either the label or the identifier works.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from app.blenders.manifests import Manifests
from app.blenders.preparation import blenders_of
from app.drafting.commands import Commands
from app.drafting.commands.words import WORDS
from app.drafting.draft import NotUnderstood
from app.settings import read_settings
from harness.blenders import choose
from ingest.manifest import Manifest, Property

WAYS: Final = ("label", "identifier")
KEYWORDS: Final = frozenset(
    {"and", "but", "then", "a", "an", "on", "off", "true", "false", "yes", "no", *WORDS["passed_over"]["words"]}
    | {word for words in WORDS["prepositions"].values() for word in words}
)
"""Words with a meaning of their own in the command language."""
UNSAID: Final = frozenset({"name", "type", "rna_type", "bl_idname"})
"""Settings of nearly every type, which no request means without further words."""
THINGS: Final = {
    "Object": '"Box"', "Camera": "the camera", "PointLight": 'the light "Bulb"', "SunLight": 'the light "Sun"',
    "AreaLight": 'the light "Key"', "SpotLight": 'the light "Spot"', "TextCurve": 'the text "Title"',
    "Curve": 'the curve "Path"', "Armature": 'the armature "Rig"', "Lattice": 'the lattice "Cage"',
    "MetaBall": 'the metaball "Blob"', "Mesh": 'the mesh of "Box"', "Material": 'the material "Gold"',
    "RigidBodyObject": 'the rigid body of "Ball"', "RigidBodyWorld": "the rigid body world",
    "ClothSettings": 'the cloth of "Flag"', "SoftBodySettings": 'the soft body of "Jelly"',
    "CollisionSettings": 'the collision of "Table"', "FieldSettings": 'the force field of "Wind"',
    "ParticleSettings": 'the particle system of "Lawn"', "Collection": 'the collection "Props"',
    "Image": 'the image "Label"', "Action": 'the action "Walk"', "Bone": 'the bone "Arm" of "Rig"',
    "PoseBone": 'the pose bone "Arm" of "Rig"', "ShapeKey": 'the shape key "Smile" of "Head"',
    "World": "the world", "Scene": "the scene", "RenderSettings": "the render", "CyclesRenderSettings": "cycles",
    "SceneEEVEE": "eevee", "ColorManagedViewSettings": "the color management", "ViewLayer": "the view layer",
    "ImageFormatSettings": "the output", "UnitSettings": "the scene units", "WorldMistSettings": "the mist",
    "CameraDOFSettings": "the dof of the camera", "TextStrip": 'the text strip "Title"',
    "MovieStrip": 'the movie strip "Shot"', "SoundStrip": 'the sound strip "Music"',
    "ColorStrip": 'the color strip "Blue"',
}  # fmt: skip
"""The name of a thing of each type in a request; modifiers and constraints come from the manifest."""


@dataclass(frozen=True)
class SettingRequests:
    """Two requests for one property of a type: by its label, and by its identifier."""

    type: str
    property: str
    requests: Mapping[str, str]


def main() -> None:
    """Draft them all, and print the shares."""
    parser = argparse.ArgumentParser(description="Measure how many of Blender's settings the command language sets.")
    parser.add_argument("--each", type=int, default=5, help="properties of each type")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by", choices=WAYS, help="how the settings are named; default: both ways")
    parser.add_argument("--show", action="store_true", help="print what was not understood, or misunderstood")
    parser.add_argument("--blender")
    given = parser.parse_args()
    settings = read_settings()
    manifest = Manifests(settings.home).of(choose(blenders_of(settings), given.blender))
    asked = list(requests(manifest, given.each, random.Random(given.seed)))
    ways = [given.by] if given.by else list(WAYS)
    commands = Commands()
    ends = {way: [end_of(commands, one, way, manifest, given.show) for one in asked] for way in ways}
    print(f"{len(asked)} settings of Blender {manifest.version}   drafted  named")
    rows = {f"by {way}": found for way, found in ends.items()}
    if len(ways) > 1:
        rows["by label or identifier"] = [max(both) for both in zip(*ends.values(), strict=True)]
    for name, found in rows.items():
        print(f"{name:<34} {share(found, 1):>9.1%} {share(found, 2):>6.1%}")


def share(ends: list[int], least: int) -> float:
    return sum(end >= least for end in ends) / max(len(ends), 1)


def end_of(commands: Commands, asked: SettingRequests, way: str, manifest: Manifest, show: bool) -> int:
    """0 if the request was refused, 1 if it was drafted without that property, 2 if with it."""
    request = asked.requests[way]
    try:
        snippet = commands.draft(request, manifest).snippet
    except NotUnderstood as refusal:
        end, said = 0, refusal.reason
    else:
        right = re.search(rf"\b{asked.property}\b", snippet) is not None
        end, said = (2, "") if right else (1, "drafted without it")
    if show and said:
        print(f"{asked.type}.{asked.property}: {request}\n    {said}")
    return end


def requests(manifest: Manifest, each: int, chance: random.Random) -> Iterator[SettingRequests]:
    """Requests for some properties of every type."""
    for type_name, thing in things(manifest).items():
        known = [(prop, value) for prop in properties(manifest, type_name) if (value := value_of(prop))]
        for prop, value in chance.sample(known, min(each, len(known))):
            names = {"label": spoken(prop.label), "identifier": prop.name}
            said = {way: f"set the {names[way]} of {thing} to {value}" for way in WAYS}
            yield SettingRequests(type_name, prop.name, said)


def things(manifest: Manifest) -> dict[str, str]:
    """Types of things with settings, with the name of one of them."""
    found = {type_name: thing for type_name, thing in THINGS.items() if type_name in manifest.types}
    for family, noun in (("modifiers", "modifier"), ("constraints", "constraint")):
        for identifier, one in manifest.identifiers[family].items():
            if one.type and not identifier.startswith("GREASE_PENCIL"):
                found.setdefault(one.type, f'the {one.label.lower()} {noun} of "Box"')
    return found


def properties(manifest: Manifest, type_name: str) -> Iterator[Property]:
    """The visible properties of a type and its bases that can be set to one value."""
    for declared in manifest.lineage(type_name):
        for prop in declared.properties.values():
            unseen = prop.readonly or prop.hidden or not prop.label or prop.name in UNSAID or prop.name[:3] == "bl_"
            if not (unseen or prop.array or prop.flags or prop.name.startswith("show_")):
                yield prop


def value_of(prop: Property) -> str:
    """A value that the property accepts, in the words of a request; empty if one word cannot be one."""
    if prop.type == "BOOLEAN":
        return "off" if prop.default else "on"
    if prop.type == "ENUM" and len(prop.items) > 1:
        return spoken(prop.items[1].name or prop.items[1].identifier)
    if prop.type in {"INT", "FLOAT"}:
        low = max(prop.soft_min if prop.soft_min is not None else 0.0, 0.0)
        high = prop.soft_max if prop.soft_max is not None else 50.0
        wanted = min(max(3.0 if prop.type == "INT" else 0.5, low), high)
        return f"{int(wanted) if prop.type == 'INT' else wanted:g}"
    return ""


def spoken(name: str) -> str:
    """A label or item inside a sentence: in quotes if it is more than plain words."""
    words = name.split()
    simple = all(re.fullmatch(r"[A-Za-z][\w-]*", word) for word in words)
    plain = simple and not {word.lower() for word in words} & KEYWORDS
    return (name if name.isupper() else name.lower()) if plain else f'"{name}"'


if __name__ == "__main__":
    main()
