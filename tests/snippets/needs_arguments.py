"""needs_arguments: scatters copies of the cube, as many as --count on the command line asks for."""

import argparse
import random
import sys

import bpy

parser = argparse.ArgumentParser(description="Scatter copies of the cube.")
parser.add_argument("--count", type=int, required=True, help="how many copies")
parser.add_argument("--seed", type=int, default=0)
arguments = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])

random.seed(arguments.seed)
cube = bpy.data.objects["Cube"]
for number in range(arguments.count):
    copy = cube.copy()
    copy.location = (random.uniform(-5, 5), random.uniform(-5, 5), 0)
    bpy.context.collection.objects.link(copy)
