"""output_limit: prints without end."""

while True:
    print('x' * 4096)
