"""2.7x: light probes, snapping, and settings of every 3D view."""
import bpy

bpy.ops.object.lightprobe_add(type='GRID', location=(0, 0, 1))
g = bpy.context.object
g.scale = (3, 3, 2)
bpy.ops.object.lightprobe_add(type='CUBEMAP', radius=2, location=(2, 0, 1))
bpy.ops.object.lightprobe_add(type='PLANAR', location=(0, 0, 0.01))

ts = bpy.context.scene.tool_settings
ts.use_snap = True
ts.snap_element = 'VERTEX'
ts.proportional_edit = 'ENABLED'
ts.proportional_edit_falloff = 'SMOOTH'
for scr in bpy.data.screens:
    for area in scr.areas:
        if area.type == 'VIEW_3D':
            for sp in area.spaces:
                if sp.type == 'VIEW_3D':
                    sp.viewport_shade = 'MATERIAL'
                    sp.show_only_render = False
                    sp.lens = 50
                    sp.clip_end = 5000
