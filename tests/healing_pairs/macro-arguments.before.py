import bpy

moved = {"linked": False}
bpy.ops.object.duplicate_move(
    OBJECT_OT_duplicate=moved,
    TRANSFORM_OT_translate={"value": (1, 0, 0), "constraint_orientation": "GLOBAL", "proportional": "DISABLED"},
)
