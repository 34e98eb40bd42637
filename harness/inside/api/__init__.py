"""Dumps the API of this Blender build."""
