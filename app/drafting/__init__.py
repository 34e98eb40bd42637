"""The sources of the first snippet: the command language, or a model."""
