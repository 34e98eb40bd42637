"""Outlines, from which frameworks are read: names, classes, calls and attributes of Python texts as plain values.

syntax tree -> values of expressions, per text -> things they stand for, over all texts
"""
