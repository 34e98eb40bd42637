"""Draw strokes with Grease Pencil.

Asked as: create a grease pencil object in python; add strokes and points to a grease pencil layer; draw lines in 3D;
filled grease pencil shape
"""

from math import cos, sin, tau

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


def draw(data: bpy.types.GreasePencil) -> None:
    """Draw on the first frame of the layer, in place of what is there. This is how Blender 5.0 and later do it."""
    layer = data.layers.get("Lines") or data.layers.new("Lines")
    frame = layer.get_frame_at(1) or layer.frames.new(1)
    drawing = frame.drawing
    assert drawing is not None
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
    data = bpy.data.grease_pencils.get(NAME) or bpy.data.grease_pencils.new(NAME)
    ink = pen("Star Ink", (0.02, 0.02, 0.1, 1.0), (0.95, 0.7, 0.1, 1.0))
    if ink.name not in data.materials:
        data.materials.append(ink)
    draw(data)
    drawing = bpy.data.objects.get(NAME) or bpy.data.objects.new(NAME, data)
    if drawing.name not in scene.objects:
        scene.collection.objects.link(drawing)


main()
