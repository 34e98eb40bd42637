"""The graph of Python: facts of one text as terms, evaluated in a second pass over all files.

syntax tree -> terms and sites, per text -> values of terms, over all texts -> edges
"""
