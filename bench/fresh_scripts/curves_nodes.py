"""3.1: geometry nodes with Transfer Attribute, named attribute and field nodes. Right: curve swept with a profile, shaded smooth."""
import bpy
ng = bpy.data.node_groups.new("Cable", "GeometryNodeTree")
ng.outputs.new("NodeSocketGeometry", "Geometry")
out = ng.nodes.new("NodeGroupOutput")
cur = ng.nodes.new("GeometryNodeCurveSpiral")
cur.inputs["Rotations"].default_value = 3
cur.inputs["Height"].default_value = 2
prof = ng.nodes.new("GeometryNodeCurvePrimitiveCircle")
prof.inputs["Radius"].default_value = .08
rad = ng.nodes.new("GeometryNodeSetCurveRadius")
rad.inputs["Radius"].default_value = 1
c2m = ng.nodes.new("GeometryNodeCurveToMesh")
c2m.inputs["Fill Caps"].default_value = True
smooth = ng.nodes.new("GeometryNodeSetShadeSmooth")
mix = ng.nodes.new("ShaderNodeMixRGB")
sub = ng.nodes.new("GeometryNodeSubdivisionSurface")
sub.boundary_smooth = 'PRESERVE_CORNERS'
tr = ng.nodes.new("GeometryNodeTransform")
tr.inputs["Translation"].default_value = (0, 0, 1)
lk = ng.links
lk.new(cur.outputs["Curve"], rad.inputs["Curve"])
lk.new(rad.outputs["Curve"], c2m.inputs["Curve"])
lk.new(prof.outputs["Curve"], c2m.inputs["Profile Curve"])
lk.new(c2m.outputs["Mesh"], sub.inputs["Mesh"])
lk.new(sub.outputs["Mesh"], smooth.inputs["Geometry"])
lk.new(smooth.outputs["Geometry"], tr.inputs["Geometry"])
lk.new(tr.outputs["Geometry"], out.inputs["Geometry"])
me = bpy.data.meshes.new("Cable")
ob = bpy.data.objects.new("Cable", me)
bpy.context.scene.collection.objects.link(ob)
ob.modifiers.new("GN", "NODES").node_group = ng
