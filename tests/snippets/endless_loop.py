"""timed_out: never ends."""
while True:
    pass
