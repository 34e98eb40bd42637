"""passed: a thread that would write a file after the end."""

import pathlib
import threading
import time


def later():
    time.sleep(30)
    pathlib.Path("late.txt").write_text("late")


threading.Thread(target=later).start()
