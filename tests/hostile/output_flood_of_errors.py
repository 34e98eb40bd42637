"""output_limit: writes to the descriptor of errors, past Python."""

import os

while True:
    os.write(2, b'x' * 65536)
