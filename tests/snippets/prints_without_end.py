"""output_limit: floods its output from below Python."""
import os

while True:
    os.write(1, b"x" * 65536)
