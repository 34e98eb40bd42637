"""Reads what the open scene holds, for claims and for evidence alike."""
