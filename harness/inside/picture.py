"""Frames, lights and renders the open scene: the evidence a person looks at.

The snippet's own camera and lights are used if it left some. The camera, the lamp and the cube of every new Blender
scene do not count unless the snippet changed them.
"""

from __future__ import annotations

import os
from typing import Any

import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from harness.inside import framing
from harness.protocol import ExamineJob

SKY_COLOR = (0.85, 0.92, 1.0, 1.0)
GROUND_COLOR = (0.06, 0.055, 0.05, 1.0)
BACKDROP_COLOR = (0.035, 0.042, 0.055, 1.0)
WORLD_MAP_PX = 256
"""Resolution of the importance map of a world; with Blender's own choice it takes longer than the picture."""
LAST_FRAME = 1_048_574
"""The highest frame Blender counts to, and with a minus sign the lowest."""
ENGINE_IDS = {"cycles": "CYCLES", "workbench": "BLENDER_WORKBENCH"}


def take_pictures(
    description: dict[str, Any],
    untouched: set[str],
    own_world: bool,
    job: ExamineJob,
    kept: set[str],
) -> dict[str, Any]:
    """Render every view into the job's folder as `<view>.png`, and return how. An empty scene is not rendered.

    `untouched` names the objects of a factory start that the snippet left as they were; `own_world` says that the
    world is not the factory's; `kept` names every object that is as it was before the snippet, of any start.
    """
    scene = bpy.context.scene
    shown = visible_boxes(description)
    own = {name: box for name, box in shown.items() if name not in untouched}
    solid = any(description["objects"][name].get("faces") for name in own)
    hidden = sorted(untouched & set(shown)) if own else []
    subject = own or shown
    asked = scene.render.engine
    facts: dict[str, Any] = {
        "engine_of_scene": asked,
        "subject": sorted(subject),
        "subject_is_untouched": not own,
        "subject_has_faces": solid,
        "camera_is_untouched": bool(scene.camera) and scene.camera.name in kept,
        "hidden": hidden,
    }
    if not subject:
        return {**facts, "pictures": [], "nothing_to_render": True}
    for name in hidden:
        scene.objects[name].hide_render = True
    force_settings(scene, job)
    low, high = framing.union(framing.without_floors(list(subject.values())))
    facts["lights"] = light_scene(scene, untouched, own_world)
    own_camera = scene.camera if scene.camera and scene.camera.name not in untouched else None
    facts["pictures"] = [
        take_picture(scene, view, own_camera if index == 0 else None, (low, high), job.out_folder)
        for index, view in enumerate(job.render.views)
    ]
    facts["frames"] = take_frames(scene, moving_frames(description), own_camera, (low, high), job)
    return {
        **facts,
        "engine_used": scene.render.engine,
        "size_px": job.render.size_px,
        "samples": job.render.samples if job.render.engine == "cycles" else None,
        "nothing_to_render": False,
    }


def moving_frames(description: dict[str, Any]) -> tuple[int, int] | None:
    """The first and the last frame of all movement; None if nothing moves."""
    told = [facts["animation"] for facts in description["objects"].values() if facts["animation"]]
    ranges = [animation["frame_range"] for animation in told if animation["frame_range"]]
    # A keyframe may be at no finite frame (None in the description), or outside Blender's range.
    frames = [max(-LAST_FRAME, min(frame, LAST_FRAME)) for ends in ranges for frame in ends if frame is not None]
    if frames:
        return int(min(frames)), int(max(frames))
    scene = description["scene"]
    return (scene["frame_start"], scene["frame_end"]) if told else None


def take_frames(
    scene: Any, moving: tuple[int, int] | None, camera: Any, box: tuple[list[float], list[float]], job: ExamineJob
) -> list[dict[str, Any]]:
    """A picture of each requested frame, all through one camera."""
    count = job.render.frames
    if not count or moving is None or moving[0] == moving[1]:
        return []
    first, last = moving
    camera = camera or add_camera(scene, job.render.views[0], *box)
    wanted = sorted({first + round((last - first) * place / max(1, count - 1)) for place in range(count)})
    taken: list[dict[str, Any]] = []
    for frame in wanted:
        scene.frame_set(frame)
        taken.append({**take_picture(scene, f"frame_{frame:04d}", camera, box, job.out_folder), "frame": frame})
    return taken


