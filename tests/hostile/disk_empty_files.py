"""disk_limit: files without content, without end."""

number = 0
while True:
    number += 1
    open(f'{number}', 'w').close()
