"""2.81: clock with text numbers, font, hands with drivers by frame. Right: twelve numbers, two driven hands."""
import bpy
from math import sin, cos, pi
fnt = bpy.data.fonts.get("Bfont") or bpy.data.fonts[0] if bpy.data.fonts else None
for h in range(1, 13):
    a = pi / 2 - h * pi / 6
    cu = bpy.data.curves.new(type="FONT", name="Num")
    cu.body = str(h)
    cu.align_x = 'CENTER'
    cu.align_y = 'CENTER'
    cu.use_uv_as_generated = True
    ob = bpy.data.objects.new("Num%d" % h, cu)
    ob.location = (3 * cos(a), 3 * sin(a), 0)
    bpy.context.scene.collection.objects.link(ob)
for name, ln, fr in (("Minute", 2.5, "frame / 10"), ("Hour", 1.5, "frame / 120")):
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, .1))
    hnd = bpy.context.active_object
    hnd.name = name
    hnd.scale = (.1, ln, .05)
    drv = hnd.driver_add("rotation_euler", 2)
    drv.driver.type = 'SCRIPTED'
    drv.driver.expression = "-" + fr
    drv.driver.show_debug_info = True
    hnd.display.show_shadows = False
    hnd.cycles_visibility.shadow = False
bpy.context.scene.frame_set(30)
