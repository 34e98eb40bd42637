"""3.x: an emissive tube along a curve, with a glare."""
import bpy

crv = bpy.data.curves.new("Tube", 'CURVE')
crv.dimensions = '3D'
crv.bevel_depth = 0.05
sp = crv.splines.new('POLY')
sp.points.add(3)
for p, co in zip(sp.points, ((0, 0, 0, 1), (1, 0, 1, 1), (2, 0, 0, 1), (3, 0, 1, 1))):
    p.co = co
tube = bpy.data.objects.new("Tube", crv)
bpy.context.scene.collection.objects.link(tube)
mat = bpy.data.materials.new("Neon")
mat.use_nodes = True
bsdf = mat.node_tree.nodes["Principled BSDF"]
bsdf.inputs["Emission"].default_value = (0, 1, 0.8, 1)
bsdf.inputs["Emission Strength"].default_value = 5
tube.data.materials.append(mat)
sc = bpy.context.scene
sc.use_nodes = True
nt = sc.node_tree
glare = nt.nodes.new("CompositorNodeGlare")
glare.glare_type = 'FOG_GLOW'
glare.quality = 'HIGH'
glare.threshold = 0.8
nt.links.new(nt.nodes["Render Layers"].outputs["Image"], glare.inputs["Image"])
nt.links.new(glare.outputs["Image"], nt.nodes["Composite"].inputs["Image"])
