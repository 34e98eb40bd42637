"""needs_scene: says that nothing fitting is selected."""

import bpy

rigs = [ob for ob in bpy.context.selected_objects if ob.type == "ARMATURE"]
assert rigs, "Select at least one armature"
print(rigs[0].name)
