"""passed: adds a modifier to the cube, prints, and leaves a file."""
import pathlib

import bpy

cube = bpy.data.objects["Cube"]
if "Bevel" not in cube.modifiers:
    cube.modifiers.new("Bevel", "BEVEL").width = 0.2
print("bevelled", cube.name)
pathlib.Path("note.txt").write_text("left behind")
