"""The units of a file: its functions, classes, methods, sections and keys, each with its lines."""
