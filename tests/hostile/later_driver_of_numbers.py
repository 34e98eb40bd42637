"""passed|timed_out|raised: a driver that computes for ever where drivers may compute; the witness lets it not."""

import bpy

cube = bpy.data.objects["Cube"]
curve = cube.driver_add("location", 0)
curve.driver.type = "SCRIPTED"
curve.driver.expression = "9 ** 9 ** 9"
