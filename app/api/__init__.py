"""HTTP: one router per resource, the token, the error bodies."""
