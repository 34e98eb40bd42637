"""disk_limit: one file without end."""

with open('big', 'wb') as file:
    while True:
        file.write(bytes(1 << 20))
