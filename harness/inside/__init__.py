"""Code that runs inside Blender. It imports the standard library, bpy and the protocol."""
