"""The two stub trees that the type checkers read, built out of a published fake-bpy-module."""
