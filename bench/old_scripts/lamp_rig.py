"""2.7x: three lamps around the origin, pointing at it."""
import math

import bpy
from mathutils import Matrix, Vector

for i in range(3):
    angle = math.radians(120 * i)
    lamp = bpy.data.lamps.new("Key%d" % i, 'SPOT')
    lamp.energy = 2.0
    lamp.distance = 20
    ob = bpy.data.objects.new(lamp.name, lamp)
    place = Matrix.Rotation(angle, 4, 'Z') * Vector((4, 0, 3))
    ob.location = place
    ob.rotation_euler = (-place).to_track_quat('-Z', 'Y').to_euler()
    bpy.context.scene.objects.link(ob)
for ob in bpy.data.objects:
    if ob.type == 'LAMP':
        ob.hide = False
