"""Heals a snippet: by rules that know the API, then by a model."""
