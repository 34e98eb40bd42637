"""2.9x: a flag of cloth pinned at a vertex group, with wind."""
import bpy

bpy.ops.mesh.primitive_grid_add(x_subdivisions=20, y_subdivisions=12, size=2, location=(0, 0, 3))
flag = bpy.context.object
vg = flag.vertex_groups.new(name="Pin")
vg.add([v.index for v in flag.data.vertices if v.co.x < -0.99], 1.0, 'REPLACE')
cloth = flag.modifiers.new("Cloth", 'CLOTH')
cloth.settings.vertex_group_mass = "Pin"
cloth.settings.quality = 4
cloth.settings.structural_stiffness = 20
cloth.settings.bending_stiffness = 0.5
cloth.settings.use_pin_cloth = True
cloth.collision_settings.use_self_collision = False
bpy.ops.object.effector_add(type='WIND', radius=1, view_align=False, location=(-3, 0, 3))
bpy.context.object.field.strength = 200
