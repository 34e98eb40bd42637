"""out_of_memory: takes memory until there is none left for it."""
blocks = []
while True:
    blocks.append(bytearray(64 << 20))
