"""Repairs a snippet: rules that know the API, then a model."""
