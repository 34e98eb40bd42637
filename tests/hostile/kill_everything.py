"""passed|crashed|raised|timed_out: kills every process that it can, of which there is none but itself."""

import os
import signal

os.kill(-1, signal.SIGKILL)
