"""Draw strokes with Grease Pencil.

Asked as: create a grease pencil object in python; add strokes and points to a grease pencil layer; draw lines in 3D;
filled grease pencil shape
"""

from math import cos, sin, tau
from typing import Any

import bpy

NAME = "Star Drawing"
POINTS = 5


def pen(name: str, line: tuple[float, ...], fill: tuple[float, ...]) -> bpy.types.Material:
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if not material.is_grease_pencil:
        bpy.data.materials.create_gpencil_data(material)
    style = material.grease_pencil
    assert style is not None
    style.color = line
    style.show_fill = True
    style.fill_color = fill
    return material


def star() -> list[tuple[float, float, float]]:
    """The corners of a star that stands upright, around the origin."""
    angles = [tau * index / (2 * POINTS) for index in range(2 * POINTS)]
    radii = [1.5, 0.65] * POINTS
    return [(radius * sin(angle), 0.0, radius * cos(angle)) for radius, angle in zip(radii, angles, strict=True)]


def draw_before_43(layer: Any) -> None:
    """Draw on the first frame of a layer as Blender did before 4.3."""
    frame = layer.frames[0] if layer.frames else layer.frames.new(1)
    frame.clear()
    corners = star()
    stroke = frame.strokes.new()
    stroke.use_cyclic = True
    stroke.line_width = 60
    stroke.points.add(len(corners))
    for point, corner in zip(stroke.points, corners, strict=True):
        point.co = corner


def draw(data: Any) -> None:
    """Draw on the first frame of the layer, in place of what is there."""
    layer = data.layers.get("Lines") or data.layers.new("Lines")
    if not hasattr(layer, "get_frame_at"):
        draw_before_43(layer)
        return
    drawing = (layer.get_frame_at(1) or layer.frames.new(1)).drawing
    drawing.remove_strokes()
    corners = star()
    drawing.add_strokes([len(corners)])
    stroke = drawing.strokes[0]
    stroke.cyclic = True
    for point, corner in zip(stroke.points, corners, strict=True):
        point.position = corner
        point.radius = 0.03
        point.opacity = 1.0


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    # Blender 4.3 to 4.5 have the grease pencils of before there, as annotations.
    kept: Any = getattr(bpy.data, "grease_pencils_v3", bpy.data.grease_pencils)
    data = kept.get(NAME) or kept.new(NAME)
    ink = pen("Star Ink", (0.02, 0.02, 0.1, 1.0), (0.95, 0.7, 0.1, 1.0))
    if ink.name not in data.materials:
        data.materials.append(ink)
    draw(data)
    drawing = bpy.data.objects.get(NAME) or bpy.data.objects.new(NAME, data)
    if drawing.name not in scene.objects:
        scene.collection.objects.link(drawing)


main()
