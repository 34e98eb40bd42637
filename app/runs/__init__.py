"""The life of one request: what was asked, what happened, what was spent."""
