"""timed_out: blocks every signal in every thread and spins."""

import signal

signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))
while True:
    pass