def visible_boxes(description: dict[str, Any]) -> dict[str, tuple[list[float], list[float]]]:
    """World boxes of the objects that a render shows, by name."""
    return {
        name: (facts["bounds"]["min"], facts["bounds"]["max"])
        for name, facts in description["objects"].items()
        if facts["bounds"] and not facts["hidden_in_render"] and is_finite(facts["bounds"]) and has_surface(facts)
    }


def has_surface(facts: dict[str, Any]) -> bool:
    """Whether there is something to render: faces of a mesh or of what it instances, or a box of some size."""
    if facts.get("faces") == 0 and not facts["has_instances"]:
        return False
    return bool(facts["bounds"]["min"] != facts["bounds"]["max"])


def is_finite(bounds: dict[str, list[float | None]]) -> bool:
    return None not in bounds["min"] and None not in bounds["max"]


def force_settings(scene: Any, job: ExamineJob) -> None:
    """Set the harness's own size, samples and engine; turn off what runs a script or writes elsewhere."""
    render, settings = scene.render, job.render
    render.engine = ENGINE_IDS[settings.engine]
    render.resolution_x = render.resolution_y = settings.size_px
    render.resolution_percentage = 100
    render.pixel_aspect_x = render.pixel_aspect_y = 1.0
    render.use_single_layer = True
    # Each stamp is also written into the PNG: dates, and paths of this machine.
    stamps = [prop.identifier for prop in render.bl_rna.properties if prop.identifier.startswith("use_stamp")]
    for name in ("use_freestyle", "use_compositing", "use_sequencer", "use_border", "use_multiview",
                 "use_motion_blur", "film_transparent", *stamps):  # fmt: skip
        setattr(render, name, False)
    image = render.image_settings
    if hasattr(image, "media_type"):
        image.media_type = "IMAGE"
    image.file_format = "PNG"
    image.color_mode = "RGB"
    image.color_depth = "8"
    for layer in scene.view_layers:
        layer.samples = 0
    if hasattr(scene, "cycles"):
        scene.cycles.time_limit = job.view_limit_s
        scene.cycles.device = "CPU"
        scene.cycles.samples = settings.samples
        scene.cycles.use_denoising = False
        scene.cycles.shading_system = False
        if scene.world:
            scene.world.cycles.sampling_method = "MANUAL"
            scene.world.cycles.sample_map_resolution = WORLD_MAP_PX
    scene.display.shading.light = "STUDIO"
    scene.display.shading.color_type = "MATERIAL"
    scene.display.shading.show_cavity = True


def light_scene(scene: Any, untouched: set[str], own_world: bool) -> str:
    """Light the scene if it has no light. Return whose light it is: `scene` or `harness`."""
    lamps = [obj for obj in scene.objects if obj.type == "LIGHT" and not obj.hide_render]
    own_lamps = any(lamp.name not in untouched for lamp in lamps)
    if own_lamps or (own_world and world_shines(scene.world)) or glows(scene):
        return "scene"
    for lamp in lamps:
        lamp.hide_render = True
    add_sun(scene, "Harness Key", 3.0, (0.81, 0.0, -0.24))
    add_sun(scene, "Harness Rim", 2.0, (1.10, 0.0, 2.55))
    light_world(scene)
    return "harness"


def world_shines(world: Any) -> bool:
    """Whether a world gives noticeable light."""
    if world is None or not world.use_nodes or world.node_tree is None:
        return world is not None and max(world.color) > 0.1
    background = next((node for node in world.node_tree.nodes if node.type == "BACKGROUND"), None)
    if background is None or background.inputs["Color"].is_linked or background.inputs["Strength"].is_linked:
        return True
    colour, strength = background.inputs["Color"].default_value, background.inputs["Strength"].default_value
    return bool(max(colour[:3]) * strength > 0.1)


def glows(scene: Any) -> bool:
    """Whether a material emits light: then the darkness around it is intended."""
    materials = {slot.material for obj in scene.objects for slot in obj.material_slots if slot.material}
    return any(
        emits(node) for material in materials if material.use_nodes and material.node_tree
        for node in material.node_tree.nodes
    )  # fmt: skip


