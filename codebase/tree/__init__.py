"""The working tree and its history, by the git command line; changes written into it; its tests."""
