"""passed: a shader in the open shading language that would read a file."""

import bpy

scene = bpy.context.scene
scene.render.engine = "CYCLES"
if hasattr(scene.cycles, "shading_system"):
    scene.cycles.shading_system = True
text = bpy.data.texts.get("shader.osl") or bpy.data.texts.new("shader.osl")
text.from_string('shader s(output color c = 0) { c = texture("/etc/passwd", 0, 0); }')
tree = bpy.data.objects["Cube"].data.materials[0].node_tree
node = tree.nodes.get("Script") or tree.nodes.new("ShaderNodeScript")
node.script = text
