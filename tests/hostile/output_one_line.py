"""output_limit: one line of a hundred megabytes."""

import os

data = b'x' * (1 << 20)
for _ in range(100):
    os.write(1, data)
