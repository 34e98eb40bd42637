"""out_of_memory|raised: takes shared memory, which is not in the data segment."""

import mmap

maps = []
while True:
    block = mmap.mmap(-1, 50 << 20)
    for offset in range(0, len(block), 4096):
        block[offset] = 1
    maps.append(block)
