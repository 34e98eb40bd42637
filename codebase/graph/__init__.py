"""The graph of a repository: calls, imports, inheritance, overriding and tests between units, each with its certainty.

text -> facts, once per content, kept in the index -> edges, from the facts of all files -> graph -> queries
"""
