"""2.7x: aliases everywhere"""
from bpy import *
C = context
D = data
scn = C.scene
def add(name, loc):
	me = D.meshes.new(name)
	me.from_pydata([(0,0,0),(1,0,0),(1,1,0),(0,1,0)], [], [(0,1,2,3)])
	me.update()
	ob = D.objects.new(name, me)
	ob.location = loc
	scn.objects.link(ob)
	scn.objects.active = ob
	ob.select = True
	return ob
for i in range(3):
	add('Quad%d' % i, (i*1.5, 0, 0))
scn.update()
