"""needs_arguments: argparse after --."""

import argparse
import sys

import bpy

parser = argparse.ArgumentParser()
parser.add_argument("--input", required=True)
parser.add_argument("--ratio", type=float, default=0.5)
options = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else [])
bpy.ops.wm.obj_import(filepath=options.input)
for ob in bpy.context.selected_objects:
    ob.modifiers.new("Decimate", "DECIMATE").ratio = options.ratio
