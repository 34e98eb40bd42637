"""examination_failed: runs at once, and leaves a scene that cannot be rendered within the limits."""
import bpy

cube = bpy.data.objects["Cube"]
for number in range(5):
    modifier = cube.modifiers.new(f"Subdivision {number}", "SUBSURF")
    modifier.levels = 0
    modifier.render_levels = 6
