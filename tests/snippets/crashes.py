"""crashed: reads from address zero."""
import ctypes

ctypes.string_at(0)
