"""Reads logs: the errors in them, and the frames of their tracebacks."""
