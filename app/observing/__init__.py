"""The log, and what is counted and timed."""
