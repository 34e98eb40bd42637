"""Lights the open scene if the snippet left no light: bright, soft and neutral, so that every surface reads."""

from __future__ import annotations

from typing import Any

import bpy

from harness.inside.scene.names import title
from harness.inside.witness.materials import shines

BACKDROP = (0.42, 0.42, 0.42)
"""The backdrop that the camera sees: bright enough for dark things, and darker than the sides of white ones."""
SKY, HORIZON, FLOOR = (0.73, 0.75, 0.78), (0.2, 0.2, 0.21), (0.34, 0.33, 0.31)
"""The light on the subject, which is mirrored in it. The dark horizon gives an edge to metal and to glass."""
SUNS = {"Harness Key": (1.5, (0.95, 0.0, -0.5)), "Harness Fill": (0.5, (0.9, 0.0, 1.25))}
"""Strength, and turn from straight above, of each."""
BESIDE_A_GLOW = 0.3
"""Share of our light beside a thing that emits light itself: the rest stays visible, and the glow is brighter."""
SUN_ANGLE = 0.4
"""A wide sun casts soft shadows and leaves a visible highlight."""
TRUE_COLOURS = "Standard"
NEW_SCENE_VIEWS = {"AgX", "Filmic"}
"""The view transforms of a new scene, by release. Under even light they only pale the colours."""


def light_scene(scene: Any, untouched: set[str], own_world: bool) -> str:
    """Light the scene if it has no light. Answers the owner of the light: `scene` or `harness`."""
    lamps = [obj for obj in scene.objects if obj.type == "LIGHT" and not obj.hide_render]
    own_lamps = any(title(lamp) not in untouched for lamp in lamps)
    glow = glows(scene)
    # A dark world of the snippet's own around a glow is intended; that of every new scene is not.
    if own_lamps or (own_world and (glow or world_shines(scene.world))):
        return "scene"
    share = BESIDE_A_GLOW if glow else 1.0
    for lamp in lamps:
        lamp.hide_render = True
    for name, (energy, angles) in SUNS.items():
        add_sun(scene, name, energy * share, angles)
    scene.world = studio(share)
    if scene.view_settings.view_transform in NEW_SCENE_VIEWS:
        scene.view_settings.view_transform = TRUE_COLOURS
    return "harness"


def harness_world(scene: Any, lights: str, own_world: bool) -> Any:
    """The world for the harness's cameras: with our backdrop, unless the darkness of the scene is intended."""
    if lights == "harness" or own_world or scene.world is None or glows(scene):
        return scene.world
    return before_backdrop(scene.world)


def world_shines(world: Any) -> bool:
    """True if a world gives noticeable light."""
    if world is None or not world.use_nodes or world.node_tree is None:
        return world is not None and max(world.color) > 0.1
    background = next((node for node in world.node_tree.nodes if node.type == "BACKGROUND"), None)
    if background is None or background.inputs["Color"].is_linked or background.inputs["Strength"].is_linked:
        return True
    colour, strength = background.inputs["Color"].default_value, background.inputs["Strength"].default_value
    return bool(max(colour[:3]) * strength > 0.1)


def glows(scene: Any) -> bool:
    """True if a material emits light."""
    return any(map(shines, {slot.material for obj in scene.objects for slot in obj.material_slots}))


def add_sun(scene: Any, name: str, energy: float, angles: tuple[float, float, float]) -> None:
    lamp = bpy.data.lights.new(name, "SUN")
    lamp.energy = energy
    lamp.angle = SUN_ANGLE
    sun = bpy.data.objects.new(name, lamp)
    sun.rotation_euler = angles
    scene.collection.objects.link(sun)


def studio(share: float) -> Any:
    """A world of sky, horizon and floor, with a plain backdrop for the camera, also behind glass; `share` dims it."""
    world = new_world()
    nodes, links = world.node_tree.nodes, world.node_tree.links
    separate, ramp = nodes.new("ShaderNodeSeparateXYZ"), nodes.new("ShaderNodeValToRGB")
    links.new(nodes.new("ShaderNodeTexCoord").outputs["Generated"], separate.inputs[0])
    half = nodes.new("ShaderNodeMath")
    half.operation = "MULTIPLY_ADD"
    half.inputs[1].default_value = half.inputs[2].default_value = 0.5
    links.new(separate.outputs["Z"], half.inputs[0])
    links.new(half.outputs[0], ramp.inputs[0])
    stops = ramp.color_ramp.elements
    stops[0].color, stops[1].color = (*FLOOR, 1.0), (*SKY, 1.0)
    stops[1].position = 0.8
    for position, color in ((0.46, FLOOR), (0.5, HORIZON), (0.56, HORIZON)):
        stops.new(position).color = (*color, 1.0)
    path, seen = nodes.new("ShaderNodeLightPath"), nodes.new("ShaderNodeMath")
    seen.operation = "MAXIMUM"
    links.new(path.outputs["Is Camera Ray"], seen.inputs[0])
    links.new(path.outputs["Is Transmission Ray"], seen.inputs[1])
    put_before_backdrop(world, ramp.outputs["Color"], seen.outputs[0], share)
    return world


def before_backdrop(world: Any) -> Any:
    """A world that gives the plain light of a new scene's own, with our backdrop for the camera."""
    made = new_world()
    nodes = made.node_tree.nodes
    colour = nodes.new("ShaderNodeRGB")
    colour.outputs[0].default_value = (*world.color, 1.0)
    put_before_backdrop(made, colour.outputs[0], nodes.new("ShaderNodeLightPath").outputs["Is Camera Ray"])
    return made


def new_world() -> Any:
    """A world with an empty node tree."""
    world: Any = bpy.data.worlds.new("Harness World")
    if not world.node_tree:
        world.use_nodes = True
    world.node_tree.nodes.clear()
    # Light this soft needs no importance map, which would take longer than the picture.
    world.cycles.sampling_method = "NONE"
    return world


def put_before_backdrop(world: Any, colour: Any, seen: Any, share: float = 1.0) -> None:
    """Link this colour as the light of a world, and the backdrop for the rays for which `seen` is 1.

    Both have this share of their strength.
    """
    nodes, links = world.node_tree.nodes, world.node_tree.links
    light, plain, choice = (nodes.new(f"ShaderNode{kind}") for kind in ("Background", "Background", "MixShader"))
    for background in (light, plain):
        background.inputs["Strength"].default_value = share
    links.new(colour, light.inputs["Color"])
    plain.inputs["Color"].default_value = (*BACKDROP, 1.0)
    for socket, source in zip(choice.inputs, (seen, light.outputs[0], plain.outputs[0]), strict=True):
        links.new(source, socket)
    links.new(choice.outputs[0], nodes.new("ShaderNodeOutputWorld").inputs["Surface"])
