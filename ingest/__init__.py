"""Compiles the Blender reference, from a build or from published pages, into an index."""
