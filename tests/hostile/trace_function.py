"""raised|passed|exited_early|no_result: a trace function that ends whatever runs next."""

import sys


def trace(*_):
    raise SystemExit(0)


sys.settrace(trace)


def step():
    pass


step()
