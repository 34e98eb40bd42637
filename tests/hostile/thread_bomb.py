"""raised|out_of_memory|timed_out|crashed: starts threads until it cannot."""

import threading
import time

while True:
    threading.Thread(target=time.sleep, args=(600,)).start()
