"""Compiles a repository: its files, units and words into an index, and questions into places. No service, no model."""
