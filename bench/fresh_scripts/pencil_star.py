"""2.8x: a star drawn with grease pencil strokes."""
import bpy
from math import sin, cos, pi

gp = bpy.data.grease_pencils.new("Star")
ob = bpy.data.objects.new("Star", gp)
bpy.context.collection.objects.link(ob)
layer = gp.layers.new("Lines", set_active=True)
frame = layer.frames.new(1)
stroke = frame.strokes.new()
stroke.display_mode = '3DSPACE'
stroke.line_width = 40
stroke.draw_cyclic = True
stroke.points.add(10)
for i, point in enumerate(stroke.points):
    r = 2 if i % 2 else 1
    point.co = (r * cos(i * pi / 5), 0, r * sin(i * pi / 5))
    point.pressure = 1.0
    point.strength = 1.0
mat = bpy.data.materials.new("Ink")
bpy.data.materials.create_gpencil_data(mat)
mat.grease_pencil.color = (1, 0.2, 0, 1)
gp.materials.append(mat)
