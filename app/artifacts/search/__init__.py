"""Finds artifacts: their index, vectors of their words and pictures, hashes of their pictures."""
