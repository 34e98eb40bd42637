"""needs_arguments: width and height from the command line."""

import sys

import bpy

width, height = (int(text) for text in sys.argv[-2:])
bpy.context.scene.render.resolution_x = width
bpy.context.scene.render.resolution_y = height
