"""raised|disk_limit: fills the folders that are in memory: /tmp and /dev/shm."""

import pathlib

number = 0
while True:
    number += 1
    for folder in ("/tmp", "/dev/shm"):
        pathlib.Path(folder, f"{number}").write_bytes(bytes(4 << 20))
