"""timed_out: spins in twenty threads and waits for them."""

import threading


def spin():
    while True:
        pass


threads = [threading.Thread(target=spin) for _ in range(20)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
