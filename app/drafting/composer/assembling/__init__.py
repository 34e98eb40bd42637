"""Things that are built from parts: told.py reads what is said of parts, sizes.py and places.py make numbers of it."""
