"""Finds symbols of the Blender API and known answers for a request."""
