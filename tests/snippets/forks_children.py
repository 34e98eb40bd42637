"""process_limit: starts children that start children."""
import os
import time

for _ in range(7):
    os.fork()
time.sleep(60)
