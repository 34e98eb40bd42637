"""passed|timed_out|out_of_memory|examination_failed|disk_limit: a hundred thousand objects that want the same name."""

import bpy

for _ in range(100_000):
    bpy.data.objects.new("same", None)
