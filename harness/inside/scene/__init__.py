"""Reads the open scene, for claims and for evidence alike."""
