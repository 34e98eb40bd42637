"""needs_file: points from a table."""

import csv

import bpy

with open("points.csv", newline="") as table:
    rows = [tuple(map(float, row)) for row in csv.reader(table)]
mesh = bpy.data.meshes.new("Points")
mesh.from_pydata(rows, [], [])
bpy.context.collection.objects.link(bpy.data.objects.new("Points", mesh))
