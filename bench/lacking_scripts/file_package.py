"""needs_file: a Python package that this Blender does not have."""

import bpy
import trimesh

box = trimesh.creation.box((1, 2, 3))
mesh = bpy.data.meshes.new("Box")
mesh.from_pydata(box.vertices, [], box.faces)
