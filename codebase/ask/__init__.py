"""Questions to an index: places by words and meaning, paths in the graph, passages to read."""
