"""crashed: aborts from a thread."""

import os
import threading

thread = threading.Thread(target=os.abort)
thread.start()
thread.join()
