"""Whole add-ons: found in a repository, healed file by file, registered before and after."""
