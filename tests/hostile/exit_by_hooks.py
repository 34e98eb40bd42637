"""raised: hooks that end the process when an exception is shown or an object is thrown away."""

import os
import sys


class Last:
    def __del__(self):
        os._exit(0)


last = Last()
sys.excepthook = lambda *_: os._exit(0)
sys.unraisablehook = lambda *_: os._exit(0)
sys.last = last
raise ValueError("ordinary")
