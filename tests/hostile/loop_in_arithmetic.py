"""timed_out: a power with a billion digits, computed in C."""

number = 7 ** (10**9)
