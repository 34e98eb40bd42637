"""The grammar of the path to a value in an acceptance check. Needs no Blender, so that a path is also read without."""

import re

SUBSCRIPT = re.compile(r'\[(?:"(?:[^"\\]|\\.)*"|-?\d+)\]')
STEP = re.compile(rf"\w+|{SUBSCRIPT.pattern}")
LINKED_FROM = ".linked_from"
PART_NAMES = frozenset({"translation", "x", "y", "z", "w", "r", "g", "b"})
