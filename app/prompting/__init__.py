"""Writes the parts of a prompt: the target, the scene, the checks and the symbols, within a budget of tokens."""
