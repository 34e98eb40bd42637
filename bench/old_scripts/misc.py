"""2.7x: odds and ends"""
import bpy
sc = bpy.context.scene
sc.cursor_location = (0, 0, 0)
bpy.context.space_data.pivot_point = 'CURSOR'
bpy.ops.object.empty_add(type='PLAIN_AXES', view_align=False)
em = bpy.context.object
em.empty_draw_size = .5
bpy.ops.transform.resize(value=(2, 2, 2), constraint_axis=(False, False, False), constraint_orientation='GLOBAL', mirror=False, proportional='DISABLED', proportional_edit_falloff='SMOOTH', proportional_size=1)
bpy.ops.transform.rotate(value=1.57, axis=(0, 0, 1), constraint_axis=(False, False, True), constraint_orientation='GLOBAL')
bpy.ops.transform.translate(value=(0, 0, 1), constraint_axis=(False, False, True))
bpy.ops.object.lamp_add(type='SUN', radius=1, view_align=False, location=(0, 0, 5))
bpy.context.object.data.use_nodes = True
bpy.context.object.data.shadow_method = 'RAY_SHADOW'
bpy.ops.object.text_add()
bpy.context.object.data.align = 'CENTER'
bpy.context.object.data.size = 2
bpy.ops.mesh.primitive_cube_add(radius=1.5)
bpy.context.object.show_wire = True
bpy.ops.object.origin_set(type='ORIGIN_GEOMETRY')
bpy.ops.view3d.viewnumpad(type='CAMERA')
