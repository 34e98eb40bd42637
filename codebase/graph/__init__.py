"""The graph of a repository: which unit calls, imports, inherits, overrides or tests which, and how certain that is.

text -> facts, once per content, kept in the index -> edges, from the facts of all files -> graph -> queries
"""
