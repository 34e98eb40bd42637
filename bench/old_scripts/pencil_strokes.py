"""3.x: grease pencil strokes"""
import bpy
bpy.ops.object.gpencil_add(location=(0, 0, 0), type='EMPTY')
gp = bpy.context.object
layer = gp.data.layers.new("lines", set_active=True)
frame = layer.frames.new(1)
stroke = frame.strokes.new()
stroke.display_mode = '3DSPACE'
stroke.line_width = 50
stroke.points.add(count=4)
for i in range(4):
    stroke.points[i].co = (i, i * .5, 0)
    stroke.points[i].pressure = 1
mat = bpy.data.materials.new("ink")
bpy.data.materials.create_gpencil_data(mat)
mat.grease_pencil.color = (0, 0, 0, 1)
gp.data.materials.append(mat)
gp.grease_pencil_modifiers.new("noise", 'GP_NOISE')