def emits(node: Any) -> bool:
    if node.type == "EMISSION":
        return True
    strength = node.inputs.get("Emission Strength") if node.type == "BSDF_PRINCIPLED" else None
    return strength is not None and (strength.is_linked or strength.default_value > 0) and not is_black(node)


def is_black(node: Any) -> bool:
    """Blender before 4.0 has an emission strength of 1 and a black emission colour by default."""
    colour = node.inputs.get("Emission Color") or node.inputs.get("Emission")
    return colour is not None and not colour.is_linked and max(colour.default_value[:3]) == 0


def add_sun(scene: Any, name: str, energy: float, angles: tuple[float, float, float]) -> None:
    lamp = bpy.data.lights.new(name, "SUN")
    lamp.energy = energy
    # A wide sun casts soft shadows and leaves a visible highlight.
    lamp.angle = 0.5
    sun = bpy.data.objects.new(name, lamp)
    sun.rotation_euler = angles
    scene.collection.objects.link(sun)


def light_world(scene: Any) -> None:
    """A bright sky over dark ground, for light and reflections, and a plain dark backdrop for the camera alone."""
    world: Any = bpy.data.worlds.new("Harness World")
    if not world.node_tree:
        world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    nodes.clear()

    def background(color: tuple[float, float, float, float]) -> Any:
        node = nodes.new("ShaderNodeBackground")
        node.inputs["Color"].default_value = color
        return node.outputs["Background"]

    def choose(factor: Any, first: Any, second: Any) -> Any:
        node = nodes.new("ShaderNodeMixShader")
        for socket, source in zip(node.inputs, (factor, first, second), strict=True):
            links.new(source, socket)
        return node.outputs[0]

    direction = nodes.new("ShaderNodeSeparateXYZ")
    links.new(nodes.new("ShaderNodeTexCoord").outputs["Generated"], direction.inputs[0])
    surroundings = choose(direction.outputs["Z"], background(GROUND_COLOR), background(SKY_COLOR))
    is_camera = nodes.new("ShaderNodeLightPath").outputs["Is Camera Ray"]
    seen = choose(is_camera, surroundings, background(BACKDROP_COLOR))
    links.new(seen, nodes.new("ShaderNodeOutputWorld").inputs["Surface"])
    # Light this soft needs no importance map, which would take longer than the picture.
    world.cycles.sampling_method = "NONE"
    scene.world = world


def take_picture(
    scene: Any, view: str, camera: Any, box: tuple[list[float], list[float]], out_folder: str
) -> dict[str, Any]:
    """One picture, through `camera` or, without one, through a camera of our own that sees the whole box."""
    whose = "scene" if camera else "harness"
    if camera is None:
        camera = add_camera(scene, view, *box)
    scene.camera = camera
    bpy.context.view_layer.update()
    path = os.path.join(out_folder, view + ".png")
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    return {
        "view": view,
        "file": os.path.basename(path),
        "camera": whose,
        "subject_in_frame": share_in_frame(scene, camera, *box),
    }


def add_camera(scene: Any, view: str, low: list[float], high: list[float]) -> Any:
    data = bpy.data.cameras.new("Harness " + view)
    data.sensor_fit = "AUTO"
    data.angle = framing.ANGLE
    location, distance = framing.place(low, high, view)
    data.clip_start = distance / 1000
    data.clip_end = distance * 1000
    camera = bpy.data.objects.new(data.name, data)
    camera.location = location
    camera.rotation_euler = framing.rotation(view)
    scene.collection.objects.link(camera)
    return camera


def share_in_frame(scene: Any, camera: Any, low: list[float], high: list[float]) -> float:
    """Share (0 to 1) of a grid through the subject's box that lies inside the picture and in front of the camera."""
    steps = 5
    inside = 0
    for i in range(steps**3):
        parts = (i % steps, i // steps % steps, i // steps**2)
        point = Vector([a + (b - a) * part / (steps - 1) for a, b, part in zip(low, high, parts, strict=True)])
        x, y, depth = world_to_camera_view(scene, camera, point)
        inside += 0 <= x <= 1 and 0 <= y <= 1 and depth > 0
    return round(inside / steps**3, 3)
