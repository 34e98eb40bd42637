"""passed|raised|crashed|out_of_memory|timed_out: lets go of a list that is a million levels deep, and writes one."""

import json

nest = []
for _ in range(1_000_000):
    nest = [nest]
try:
    json.dumps(nest)
except RecursionError:
    pass
del nest
