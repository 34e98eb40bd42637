"""The situations in which an add-on is used: one rich scene, in which an object of each kind is active in its modes.

A Blender without a window has editors all the same: an area of its screen shows the editor that a situation wants.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import bpy

VIEW: Final = "VIEW_3D"
PROPERTIES: Final = "PROPERTIES"
NODES: Final = "NODE_EDITOR"
EDITORS: Final = {
    NODES: "ShaderNodeTree", "FILE_BROWSER": "FILES", "GRAPH_EDITOR": "FCURVES", "DOPESHEET_EDITOR": "DOPESHEET",
    "TOPBAR": VIEW, "STATUSBAR": VIEW, "EMPTY": VIEW,
}  # fmt: skip
"""The editor to show per type of a space, if it has another name."""


@dataclass(frozen=True)
class Situation:
    """An active object by its name, its mode, the editor that is shown, and the name of its node tree."""

    name: str
    active: str = "Cube"
    mode: str = "OBJECT"
    editor: str = VIEW
    others: tuple[str, ...] = ()
    """Further objects that are selected."""

    @property
    def space(self) -> str:
        """The type of the space that the editor has."""
        spaces = {ui: space for space, ui in EDITORS.items()} | {VIEW: VIEW, "UV": "IMAGE_EDITOR"}
        return NODES if self.editor.endswith("NodeTree") else spaces.get(self.editor, self.editor)


SITUATIONS: Final = (
    Situation("object mode"),
    Situation("edit mode of a mesh", mode="EDIT"),
    Situation("two meshes", others=("Ball",)),
    Situation("edit mode of an armature", "Armature", "EDIT"),
    Situation("pose mode", "Armature", "POSE"),
    Situation("edit mode of a curve", "Curve", "EDIT"),
    Situation("a curve", "Curve"),
    Situation("a text object", "Text"),
    Situation("grease pencil", "Drawing"),
    Situation("edit mode of grease pencil", "Drawing", "EDIT"),
    Situation("weight paint", mode="WEIGHT_PAINT"),
    Situation("vertex paint", mode="VERTEX_PAINT"),
    Situation("sculpt mode", mode="SCULPT"),
    Situation("a camera", "Camera"),
    Situation("a light", "Light"),
    Situation("an empty", "Empty"),
    Situation("nothing selected", ""),
    Situation("nodes of a material", editor="ShaderNodeTree"),
    Situation("geometry nodes", editor="GeometryNodeTree"),
    Situation("compositor", editor="CompositorNodeTree"),
    Situation("sequencer", editor="SEQUENCE_EDITOR"),
    Situation("text editor", editor="TEXT_EDITOR"),
    Situation("image editor", editor="IMAGE_EDITOR"),
    Situation("UV editor", mode="EDIT", editor="UV"),
    Situation("dope sheet", editor="DOPESHEET"),
    Situation("graph editor", editor="FCURVES"),
)
FEW: Final = SITUATIONS[:2]


def save_rich_scene(folder: str) -> str:
    """Save a scene with an object of each kind, made from the one that is open; returns its path."""
    path = os.path.join(folder, "rich.blend")
    for part in PARTS:
        # A build that lacks one kind of data has the others.
        with contextlib.suppress(Exception):
            part()
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True, check_existing=False)
    return path


def linked(name: str, data: Any, place: tuple[float, float, float]) -> Any:
    """A new object in the scene."""
    made = bpy.data.objects.new(name, data)
    made.location = place
    bpy.context.scene.collection.objects.link(made)
    return made


def enrich_cube() -> None:
    """Give the cube a vertex group, a colour attribute, keys of its location, and an image in its material."""
    cube = bpy.data.objects["Cube"]
    cube.vertex_groups.new(name="Group").add(range(4), 1.0, "REPLACE")
    cube.data.color_attributes.new("Color", "FLOAT_COLOR", "POINT")
    for frame in (1, 25):
        cube.keyframe_insert("location", frame=frame)
    image = bpy.data.images.new("Image", 64, 64)
    nodes = cube.active_material.node_tree.nodes
    nodes.new("ShaderNodeTexImage").image = image


def add_ball() -> None:
    bpy.ops.mesh.primitive_uv_sphere_add(segments=8, ring_count=6, location=(3, 0, 0))
    bpy.context.object.name = "Ball"


def add_armature() -> None:
    """Add an armature with two bones that are connected."""
    armature = linked("Armature", bpy.data.armatures.new("Armature"), (0, 3, 0))
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    first, second = (armature.data.edit_bones.new(name) for name in ("Bone", "Bone.001"))
    first.tail = second.head = (0, 0, 1)
    second.tail = (0, 0, 2)
    second.parent, second.use_connect = first, True
    bpy.ops.object.mode_set(mode="OBJECT")


def add_curve() -> None:
    curve = bpy.data.curves.new("Curve", "CURVE")
    curve.dimensions = "3D"
    curve.splines.new("BEZIER").bezier_points.add(1)
    for number, point in enumerate(curve.splines[0].bezier_points):
        point.co, point.handle_left, point.handle_right = (number, 0, 0), (number, -1, 0), (number, 1, 0)
    linked("Curve", curve, (-3, 0, 0))


def add_others() -> None:
    linked("Text", bpy.data.curves.new("Text", "FONT"), (0, -3, 0)).data.body = "Text"
    linked("Empty", None, (-3, 3, 0))


def add_drawing() -> None:
    """Add a grease pencil object with one stroke."""
    kind = "STROKE" if bpy.app.version >= (4, 3, 0) else None
    if kind:
        bpy.ops.object.grease_pencil_add(type=kind)
    else:
        bpy.ops.object.gpencil_add(type="STROKE")
    bpy.context.object.name = "Drawing"


def add_trees() -> None:
    """Add node groups: one of geometry, which a modifier of the cube has, and one of the compositor."""
    group = bpy.data.node_groups.new("Geometry Nodes", "GeometryNodeTree")
    if hasattr(group, "interface"):
        for way in ("INPUT", "OUTPUT"):
            group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    else:
        group.inputs.new("NodeSocketGeometry", "Geometry")
        group.outputs.new("NodeSocketGeometry", "Geometry")
    start, end = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
    group.links.new(start.outputs[0], end.inputs[0])
    bpy.data.objects["Cube"].modifiers.new("GeometryNodes", "NODES").node_group = group


def add_compositor() -> None:
    scene = bpy.context.scene
    if hasattr(scene, "compositing_node_group"):
        tree = bpy.data.node_groups.new("Compositing", "CompositorNodeTree")
        tree.nodes.new("CompositorNodeRLayers")
        scene.compositing_node_group = tree
    else:
        scene.use_nodes = True


def add_strips() -> None:
    editor = bpy.context.scene.sequence_editor_create()
    strips = editor.strips if hasattr(editor, "strips") else editor.sequences
    length = "length" if bpy.app.version >= (5, 0, 0) else "frame_end"
    strip = strips.new_effect(name="Color", type="COLOR", channel=1, frame_start=1, **{length: 25})
    strip.select, editor.active_strip = True, strip


def add_text() -> None:
    bpy.data.texts.new("Text").write("import bpy\nprint(bpy.app.version)\n")


SELECT_ALL: Final[dict[str, Any]] = {
    "MESH": bpy.ops.mesh.select_all,
    "ARMATURE": bpy.ops.armature.select_all,
    "CURVE": bpy.ops.curve.select_all,
    "POSE": bpy.ops.pose.select_all,
}
"""The operator that selects all of an object's parts, by its type or the mode."""
PARTS: Final[tuple[Callable[[], None], ...]] = (
    enrich_cube, add_ball, add_armature, add_curve, add_others, add_drawing, add_trees, add_compositor, add_strips,
    add_text,
)  # fmt: skip


