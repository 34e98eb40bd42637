"""passed: finds the caller's arguments after the two dashes, also with argparse."""
import argparse
import sys

import bpy

parser = argparse.ArgumentParser()
parser.add_argument("--name", default="Cube")
arguments = parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])
print(bpy.data.objects[arguments.name].name)
