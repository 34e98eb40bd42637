"""Filters and tags."""
