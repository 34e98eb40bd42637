"""The page: what a person sees in a browser."""