def enter(situation: Situation, scene: str) -> None:
    """Open the scene anew, and bring it into this situation. Raises RuntimeError if this build does not know it."""
    bpy.ops.wm.open_mainfile(filepath=scene, load_ui=False)
    objects = bpy.context.view_layer.objects
    for thing in objects:
        thing.select_set(thing.name in (situation.active, *situation.others))
    objects.active = objects.get(situation.active)
    if situation.active and objects.active is None:
        raise RuntimeError(f"no {situation.active}")
    if situation.mode != "OBJECT":
        mode = situation.mode
        if mode == "EDIT" and objects.active.type == "GPENCIL":
            mode = "EDIT_GPENCIL"
        with showing(VIEW):
            bpy.ops.object.mode_set(mode=mode)
            kind = "POSE" if mode == "POSE" else objects.active.type
            if select_all := SELECT_ALL.get(kind):
                select_all(action="SELECT")
            if kind == "POSE":
                objects.active.data.bones.active = objects.active.data.bones[0]


def showing(editor: str, region: str = "WINDOW") -> Any:
    """A context in which the largest area of the screen shows this editor. Raises RuntimeError if there is none."""
    windows = bpy.context.window_manager.windows
    if not windows:
        raise RuntimeError("no screen")
    area = max(windows[0].screen.areas, key=lambda area: area.width * area.height)
    if area.ui_type != editor:
        area.ui_type = editor
    with contextlib.suppress(Exception):
        show_data(area.spaces.active, editor)
    regions = {each.type: each for each in reversed(area.regions)}
    return bpy.context.temp_override(window=windows[0], area=area, region=regions.get(region) or regions["WINDOW"])


def show_data(space: Any, editor: str) -> None:
    """Show the scene's own data of its kind in an editor."""
    if editor == "SEQUENCE_EDITOR" and hasattr(bpy.context.workspace, "sequencer_scene"):
        bpy.context.workspace.sequencer_scene = bpy.context.scene
    elif editor == "TEXT_EDITOR":
        space.text = bpy.data.texts["Text"]
    elif editor in ("IMAGE_EDITOR", "UV"):
        space.image = bpy.data.images["Image"]
    elif editor == "GeometryNodeTree":
        space.node_tree = bpy.data.node_groups["Geometry Nodes"]
    elif editor == "CompositorNodeTree":
        scene = bpy.context.scene
        space.node_tree = getattr(scene, "compositing_node_group", None) or scene.node_tree
    elif editor == "ShaderNodeTree":
        space.node_tree = bpy.data.objects["Cube"].active_material.node_tree
    if editor.endswith("NodeTree"):
        for node in space.node_tree.nodes:
            node.select = True
        space.node_tree.nodes.active = space.node_tree.nodes[0]
