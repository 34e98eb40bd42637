"""Frames, lights and renders the open scene: the evidence a person looks at.

The snippet's own camera and lights are used if it left some. The camera, the lamp and the cube of every new Blender
scene do not count unless the snippet changed them.
"""

from __future__ import annotations

import math
import os
import shutil
from dataclasses import dataclass
from functools import partial
from typing import Any

import bpy

from harness.inside.scene.describe import overrides
from harness.inside.scene.names import title, title_or_none, titled
from harness.inside.scene.rendered import as_rendered
from harness.inside.witness import framing
from harness.inside.witness.framing import Box, Vector3
from harness.inside.witness.light import harness_world, light_scene
from harness.inside.witness.movement import Player, moving_frames
from harness.inside.witness.outline import ObjectOutline, frame_of, instance_sources, outlines, ray_hits
from harness.inside.witness.subject import ENCLOSURE, RenderedThing, surroundings
from harness.protocol import BLANK_DEVIATION, CAMERA, FACE, VIEWS, ExamineJob

WORLD_MAP_PX = 256
"""Resolution of the importance map of a world; with Blender's own choice it takes longer than the picture."""
BRIGHTNESS = (0.299, 0.587, 0.114)
"""The brightness of red, green and blue."""
ENGINE_IDS = {"cycles": "CYCLES", "workbench": "BLENDER_WORKBENCH"}


def take_pictures(
    description: dict[str, Any],
    untouched: set[str],
    own_world: bool,
    job: ExamineJob,
    kept: set[str],
) -> dict[str, Any]:
    """Render every view into the job's folder as `<view>.png`, and return the facts about it. An empty scene is not
    rendered, and none without views.

    `untouched` names the objects of a factory start that the snippet left as they were; `own_world` is true if the
    world is not the factory's; `kept` names every object that is as it was before the snippet, of any start.
    """
    scene = bpy.context.scene
    shown = visible_boxes(description)
    own = {name: box for name, box in shown.items() if name not in untouched}
    solid = any(description["objects"][name].get("faces") for name in own)
    hidden = sorted(untouched & set(shown)) if own else []
    asked = scene.render.engine
    facts: dict[str, Any] = {
        "engine_of_scene": asked,
        "subject": sorted(own or shown),
        "surroundings": {},
        "subject_is_untouched": not own,
        "subject_has_faces": solid,
        "camera_is_untouched": title_or_none(scene.camera) in kept,
        "hidden": hidden,
    }
    if not shown or not job.render.views:
        return {**facts, "pictures": [], "nothing_to_render": True}
    objects = titled(scene.objects)
    measure = partial(measured_apart, own or shown, description)
    # Another evaluation costs as much as all modifiers.
    same = not any(differs_in_viewport(facts) for facts in description["objects"].values())
    measured, around = measure(bpy.context.evaluated_depsgraph_get()) if same else as_rendered(measure)
    facts |= {"subject": sorted(set(measured) - set(around)), "surroundings": around}
    facts["lights"] = light_scene(scene, untouched, own_world)
    if facts["lights"] == "harness":
        # The enclosure would keep the light away.
        hidden += [name for name, what in around.items() if what == ENCLOSURE]
    for name in hidden:
        objects[name].hide_render = True
    force_settings(scene, job, facts["lights"])
    shooting = Shooting(
        scene,
        scene.camera if scene.camera and title(scene.camera) not in untouched and not job.framed else None,
        PictureSubject([outline for name, outline in measured.items() if name not in around]),
        {"scene": scene.world, "harness": harness_world(scene, facts["lights"], own_world)},
        job,
    )
    if framed := job.framed:
        shooting.subject.frame(list(framed[:3]), list(framed[3:]))
    views = views_to_take(shooting)
    if CAMERA in job.render.views and not own and facts["camera_is_untouched"] and facts["lights"] == "harness":
        # A sheet of the scene before, in our light, shows nothing of the snippet.
        views = views[:1]
    (view, camera), *others = views
    first = take_picture(shooting, view, camera, job.render.size_px)
    facts["pictures"] = [first, *(take_picture(shooting, view, camera, shooting.further_px) for view, camera in others)]
    now = Moment(scene.frame_current, facts["pictures"][0]) if not scene.frame_subframe else None
    named = frames_named(job.accept)
    facts["frames"] = take_frames(shooting, moving_frames(description), named, facts["subject"], now)
    return {
        **facts,
        "engine_used": scene.render.engine,
        "size_px": job.render.size_px,
        "samples": job.render.samples if job.render.engine == "cycles" else None,
        "nothing_to_render": False,
    }


def differs_in_viewport(facts: dict[str, Any]) -> bool:
    """True if the evaluation of a viewport does not give the place of an object in a render."""
    return bool(facts["in_viewport"]) or "vertices_in_viewport" in facts


class PictureSubject:
    """The subject of the pictures."""

    def __init__(self, parts: list[ObjectOutline]) -> None:
        self.boxes = [part.box for part in parts]
        self.box = framing.union(self.boxes)
        self.reach = {view: framing.furthest([part.reach[view] for part in parts]) for view in VIEWS}

    def frame(self, low: list[float], high: list[float]) -> None:
        """Show this box instead."""
        self.box = (low, high)
        self.reach = {view: framing.reach_of(framing.corners(low, high), view) for view in VIEWS}


