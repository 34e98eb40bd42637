"""needs_file|raised: reads the environment of the process that started it."""

import os

print(open(f'/proc/{os.getppid()}/environ').read())
