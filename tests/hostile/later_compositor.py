"""passed: the picture's node tree writes a file where it likes."""

import json
import sys

target = json.loads(sys.argv[-1])
import bpy

scene = bpy.context.scene
scene.render.use_compositing = True
if hasattr(scene, "node_tree"):
    scene.use_nodes = True
    nodes = scene.node_tree.nodes
    output = nodes.get("Out") or nodes.new("CompositorNodeOutputFile")
    output.name = "Out"
    if hasattr(output, "base_path"):
        output.base_path = target["folder"]