@dataclass(frozen=True)
class Shooting:
    """The common settings of all pictures. `worlds` are those for the snippet's camera and for the harness's."""

    scene: Any
    camera: Any
    subject: PictureSubject
    worlds: dict[str, Any]
    job: ExamineJob

    @property
    def further_px(self) -> int:
        """The edge of the pictures after the first."""
        return self.job.render.further_px or self.job.render.size_px


def measured_apart(
    boxes: dict[str, Box], description: dict[str, Any], depsgraph: Any
) -> tuple[dict[str, ObjectOutline], dict[str, str]]:
    """The outlines of the things that are shown, and the kind of each that is surroundings."""
    measured, sources = outlines(boxes, VIEWS, depsgraph), instance_sources(depsgraph)
    kinds = {name: description["objects"][name]["type"] for name in measured}
    things = {name: RenderedThing(outline.box, kinds[name], name in sources) for name, outline in measured.items()}
    objects = titled(bpy.context.scene.objects)

    def hits(name: str, origin: Vector3, direction: Vector3) -> bool:
        return ray_hits(objects[name], depsgraph, origin, direction)

    return measured, surroundings(things, hits)


def views_to_take(shooting: Shooting) -> list[tuple[str, Any]]:
    """The views with the camera of each; None for one of the harness's own.

    The snippet's camera takes the view of its own if one is asked for, otherwise the place of the first.
    """
    views, box = shooting.job.render.views, shooting.subject.box
    if CAMERA not in views:
        first, *others = named(views, box)
        return [(first, shooting.camera), *((view, None) for view in others)]
    others = named(tuple(view for view in views if view != CAMERA), box)
    if shooting.camera:
        return [(CAMERA, shooting.camera), *((view, None) for view in others)]
    return [(view, None) for view in others or VIEWS[:1]]


def named(views: tuple[str, ...], box: Box) -> list[str]:
    """The sides that the views stand for, each once."""
    return list(dict.fromkeys(framing.face(box) if view == FACE else view for view in views))


def frames_named(checks: list[dict[str, Any]]) -> list[int]:
    """The frames of acceptance checks, in order: their part of a request can be seen there alone."""
    told = [check["frame"] for check in checks if "frame" in check]
    told += [frame for check in checks for keyframe in check.get("keyframes", []) for frame in keyframe["frames"]]
    return sorted({int(frame) for frame in told})


def frames_to_take(first: int, last: int, named: list[int], count: int) -> list[int]:
    """`count` frames: the named ones, or a selection of too many from the first to the last; then others in between."""
    if len(named) > count:
        return sorted({named[round((len(named) - 1) * place / max(1, count - 1))] for place in range(count)})
    spread = [first + round((last - first) * place / max(1, count - 1)) for place in range(count)]
    others = sorted((frame for frame in spread if frame not in named), key=lambda frame: frame not in (first, last))
    return sorted({*named, *others[: count - len(named)]})


@dataclass(frozen=True)
class Moment:
    """The frame at which the views were taken, and the first picture of them."""

    frame: int
    picture: dict[str, Any]


