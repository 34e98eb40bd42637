"""out_of_memory: takes memory in blocks."""

blocks = []
while True:
    blocks.append(bytearray(50 << 20))
