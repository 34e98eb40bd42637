"""Artifacts, the proven results: published, kept, searched, made again."""
