"""disk_limit: writes one file that is larger than everything it may write."""
with open("huge.bin", "wb") as file:
    file.seek(1 << 40)
    file.write(b"x")
