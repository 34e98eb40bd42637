"""The changes, each in a file of its own."""
