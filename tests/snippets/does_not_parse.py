"""raised: is no Python."""
import bpy

if bpy.context.scene
    pass
