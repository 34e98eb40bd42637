"""disk_limit: writes one file after the other."""
number = 0
while True:
    number += 1
    with open(f"{number}.bin", "wb") as file:
        file.write(bytes(4 << 20))
