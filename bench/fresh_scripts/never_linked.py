"""4.x: builds an object and forgets to link it."""
import bpy
from math import cos, sin, tau

verts = [(cos(tau * i / 6), sin(tau * i / 6), z) for z in (0, 1) for i in range(6)]
faces = [(i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i) for i in range(6)]
me = bpy.data.meshes.new("Hex")
me.from_pydata(verts, [], faces)
me.update()
hexa = bpy.data.objects.new("Hex", me)
hexa.location.x = 3
