"""Edges that Blender makes by names: operators, menus, properties, registration and callbacks of an add-on."""
