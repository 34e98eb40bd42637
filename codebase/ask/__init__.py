"""Questions to an index: places by words and meaning, ways of the graph, passages to read."""
