"""raised: a message of control characters, half characters and zero bytes."""

print('\x1b]0;owned\x07\x1b[2J')
raise ValueError('\x1b[31m\ud800\x00\u202e')
