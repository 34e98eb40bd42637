"""Who writes the first snippet: the command language, or a model."""
