"""raised: its own source has zero bytes."""

import pathlib

exec(pathlib.Path(__file__).read_text() + '\0')
