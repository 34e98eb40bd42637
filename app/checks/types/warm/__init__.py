"""Type checkers that are kept running between checks."""
