"""needs_scene: a source and a target must be selected."""

import bpy

source, target = bpy.context.selected_objects[:2]
target.matrix_world = source.matrix_world
