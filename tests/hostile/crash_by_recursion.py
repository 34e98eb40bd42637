"""crashed|raised|out_of_memory|timed_out: calls itself without a limit."""

import sys

sys.setrecursionlimit(10**9)


def deeper(values):
    return sorted(values, key=lambda _: deeper(values))


deeper([1, 2])