def take_frames(
    shooting: Shooting, moving: tuple[int, int] | None, named: list[int], names: list[str], now: Moment | None
) -> list[dict[str, Any]]:
    """A picture of each requested frame, all through one camera, with the places of the named objects that have moved.

    The picture of the current frame is not rendered again, unless the scene is simulated. If it shows nothing and no
    frame was requested, the middle one is taken: a thing that fades in is dark at first.
    """
    count = shooting.job.render.frames
    if moving is None or moving[0] == moving[1]:
        return []
    first, last = moving
    if not count and now and is_blank(os.path.join(shooting.job.out_folder, now.picture["file"])):
        count, named = 1, [(first + last) // 2]
    if not count:
        return []
    view, camera = views_to_take(shooting)[0]
    camera = camera or add_camera(shooting, view)
    taken: list[dict[str, Any]] = []
    player = Player(shooting.scene, names)
    if player.simulated:
        # A simulation is played from its first frame, whichever are shown; the views were taken without playing.
        player.go_to(first)
        player.moved()
        now = None
    for frame in frames_to_take(first, last, named, count):
        reached = player.go_to(frame)
        if taken and taken[-1]["frame"] == reached:
            break
        title = f"frame_{reached:04d}"
        picture = (
            copy_of(now, title, shooting)
            if now and now.frame == reached
            else take_picture(shooting, title, camera, shooting.further_px)
        )
        taken.append({**picture, "frame": reached, "moved": player.moved()})
    return taken


def is_blank(path: str) -> bool:
    """True if a picture has hardly anything to see; False if there is no numpy to measure it."""
    try:
        import numpy
    except ImportError:
        return False
    image = bpy.data.images.load(path)
    pixels = numpy.empty(len(image.pixels), dtype=numpy.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return bool((pixels.reshape(-1, 4)[:, :3] @ BRIGHTNESS).std() * 255 < BLANK_DEVIATION)


def copy_of(now: Moment, view: str, shooting: Shooting) -> dict[str, Any]:
    """The first picture under another name; it is of this frame and through the same camera."""
    folder = shooting.job.out_folder
    shutil.copyfile(os.path.join(folder, now.picture["file"]), os.path.join(folder, view + ".png"))
    return {**now.picture, "view": view, "file": view + ".png"}


def visible_boxes(description: dict[str, Any]) -> dict[str, Box]:
    """World boxes of the objects that a render shows, by name."""
    return {
        name: (facts["bounds"]["min"], facts["bounds"]["max"])
        for name, facts in description["objects"].items()
        if facts["bounds"] and not facts["hidden_in_render"] and is_finite(facts["bounds"]) and has_surface(facts)
    }


def has_surface(facts: dict[str, Any]) -> bool:
    """True if there is something to render: faces of a mesh or of its instances, or a box of some size."""
    if facts.get("faces") == 0 and not facts["has_instances"]:
        return False
    return bool(facts["bounds"]["min"] != facts["bounds"]["max"])


def is_finite(bounds: dict[str, list[float | None]]) -> bool:
    return None not in bounds["min"] and None not in bounds["max"]


def force_settings(scene: Any, job: ExamineJob, lights: str) -> None:
    """Set the harness's own size, samples and engine; turn off everything that runs a script or writes elsewhere."""
    render, settings = scene.render, job.render
    render.engine = ENGINE_IDS[settings.engine]
    render.resolution_percentage = 100
    render.pixel_aspect_x = render.pixel_aspect_y = 1.0
    render.use_single_layer = True
    # Each stamp is also written into the PNG: dates, and paths of this machine.
    stamps = [prop.identifier for prop in render.bl_rna.properties if prop.identifier.startswith("use_stamp")]
    for name in ("use_freestyle", "use_compositing", "use_sequencer", "use_border", "use_multiview",
                 "use_motion_blur", "film_transparent", *stamps):  # fmt: skip
        setattr(render, name, False)
    # The next picture is of the same scene, so Cycles keeps its data.
    render.use_persistent_data = True
    image = render.image_settings
    if hasattr(image, "media_type"):
        image.media_type = "IMAGE"
    image.file_format = "PNG"
    image.color_mode = "RGB"
    image.color_depth = "8"
    # The background set is not examined.
    scene.background_set = None
    # A marker may bind another camera, and an animation set what is set here.
    scene.timeline_markers.clear()
    scene.animation_data_clear()
    for layer in scene.view_layers:
        layer.samples = 0
        for name in overrides(layer):
            setattr(layer, name, None)
    if hasattr(scene, "cycles"):
        scene.cycles.time_limit = job.view_limit_s
        scene.cycles.device = "CPU"
        scene.cycles.samples = settings.samples
        scene.cycles.use_denoising = False
        scene.cycles.shading_system = False
        if lights == "harness" and hasattr(scene.cycles, "use_light_tree"):
            # With a sun or two it costs a tenth of the time for nothing.
            scene.cycles.use_light_tree = False
        if scene.world and lights == "scene":
            scene.world.cycles.sampling_method = "MANUAL"
            scene.world.cycles.sample_map_resolution = WORLD_MAP_PX
    scene.display.shading.light = "STUDIO"
    scene.display.shading.color_type = "MATERIAL"
    scene.display.shading.show_cavity = True


def take_picture(shooting: Shooting, view: str, camera: Any, size_px: int) -> dict[str, Any]:
    """One picture, through `camera` or, without one, through a camera of our own that sees the whole subject."""
    scene, whose = shooting.scene, "scene" if camera and camera == shooting.camera else "harness"
    scene.camera = camera or add_camera(shooting, view)
    scene.world = shooting.worlds[whose]
    bpy.context.view_layer.update()
    path = os.path.join(shooting.job.out_folder, view + ".png")
    scene.render.filepath = path
    scene.render.resolution_x = scene.render.resolution_y = size_px
    bpy.ops.render.render(write_still=True)
    share, filled = frame_of(scene, scene.camera, shooting.subject.boxes)
    return {
        "view": view,
        "file": os.path.basename(path),
        "size_px": size_px,
        "camera": whose,
        # The subject of a camera of ours is in its picture, though corners of boxes around it may not be.
        "subject_in_frame": share if camera else 1.0,
        "frame_filled": filled,
    }


def add_camera(shooting: Shooting, view: str) -> Any:
    subject = shooting.subject
    data = bpy.data.cameras.new("Harness " + view)
    data.sensor_fit = "AUTO"
    data.angle = framing.ANGLE
    location = framing.place(subject.reach[view], view)
    distance = math.dist(location, framing.centre(subject.box))
    data.clip_start = distance / 1000
    data.clip_end = distance * 1000
    camera = bpy.data.objects.new(data.name, data)
    camera.location = location
    camera.rotation_euler = framing.rotation(view)
    shooting.scene.collection.objects.link(camera)
    return camera
