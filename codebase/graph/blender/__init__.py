"""What Blender leads to by names: operators, menus, properties, registration and callbacks of an add-on."""
