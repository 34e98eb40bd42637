"""timed_out: sleeps for days."""

import time

time.sleep(10**6)
