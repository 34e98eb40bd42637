"""passed: many files open at once, an event loop, and a pair of sockets between threads."""

import asyncio
import multiprocessing
import threading

files = [open("notes.txt", "w") for _ in range(150)]
for file in files:
    file.close()
ours, theirs = multiprocessing.Pipe()
thread = threading.Thread(target=theirs.send, args=("in",))
thread.start()
assert ours.recv() == "in"
thread.join()


async def both() -> int:
    reading, writing = await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2))
    return reading + writing


assert asyncio.run(both()) == 3
