"""3.x: a creased cube with a subdivision surface."""
import bpy

cube = bpy.data.objects["Cube"]
for edge in cube.data.edges:
    edge.crease = 0.8
cube.cycles_visibility.shadow = False
sub = cube.modifiers.new("Sub", 'SUBSURF')
sub.levels = 2
sub.render_levels = 3
