"""How many of Blender's own settings the composer sets, asked for in plain words.

    python -m bench.settings [--each 5] [--seed 1] [--show] [--blender 4.5]

The requests are not written by anybody: for each kind of thing (objects, their data, every modifier and constraint,
physics, materials, strips, scene and render) some of its properties are drawn from the manifest, each with a value that
it takes, and put into one of the wordings below, by the label that Blender's user interface shows.

    drafted   the composer covered the request
    named     and the snippet speaks of that very property
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.blenders import blenders_of
from app.drafting.composer import Composer
from app.drafting.composer.lexicon import Lexicon
from app.drafting.draft import NotUnderstood
from app.manifests import Manifests
from app.settings import read_settings
from harness.blenders import choose
from ingest.manifest import Property

THINGS: Final = {
    "Object": '"Box"', "Camera": "the camera", "PointLight": 'the light "Bulb"', "SunLight": 'the sun "Sun"',
    "AreaLight": 'the area light "Key"', "SpotLight": 'the spot light "Spot"', "TextCurve": 'the text "Title"',
    "Curve": 'the curve "Path"', "Armature": 'the armature "Rig"', "Lattice": 'the lattice "Cage"',
    "MetaBall": 'the metaball "Blob"', "Mesh": 'the mesh of "Box"', "Material": 'the material "Gold"',
    "RigidBodyObject": 'the rigid body of "Ball"', "RigidBodyWorld": "the rigid body world",
    "ClothSettings": 'the cloth of "Flag"', "ClothCollisionSettings": 'the cloth of "Flag"',
    "EffectorWeights": 'the cloth of "Flag"', "SoftBodySettings": 'the soft body of "Jelly"',
    "CollisionSettings": 'the collision of "Table"', "FieldSettings": 'the force field of "Wind"',
    "ParticleSettings": 'the particle system of "Lawn"', "FluidDomainSettings": 'the fluid domain "Tank"',
    "FluidFlowSettings": 'the fluid flow "Tap"', "FluidEffectorSettings": 'the fluid effector "Wall"',
    "DynamicPaintBrushSettings": 'the dynamic paint brush "Foot"',
    "DynamicPaintSurface": 'the dynamic paint canvas "Mud"', "Collection": 'the collection "Props"',
    "Image": 'the image "Label"', "Action": 'the action "Walk"', "NlaStrip": 'the NLA strip "Walk" of "Rig"',
    "Bone": 'the bone "Arm" of "Rig"', "PoseBone": 'the pose bone "Arm" of "Rig"',
    "ShapeKey": 'the shape key "Smile" of "Head"', "World": "the world", "Scene": "the scene",
    "RenderSettings": "the render", "CyclesRenderSettings": "cycles", "SceneEEVEE": "eevee",
    "ColorManagedViewSettings": "the color management", "ViewLayer": "the view layer",
    "ImageFormatSettings": "the output", "FFmpegSettings": "the video output", "UnitSettings": "the scene units",
    "WorldMistSettings": "the mist", "CameraDOFSettings": "the depth of field of the camera",
    "FreestyleSettings": "freestyle", "TextStrip": 'the text strip "Title"', "MovieStrip": 'the movie strip "Shot"',
    "SoundStrip": 'the sound strip "Music"', "ColorStrip": 'the color strip "Blue"',
    "GreasePencilLayer": 'the layer "Lines" of the grease pencil "Sketch"',
}  # fmt: skip
"""What a thing of each type is called in a request; modifiers and constraints come from the manifest."""

SETTING: Final = (
    "set {label} of {thing} to {value}", "{thing}: {label} {value}", "{label} {value} on {thing}",
    "change the {label} on {thing} to {value}",
)  # fmt: skip
WORDINGS: Final = {
    "number": (*SETTING, "{thing} should have a {label} of {value}", "make {label} {value} for {thing}"),
    "item": (*SETTING, "{thing} should use {value} as {label}"),
    "switch": ("turn on {label} for {thing}", "{thing}: {label} on", "enable {label} on {thing}",
               "{thing} should have {label} enabled", "disable {label} of {thing}", "switch off {label} for {thing}"),
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """A request for one property of a type."""

    type: str
    property: str
    request: str


def main() -> None:
    """Draft them all, and print the shares."""
    parser = argparse.ArgumentParser(description="Measure how many of Blender's settings the composer sets.")
    parser.add_argument("--each", type=int, default=5, help="properties of each type")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what was not understood, or understood otherwise")
    parser.add_argument("--blender")
    given = parser.parse_args()
    settings = read_settings()
    manifest = Manifests(settings.home).of(choose(blenders_of(settings), given.blender))
    composer = Composer()
    asked = list(requests(composer.lexicon(manifest), given.each, random.Random(given.seed)))
    drafted = named = 0
    for one in asked:
        try:
            snippet = composer.draft(one.request, manifest).snippet
        except NotUnderstood as refusal:
            said = refusal.reason
        else:
            drafted += 1
            right = re.search(rf"\b{one.property}\b", snippet) is not None
            named += right
            said = "" if right else "drafted without it"
        if given.show and said:
            print(f"{one.type}.{one.property}: {one.request}\n    {said}")
    total = len(asked)
    print(f"{total} settings of Blender {manifest.version}: {drafted / total:.1%} drafted, {named / total:.1%} named")


def requests(lexicon: Lexicon, each: int, chance: random.Random) -> Iterator[Asked]:
    """A request for some properties of every type there is."""
    for type_name, thing in things(lexicon).items():
        known = [prop for prop in lexicon.properties(type_name) if may_be_asked(prop) and taken(prop)]
        for prop in chance.sample(known, min(each, len(known))):
            kind, value = taken(prop)[0]
            wording = chance.choice(WORDINGS[kind])
            yield Asked(type_name, prop.name, wording.format(label=spoken(prop.label), thing=thing, value=value))


def things(lexicon: Lexicon) -> dict[str, str]:
    """Types of things with settings, and what one of them is called."""
    manifest = lexicon.manifest
    found = {type_name: thing for type_name, thing in THINGS.items() if type_name in manifest.types}
    for family in ("modifiers", "constraints"):
        for identifier, one in manifest.identifiers[family].items():
            if one.type and not identifier.startswith("GREASE_PENCIL"):
                found.setdefault(one.type, f'the {one.label.lower()} {family.removesuffix("s")} of "Box"')
    return found


def may_be_asked(prop: Property) -> bool:
    """Whether a user sees the property and can set it with one value."""
    return not (prop.readonly or prop.hidden or prop.array or prop.flags or prop.name.startswith("show_")) and bool(
        prop.label
    )


def taken(prop: Property) -> list[tuple[str, str]]:
    """A value that the property takes, with the kind of wording for it; nothing where one word is none."""
    if prop.type == "BOOLEAN":
        return [("switch", "")]
    if prop.type == "ENUM" and len(prop.items) > 1:
        return [("item", prop.items[1].name)]
    if prop.type in {"INT", "FLOAT"}:
        low = max(prop.soft_min if prop.soft_min is not None else 0.0, 0.0)
        high = prop.soft_max if prop.soft_max is not None else 50.0
        wanted = min(max(3.0 if prop.type == "INT" else 0.5, low), high)
        return [("number", f"{int(wanted) if prop.type == 'INT' else wanted:g}")]
    return []


def spoken(label: str) -> str:
    """A label as people write it inside a sentence."""
    return label if label.isupper() else label.lower()


if __name__ == "__main__":
    main()
