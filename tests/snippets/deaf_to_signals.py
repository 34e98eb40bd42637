"""timed_out: ignores every signal it can and sleeps."""
import signal
import time

for number in range(1, 64):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
time.sleep(10_000)
