"""crashed: reads at address zero."""

import ctypes

ctypes.string_at(0)
