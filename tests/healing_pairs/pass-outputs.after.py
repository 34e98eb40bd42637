import bpy

scene = bpy.context.scene
scene.render.engine = "CYCLES"
bpy.context.view_layer.use_pass_diffuse_color = True
bpy.context.view_layer.use_pass_emit = True
bpy.context.view_layer.use_pass_object_index = True
tree = bpy.data.node_groups.new("Compositing", "CompositorNodeTree")
scene.compositing_node_group = tree
layers = tree.nodes.new("CompositorNodeRLayers")
print(layers.outputs["Diffuse Color"], layers.outputs["Emission"], tree.nodes[0].outputs.get("Object Index").name)
