"""The service: requests in, proven snippets with their evidence out."""
