"""2.76: text along a curve with bevel and material. Right: text follows a bezier circle, extruded and coloured."""
import bpy
bpy.ops.curve.primitive_bezier_circle_add(radius=3, view_align=False)
ring = bpy.context.object
ring.data.dimensions = '3D'
ring.data.resolution_u = 24
ring.data.bevel_depth = .05
ring.data.use_uv_as_generated = True
ring.data.fill_mode = 'FULL'
ring.data.show_normal_face = False
ring.data.splines[0].use_smooth = True

bpy.ops.object.text_add(location=(0, 0, 0))
t = bpy.context.object
t.data.body = "ROUND AND ROUND"
t.data.extrude = .1
t.data.bevel_depth = .01
t.data.align = 'CENTER'
t.data.size = 1.2
t.data.follow_curve = ring
m = bpy.data.materials.new("Letters")
m.diffuse_color = 1, .5, 0
m.emit = .3
m.use_shadeless = False
t.data.materials.append(m)
bpy.context.scene.objects.active = t
t.select = True
ring.select = False
bpy.ops.object.convert(target='MESH', keep_original=False)
