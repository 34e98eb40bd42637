"""3.3: attribute colour in a material, with sculpt mask and face maps. Right: colour attribute feeds the material."""
import bpy
bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=12)
ob = bpy.context.object
me = ob.data
vc = me.vertex_colors.new(name="Paint")
for i, l in enumerate(me.loops):
    z = me.vertices[l.vertex_index].co.z
    vc.data[i].color = (.5 + z / 2, .2, .5 - z / 2, 1)
fm = ob.face_maps.new(name="top")
fm.add([p.index for p in me.polygons if p.center.z > 0])
me.sculpt_vertex_colors if hasattr(me, "sculpt_vertex_colors") else None
mat = bpy.data.materials.new("Painted")
mat.use_nodes = True
nt = mat.node_tree
n = nt.nodes.new("ShaderNodeVertexColor")
n.layer_name = "Paint"
b = nt.nodes["Principled BSDF"]
nt.links.new(n.outputs["Color"], b.inputs["Base Color"])
b.inputs["Specular"].default_value = 0
b.inputs["Subsurface"].default_value = .2
b.inputs["Subsurface Color"].default_value = (1, .2, .1, 1)
b.inputs["Emission"].default_value = (.1, 0, 0, 1)
me.materials.append(mat)
for a in me.attributes:
    print(a.name, a.domain, a.data_type)
me.attributes.active_color = me.attributes["Paint"]
