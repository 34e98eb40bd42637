"""The page: the user interface in a browser."""
