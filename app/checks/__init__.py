"""The judges: each reads a snippet, or the report of its execution, and returns findings."""
