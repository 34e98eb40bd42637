"""3.x: layers of polygons and vertices."""
import bpy

me = bpy.data.objects['Cube'].data
lay = me.polygon_layers_int.new(name="room_id")
for i, p in enumerate(me.polygons):
    lay.data[i].value = i % 3
heat = me.vertex_layers_float.new(name="heat")
for v in me.vertices:
    heat.data[v.index].value = v.co.z
print([d.value for d in me.polygon_layers_int["room_id"].data])
